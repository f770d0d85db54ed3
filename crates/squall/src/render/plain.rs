//! The printer. Output may contain foreign text, such as file names, scripts and messages of solvers; none of it may control
//! the terminal or the log of a build.
//!
//! Invariant: all output goes through [`shown`], except the live screen, whose library drops control characters.

use crate::render::color;
use std::borrow::Cow;
use std::fmt::Arguments;
use std::io::{self, IsTerminal, StdoutLock, Write};

/// Returns a text as it is printed. Control characters, and those that change the writing direction, are escaped as in
/// `\u001b`, which JSON and SMT-LIB read as the same characters. Colours stay where there are any. A line that GitHub's log
/// would take for a command has its first character escaped.
pub fn shown(text: &str, has_color: bool) -> Cow<'_, str> {
    if !text.bytes().any(|b| b.is_ascii_control() && b != b'\n' || b == b':' || b == b'#' || b >= 0xc2) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    let mut is_start = true;
    let mut at = 0;
    while let Some(c) = text[at..].chars().next() {
        let rest = &text[at..];
        let is_plain = |b: &u8| (b' '..0x7f).contains(b) && *b != b'#';
        let plain = if is_start { 0 } else { rest.as_bytes().iter().take_while(|b| is_plain(b)).count() };
        if plain > 0 {
            out.push_str(&rest[..plain]);
            at += plain;
            continue;
        }
        let color = if has_color && c == '\u{1b}' { color_at(rest) } else { 0 };
        let is_command = (is_start && rest.starts_with("::")) || rest.starts_with("##[");
        let length = color.max(c.len_utf8());
        match color > 0 || !(is_command || is_control(c, rest)) {
            true => out.push_str(&rest[..length]),
            false => out.push_str(&format!("\\u{:04x}", u32::from(c))),
        }
        is_start = c == '\n' || is_start && (c.is_whitespace() || color > 0);
        at += length;
    }
    Cow::Owned(out)
}

fn is_control(c: char, rest: &str) -> bool {
    match c {
        '\n' | '\t' => false,
        '\r' => !rest.starts_with("\r\n"),
        '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => true,
        c => c.is_control(),
    }
}

/// Returns the length of a colour sequence `ESC [ … m` at the beginning of a text.
fn color_at(text: &str) -> usize {
    let numbers =
        text.strip_prefix("\u{1b}[").map(|rest| rest.bytes().take_while(|b| b.is_ascii_digit() || *b == b';').count());
    numbers.map(|count| count + 2).filter(|end| text[*end..].starts_with('m')).map_or(0, |end| end + 1)
}

/// Returns the width of standard output's terminal in columns; `None` without a terminal or if it is unknown.
pub fn columns() -> Option<usize> {
    let size = io::stdout().is_terminal().then(ratatui::crossterm::terminal::size)?;
    size.ok().map(|(columns, _)| columns.into()).filter(|columns| *columns > 0)
}

/// Standard output for long texts. Unlike `print!` it returns errors.
pub struct Stdout(StdoutLock<'static>);

/// Standard output, locked.
pub fn stdout() -> Stdout {
    Stdout(io::stdout().lock())
}

impl Write for Stdout {
    /// Bytes that are not UTF-8 are shown as replacement characters.
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let text = String::from_utf8_lossy(bytes);
        self.0.write_all(shown(&text, color::is_on_stdout()).as_bytes())?;
        Ok(bytes.len())
    }

    fn write_fmt(&mut self, words: Arguments<'_>) -> io::Result<()> {
        // The text is escaped in one piece, since only a whole line shows whether it is a command.
        self.0.write_all(shown(&words.to_string(), color::is_on_stdout()).as_bytes())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

#[cfg(test)]
#[path = "../../tests/unit/plain.rs"]
mod tests;
