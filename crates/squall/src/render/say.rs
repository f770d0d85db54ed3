//! Lines for people, on an output that may be closed.

use crate::exit::Exit;
use crate::render::color;
use crate::render::plain::{self, shown};
use crate::render::progress::without_line;
use mutate::mutators;
use std::fmt::Arguments;
use std::io::{self, ErrorKind, Write};

/// Prints a line on standard error. Unlike the macro of the standard library, which it replaces in this crate, it does not
/// panic where the reader is gone (`squall fuzz … 2>&1 | head`): a campaign must survive that.
macro_rules! eprintln {
    ($($words:tt)*) => { $crate::render::say::on_stderr(format_args!($($words)*)) };
}

/// Prints a line on standard output. Unlike the macro of the standard library, it does not panic: a closed output is ignored,
/// and any other failure ends the process with a message.
macro_rules! println {
    ($($words:tt)*) => { $crate::render::say::on_stdout(format_args!($($words)*)) };
}

/// Prints text on standard output, as `println!` prints a line.
macro_rules! print {
    ($($words:tt)*) => { $crate::render::say::text_on_stdout(format_args!($($words)*)) };
}

/// Returns a usage error, with exit code 2, from a function.
macro_rules! usage {
    ($($words:tt)*) => { return Err($crate::render::say::Usage(format!($($words)*)).into()) };
}

/// A usage error beyond the grammar: something does not exist, or options exclude each other.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct Usage(pub String);

/// See `eprintln!`.
pub fn on_stderr(words: Arguments<'_>) {
    // There is nowhere left to report it.
    let text = words.to_string();
    let _ = without_line(|| writeln!(std::io::stderr().lock(), "{}", shown(&text, color::is_on_stderr())));
}

/// Ends the process with a usage error or the requested help. Both may quote file names.
pub fn end(error: &clap::Error) -> ! {
    let text = |has_color| match has_color {
        true => error.render().ansi().to_string(),
        false => error.render().to_string(),
    };
    match error.use_stderr() {
        true => eprintln!("{}", text(color::is_on_stderr()).trim_end_matches('\n')),
        false => text_on_stdout(format_args!("{}", text(color::is_on_stdout()))),
    }
    if error.use_stderr() { Exit::Usage.end() } else { Exit::Clean.end() }
}

/// See `println!`.
pub fn on_stdout(words: Arguments<'_>) {
    text_on_stdout(format_args!("{words}\n"));
}

/// See `print!`.
pub fn text_on_stdout(words: Arguments<'_>) {
    match without_line(|| plain::stdout().write_fmt(words)) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            eprintln!("squall: error: cannot write to standard output: {error}");
            Exit::Failure.end()
        }
        _ => {}
    }
}

/// Whether the reader of the output is gone.
pub fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error.chain().any(|e| e.downcast_ref::<io::Error>().is_some_and(|e| e.kind() == io::ErrorKind::BrokenPipe))
}

/// Returns a number with its noun, given in the singular.
pub fn counted(n: impl TryInto<u64>, what: &str) -> String {
    let n = n.try_into().unwrap_or(u64::MAX);
    format!("{n} {what}{}", if n == 1 { "" } else { "s" })
}

/// Returns the first line of a text, and of this at most `most` characters and a sign that it goes on.
pub fn cut(text: &str, most: usize) -> String {
    let line = text.lines().next().unwrap_or_default();
    match line.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line.to_string(),
    }
}

/// Quotes a word for a shell.
pub fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_./=:,+@%".contains(c);
    match !word.is_empty() && word.chars().all(is_plain) {
        true => word.to_string(),
        false => format!("'{}'", word.replace('\'', "'\\''")),
    }
}

/// Returns the origin of a script: its mutator or chain, and the seed.
pub fn whence(mutator: Option<&str>, seed: Option<&str>) -> String {
    // Records of earlier versions name a seed for generated problems, too.
    let seed = seed.filter(|_| !mutator.is_some_and(mutators::needs_no_seed));
    match (mutator, seed) {
        (None, seed) => format!("the seed {} itself", seed.unwrap_or_default()),
        (Some(mutator), None) => format!("made by {mutator}"),
        (Some(mutator), Some(seed)) => format!("made by {mutator} from the seed {seed}"),
    }
}

#[cfg(test)]
#[path = "../../tests/unit/say.rs"]
mod tests;
