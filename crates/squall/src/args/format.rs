//! How a subcommand prints what it has to say.

use clap::ValueEnum;

/// What standard output is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum OutputFormat {
    /// Words and tables, for people.
    Text,
    /// JSON, one object a line, for programs.
    Json,
}
