//! On whose word the right answer to a script stands.

use serde::{Deserialize, Serialize};
use std::fmt;

/// On whose word the right answer stands.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase", tag = "kind", content = "by")]
pub enum Trust {
    /// Our evaluator, which anyone can run again: the witness makes every assertion true, or the solver's own model makes an
    /// assertion false.
    Certified,
    /// Our evaluator looked at every assignment, which anyone can do again.
    Exhausted,
    /// The solver convicts itself: a crash, or its own word that its answer is wrong.
    Observed,
    /// Another solver or a label says so.
    Trusted(String),
    /// The user's command decides.
    Command,
}

impl Trust {
    /// How much it weighs; less is more: what anyone can check, what anyone can see, what a third party says.
    pub fn rank(&self) -> u8 {
        match self {
            Trust::Certified | Trust::Exhausted => 0,
            Trust::Observed => 1,
            Trust::Trusted(_) | Trust::Command => 2,
        }
    }

    /// What a sentence about a finding says of it.
    pub fn words(&self) -> String {
        match self {
            Trust::Certified => "certified by our evaluator".to_string(),
            Trust::Exhausted => "certified by exhaustion".to_string(),
            Trust::Observed => "seen in the run itself".to_string(),
            Trust::Trusted(who) => format!("trusted: {who}"),
            Trust::Command => "as the command decides".to_string(),
        }
    }
}

impl fmt::Display for Trust {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Trust::Certified => f.write_str("certified"),
            Trust::Exhausted => f.write_str("exhausted"),
            Trust::Observed => f.write_str("observed"),
            Trust::Trusted(who) => write!(f, "trusted: {who}"),
            Trust::Command => f.write_str("command"),
        }
    }
}
