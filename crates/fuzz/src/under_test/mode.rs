//! The mode of a script: plain, incremental, or by a tactic.

use serde::{Deserialize, Serialize};

/// The mode of a script.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Mode {
    /// One `(check-sat)`.
    Plain,
    /// Several checks.
    Incremental,
    /// With `(check-sat-using …)`.
    Tactic,
}

impl Mode {
    /// All modes.
    pub const ALL: [Mode; 3] = [Mode::Plain, Mode::Incremental, Mode::Tactic];

    /// Returns the mode of a script with this number of checks.
    pub fn of(text: &str, checks: usize) -> Mode {
        if text.contains("(check-sat-using ") {
            return Mode::Tactic;
        }
        if checks > 1 { Mode::Incremental } else { Mode::Plain }
    }

    /// Returns the mode as a word.
    pub fn word(self) -> &'static str {
        match self {
            Mode::Plain => "plain",
            Mode::Incremental => "incremental",
            Mode::Tactic => "tactic",
        }
    }
}
