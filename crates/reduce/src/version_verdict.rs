//! The verdict on a solver version's reaction to a script.

use serde::{Deserialize, Serialize};

/// The reaction of a solver to the script.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum VersionVerdict {
    /// It is wrong.
    Wrong,
    /// It is right.
    Right,
    /// It answers `unknown`, or reaches a limit.
    Undecided,
    /// It rejects the script, or could not be run.
    Refused,
}

impl VersionVerdict {
    /// Returns one word.
    pub fn word(self) -> &'static str {
        match self {
            VersionVerdict::Wrong => "WRONG",
            VersionVerdict::Right => "right",
            VersionVerdict::Undecided => "undecided",
            VersionVerdict::Refused => "refused",
        }
    }
}
