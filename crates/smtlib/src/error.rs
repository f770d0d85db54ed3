//! What is wrong with a text, and where.

use std::ops::Range;

/// Reading stops after so many mistakes: the text is not SMT-LIB, or not worth more.
pub const MAX_ERRORS: usize = 100;

/// A mistake in an SMT-LIB text.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{message}")]
pub struct Error {
    /// Byte offsets of the offending text.
    pub span: Range<usize>,
    /// What is wrong; lowercase, no final dot.
    pub message: String,
    /// What was expected, or what to do.
    pub help: Option<String>,
    /// The text is no mistake but of a solver's own theory.
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

/// `path:line:column: heading`, and the line where the span begins with the span underlined as far as the line goes.
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
