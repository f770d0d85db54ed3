//! The figures of a measurement in Markdown, with the command that made them, as in the documentation.

use super::date;
use super::say::quoted;
use crate::build;
use std::time::{SystemTime, UNIX_EPOCH};

/// The file's name in a report's folder.
pub const FILE: &str = "figures.md";

/// Tables and sentences below the command, the build, the day and the number of processors.
pub fn text(parts: impl IntoIterator<Item = String>) -> String {
    let words = std::iter::once("squall".to_string()).chain(std::env::args().skip(1).map(|word| quoted(&word)));
    let command = words.collect::<Vec<_>>().join(" ");
    let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    let processors = ::solver::process::processors();
    let day = date::day(now);
    under(&format!("`{command}`, squall {}, {day}, {processors} processors:", build::WORDS), parts)
}

/// Parts separated by empty lines.
fn under(head: &str, parts: impl IntoIterator<Item = String>) -> String {
    let mut text = format!("{head}\n");
    for part in parts.into_iter().filter(|part| !part.trim().is_empty()) {
        text.push('\n');
        text.push_str(part.trim_end());
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::{text, under};

    #[test]
    fn parts_stand_apart() {
        assert_eq!(
            under("`squall x`:", ["| a |\n".to_string(), String::new(), "All.".into()]),
            "`squall x`:\n\n| a |\n\nAll.\n"
        );
    }

    #[test]
    fn figures_say_what_made_them() {
        let figures = text([]);
        assert!(figures.starts_with("`squall") && figures.contains(env!("CARGO_PKG_VERSION")), "{figures}");
    }
}
