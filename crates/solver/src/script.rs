//! Scans the bytes of SMT-LIB scripts for commands, without reading terms.

use memchr::{memchr3, memchr3_iter, memmem};
use smtlib::ERROR_NEXT;
use smtlib::sexpr::{Hiding, ItemKind, is_check, items};
use std::ops::Range;

/// One top-level command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct CommandText<'a> {
    /// The first word after the parenthesis.
    pub name: &'a [u8],
    /// Its text, from parenthesis to parenthesis.
    pub text: &'a [u8],
    /// Its byte offset.
    pub start: usize,
    /// First line of the command, from 1.
    pub first_line: usize,
    /// Last line of the command, from 1.
    pub last_line: usize,
}

impl CommandText<'_> {
    /// Whether the command is answered by sat, unsat or unknown.
    pub fn is_check(&self) -> bool {
        std::str::from_utf8(self.name).is_ok_and(is_check)
    }

    /// Whether the next command is expected to be an error.
    pub fn marks_error(&self) -> bool {
        let key = self.text.strip_prefix(b"(set-info ").and_then(|rest| rest.strip_prefix(ERROR_NEXT.as_bytes()));
        key.is_some_and(|rest| rest.starts_with(b" "))
    }

    /// Whether an error of this command leaves every later `check-sat` valid.
    pub fn only_asks(&self) -> bool {
        self.name.starts_with(b"get-") || matches!(self.name, b"echo" | b"exit" | b"eval" | b"set-info" | b"display")
    }
}

/// Returns the top-level commands of a script. A malformed rest ends the list.
pub(crate) fn commands(text: &[u8]) -> Vec<CommandText<'_>> {
    read_commands(text).0
}

/// A script that may be followed by another one in the same process.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Separable<'a> {
    /// The part that the solver reads: everything before `(exit)`.
    pub body: &'a str,
    /// The `set-option` commands.
    pub options: Vec<&'a [u8]>,
}

/// Returns the script for use in a batch; `None` if it leaves a parenthesis, string or symbol open or has stray text.
pub(crate) fn separable(text: &str) -> Option<Separable<'_>> {
    let (commands, whole) = read_commands(text.as_bytes());
    let exit = commands.iter().find(|command| command.name == b"exit");
    let body = &text[..exit.map_or(text.len(), |exit| exit.start)];
    let options = commands.iter().filter(|command| command.name == b"set-option").map(|command| command.text);
    (whole && !is_misleading(text.as_bytes())).then(|| Separable { body, options: options.collect() })
}

/// Returns the commands, and whether the rest of the text is only blanks and comments.
fn read_commands(text: &[u8]) -> (Vec<CommandText<'_>>, bool) {
    let mut found = Vec::new();
    let mut whole = true;
    let (mut at, mut line) = (0, 1);
    for item in items(text) {
        let start = item.span.start;
        let first_line = line + memchr::memchr_iter(b'\n', &text[at..start]).count();
        line = first_line + memchr::memchr_iter(b'\n', &text[item.span.clone()]).count();
        at = item.span.end;
        match item.kind {
            ItemKind::List => {
                let inside = &text[start + 1..item.span.end - 1];
                let word = items(inside).next().filter(|word| word.kind == ItemKind::Atom);
                let name = word.map_or(&b""[..], |word| &inside[word.span]);
                found.push(CommandText { name, text: &text[item.span], start, first_line, last_line: line });
            }
            ItemKind::Atom | ItemKind::Stray => whole = false,
            ItemKind::Cut => return (found, false),
        }
    }
    (found, whole)
}

/// Returns the number of checks, of all kinds, in a script.
///
/// Two vectorised searches run over the text in parallel: one for the word, one for everything that could hide it (strings, quoted
/// symbols, comments). Command names are reserved words (SMT-LIB 2.7, section 3.1), so the word after a parenthesis is a command unless
/// it is hidden.
pub fn count_checks(text: &[u8]) -> usize {
    const WORD: &[u8] = b"check-sat";
    // z3's rules are rare.
    if memmem::find(text, b"(query").is_some() {
        return commands(text).iter().filter(|command| command.is_check()).count();
    }
    let mut hiders = memchr3_iter(b'"', b'|', b';', text);
    let mut hider = hiders.next();
    let mut hidden_until = 0;
    let mut count = 0;
    for at in memmem::find_iter(text, WORD) {
        while let Some(start) = hider.filter(|start| *start < at) {
            if start >= hidden_until
                && let Some(hiding) = Hiding::opened_by(text[start])
            {
                hidden_until = hiding.end(text, start + 1).unwrap_or(text.len());
            }
            hider = hiders.next();
        }
        let rest = &text[at + WORD.len()..];
        let ends = |rest: &[u8]| rest.first().is_none_or(|b| b.is_ascii_whitespace() || b"();\"|".contains(b));
        let is_command =
            ends(rest) || [&b"-using"[..], b"-assuming"].iter().any(|s| rest.strip_prefix(*s).is_some_and(ends));
        let opened = text[..at].trim_ascii_end().ends_with(b"(");
        count += usize::from(at >= hidden_until && opened && is_command);
    }
    count
}

/// Returns the ranges that hide parentheses in a text, including quotes.
pub(crate) fn hidden(text: &[u8]) -> impl Iterator<Item = (Hiding, Range<usize>)> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let start = at + memchr3(b'"', b'|', b';', text.get(at..)?)?;
        let hiding = Hiding::opened_by(text[start])?;
        at = hiding.end(text, start + 1).unwrap_or(text.len());
        Some((hiding, start..at))
    })
}

/// Whether solvers disagree on where a quoted symbol ends: it has a backslash, which the standard forbids and some read as an escape.
pub(crate) fn is_misleading(text: &[u8]) -> bool {
    memchr::memchr(b'\\', text).is_some()
        && hidden(text).any(|(hiding, span)| hiding == Hiding::Quoted && text[span].contains(&b'\\'))
}

/// Returns a word that none of the scripts contains, so none can print it.
pub(crate) fn unused_mark(scripts: &[&str]) -> String {
    let mut number = 0usize;
    loop {
        let mark = format!("end-of-script-{number}-");
        if !scripts.iter().any(|script| script.contains(&mark)) {
            return mark;
        }
        number += 1;
    }
}

#[cfg(test)]
#[path = "../tests/unit/script.rs"]
mod tests;
