//! How a script asks its solver.

use serde::{Deserialize, Serialize};

/// How a script asks.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Mode {
    /// One `(check-sat)`.
    Plain,
    /// Several checks.
    Incremental,
    /// By `(check-sat-using …)`.
    Tactic,
}

impl Mode {
    /// All of them.
    pub const ALL: [Mode; 3] = [Mode::Plain, Mode::Incremental, Mode::Tactic];

    /// How a script with so many checks asks.
    pub fn of(text: &str, checks: usize) -> Mode {
        if text.contains("(check-sat-using ") {
            return Mode::Tactic;
        }
        if checks > 1 { Mode::Incremental } else { Mode::Plain }
    }

    /// The mode in a word.
    pub fn word(self) -> &'static str {
        match self {
            Mode::Plain => "plain",
            Mode::Incremental => "incremental",
            Mode::Tactic => "tactic",
        }
    }
}
