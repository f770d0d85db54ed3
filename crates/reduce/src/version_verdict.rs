//! What a version of a solver does with a script.

use serde::{Deserialize, Serialize};

/// What a solver did with the script.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum VersionVerdict {
    /// It is wrong.
    Wrong,
    /// It answers rightly.
    Right,
    /// It gives up, or meets a limit.
    Undecided,
    /// It cannot read the script, or could not be run.
    Refused,
}

impl VersionVerdict {
    /// In one word.
    pub fn word(self) -> &'static str {
        match self {
            VersionVerdict::Wrong => "WRONG",
            VersionVerdict::Right => "right",
            VersionVerdict::Undecided => "undecided",
            VersionVerdict::Refused => "refused",
        }
    }
}
