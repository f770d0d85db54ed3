//! The output formats of subcommands.

use clap::ValueEnum;
use serde_json::Value;
use std::fmt::Display;

/// The format of standard output.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum OutputFormat {
    /// Text and tables, for people.
    Text,
    /// JSON, one object per line, for programs.
    Json,
}

impl OutputFormat {
    /// Prints a row.
    pub fn row(self, words: impl Display, json: impl FnOnce() -> Value) {
        match self {
            OutputFormat::Text => println!("{words}"),
            OutputFormat::Json => println!("{}", json()),
        }
    }
}

/// `--format` of a subcommand that prints rows.
#[derive(Clone, Copy, clap::Args)]
pub struct RowFormat {
    /// Text, or one JSON object per line.
    #[arg(long, value_enum, default_value_t = OutputFormat::Text)]
    format: OutputFormat,
}

impl RowFormat {
    /// Whether only JSON objects are printed.
    pub fn is_json(self) -> bool {
        self.format == OutputFormat::Json
    }

    /// Prints a row.
    pub fn row(self, words: impl Display, json: impl FnOnce() -> Value) {
        self.format.row(words, json);
    }
}
