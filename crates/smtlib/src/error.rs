//! Errors in a text, with their positions and suggested names.

use std::ops::Range;

/// Reading stops after this many errors: the text is probably not SMT-LIB.
pub const MAX_ERRORS: usize = 100;

/// An error in an SMT-LIB text.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{message}")]
pub struct Error {
    /// Byte offsets of the offending text.
    pub span: Range<usize>,
    /// What is wrong; lowercase, no final dot.
    pub message: String,
    /// What was expected, or what to do.
    pub help: Option<String>,
    /// The text is not wrong but uses a solver's own theory.
    pub(crate) opaque: bool,
}

impl Error {
    pub(crate) fn new(span: Range<usize>, message: impl Into<String>) -> Error {
        Error { span, message: message.into(), help: None, opaque: false }
    }

    pub(crate) fn help(mut self, help: impl Into<String>) -> Error {
        self.help = Some(help.into());
        self
    }

    pub(crate) fn opaque(span: Range<usize>) -> Error {
        Error { span, message: "a term of a solver's own theory".into(), help: None, opaque: true }
    }

    /// Line and column, both from 1, columns counted in characters, of the start of the span in `source`.
    pub fn position(&self, source: &str) -> (usize, usize) {
        position(source, self.span.start)
    }

    /// `path:line:column: error: message`, the line with the offending text underlined, and the help.
    ///
    /// A line is shown at most 160 characters wide, around the offending text.
    pub fn render(&self, path: &str, source: &str) -> String {
        let mut text = underlined(path, source, self.span.clone(), &format!("error: {}", self.message));
        if let Some(help) = &self.help {
            let (line, _) = self.position(source);
            let margin = " ".repeat(line.to_string().len());
            text.push_str(&format!("\n{margin} = {help}"));
        }
        text
    }
}

/// Line and column, both from 1, columns counted in characters, of a byte offset in `source`.
pub fn position(source: &str, offset: usize) -> (usize, usize) {
    let before = &source[..floor_char_boundary(source, offset)];
    let line = memchr::memchr_iter(b'\n', before.as_bytes()).count() + 1;
    let column = before.rsplit('\n').next().map_or(0, |l| l.chars().count()) + 1;
    (line, column)
}

/// `path:line:column: heading`, and the line where the span begins, with the span underlined up to the line's end.
///
/// A line is shown at most 160 characters wide.
pub fn underlined(path: &str, source: &str, span: Range<usize>, heading: &str) -> String {
    let (line, column) = position(source, span.start);
    let start = floor_char_boundary(source, span.start);
    let line_start = source[..start].rfind('\n').map_or(0, |n| n + 1);
    let line_end = source[start..].find('\n').map_or(source.len(), |n| start + n);
    let shown_start = floor_char_boundary(source, line_start.max(start.saturating_sub(60)));
    let shown_end = floor_char_boundary(source, line_end.min(start + 100));
    let end = floor_char_boundary(source, span.end.clamp(start, shown_end));
    let printable =
        |text: &str| -> String { text.chars().map(|c| if c == '\t' || c.is_control() { ' ' } else { c }).collect() };
    let cut_left = if shown_start > line_start { "…" } else { "" };
    let cut_right = if shown_end < line_end { "…" } else { "" };
    let margin = " ".repeat(line.to_string().len());
    let indent = " ".repeat(source[shown_start..start].chars().count() + cut_left.chars().count());
    let marks = "^".repeat(source[start..end].chars().count().max(1));
    format!(
        "{path}:{line}:{column}: {heading}\n{margin} |\n{line} | {cut_left}{shown}{cut_right}\n{margin} | {indent}{marks}",
        shown = printable(&source[shown_start..shown_end]),
    )
}

fn floor_char_boundary(text: &str, index: usize) -> usize {
    let mut index = index.min(text.len());
    while !text.is_char_boundary(index) {
        index -= 1;
    }
    index
}

/// Returns the name nearest to `name` among `known`, as a help text.
pub(crate) fn suggestion<'n>(name: &str, known: impl Iterator<Item = &'n str>) -> Option<String> {
    if name.len() > 40 {
        return None;
    }
    // A hint that shares nothing with the name is useless.
    let limit = (1 + name.len() / 4).min(name.len().saturating_sub(1));
    let close = known.filter(|k| k.len().abs_diff(name.len()) <= limit).map(|k| (distance(name, k), k));
    let best = close.filter(|(d, _)| *d <= limit).min()?;
    Some(format!("did you mean `{}`?", best.1))
}

/// Returns the names nearest to `name` among `known` (at most three), as a help text.
pub(crate) fn nearest_names<'n>(name: &str, known: impl Iterator<Item = &'n str>) -> Option<String> {
    if name.len() > 40 {
        return None;
    }
    let limit = (1 + name.len() / 3).min(name.len().saturating_sub(1));
    let close = known.filter(|k| k.len().abs_diff(name.len()) <= limit).map(|k| (distance(name, k), k));
    let mut close: Vec<(usize, &str)> = close.filter(|(d, _)| *d <= limit).collect();
    close.sort_unstable();
    close.dedup();
    let names: Vec<String> = close.iter().take(3).map(|(_, k)| format!("`{k}`")).collect();
    (!names.is_empty()).then(|| format!("did you mean {}?", names.join(" or ")))
}

/// Levenshtein distance in bytes.
fn distance(a: &str, b: &str) -> usize {
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.bytes().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in b.bytes().enumerate() {
            let substituted = diagonal + usize::from(x != y);
            diagonal = row[j + 1];
            row[j + 1] = substituted.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
}
