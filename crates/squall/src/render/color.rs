//! Colours of the output, and whether it has any: by `--color`, the environment and the kind of output.

use clap::ColorChoice;
use clap::builder::styling::{AnsiColor, Style};
use std::ffi::OsString;
use std::io::IsTerminal;
use std::sync::OnceLock;

/// The choice of the command line.
static CHOICE: OnceLock<ColorChoice> = OnceLock::new();

/// A mistake, a wrong answer.
pub const BAD: Style = AnsiColor::Red.on_default().bold();
/// A warning, a crash.
pub const DOUBTFUL: Style = AnsiColor::Yellow.on_default().bold();
/// Success.
pub const GOOD: Style = AnsiColor::Green.on_default();

/// The value of `--color` before the command line is parsed, since its errors are coloured, too. A malformed value is ignored.
pub fn named(words: impl IntoIterator<Item = OsString>) -> ColorChoice {
    let mut words = words.into_iter().take_while(|word| word != "--");
    let mut named = ColorChoice::Auto;
    while let Some(word) = words.next() {
        let value = match word.to_str() {
            Some("--color") => words.next().and_then(|value| value.into_string().ok()),
            Some(word) => word.strip_prefix("--color=").map(str::to_string),
            None => None,
        };
        named = value.and_then(|value| value.parse().ok()).unwrap_or(named);
    }
    named
}

/// Sets the colours of this process, those of the live screen included.
pub fn settle(choice: ColorChoice) {
    // The first call counts; there is only one.
    let _ = CHOICE.set(choice);
    match choice {
        ColorChoice::Auto => {}
        ColorChoice::Always => ratatui::crossterm::style::force_color_output(true),
        ColorChoice::Never => ratatui::crossterm::style::force_color_output(false),
    }
}

/// Returns a text for standard error.
pub fn on_stderr(style: Style, text: &str) -> String {
    painted(style, text, is_on_stderr())
}

/// Returns a text for standard output.
pub fn on_stdout(style: Style, text: &str) -> String {
    painted(style, text, is_on_stdout())
}

/// Whether standard error has colours.
pub fn is_on_stderr() -> bool {
    has_color(std::io::stderr().is_terminal())
}

/// Whether standard output has colours.
pub fn is_on_stdout() -> bool {
    has_color(std::io::stdout().is_terminal())
}

fn painted(style: Style, text: &str, is_on: bool) -> String {
    match is_on {
        true => format!("{style}{text}{style:#}"),
        false => text.to_string(),
    }
}

fn has_color(is_terminal: bool) -> bool {
    let variable = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty());
    let is_wanted = variable("NO_COLOR").is_none() && variable("TERM").is_none_or(|term| term != "dumb");
    is_on(CHOICE.get().copied().unwrap_or_default(), is_terminal, is_wanted)
}

/// Whether there are colours. The command line takes precedence over the environment (<https://no-color.org>).
fn is_on(choice: ColorChoice, is_terminal: bool, is_wanted: bool) -> bool {
    match choice {
        ColorChoice::Always => true,
        ColorChoice::Never => false,
        ColorChoice::Auto => is_terminal && is_wanted,
    }
}

#[cfg(test)]
#[path = "../../tests/unit/color.rs"]
mod tests;
