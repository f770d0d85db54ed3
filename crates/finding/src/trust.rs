//! On whose word the right answer to a script stands.

use serde::{Deserialize, Serialize};
use std::fmt;

/// On whose word the right answer stands. Records of findings know the kinds that [`Trust::recorded`] gives, accounts of reductions all.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "kind")]
pub enum Trust {
    /// Our evaluator, which anyone can run again: the witness makes every assertion true, or the solver's own model makes an
    /// assertion false.
    Certified,
    /// The same; but the witness chooses values that the standard leaves open.
    CertifiedByChoice,
    /// Our evaluator: the solver's model makes an assertion false.
    ModelRefuted,
    /// Our evaluator: the solver's model, of which it says that it is wrong, makes every assertion true.
    ModelProven,
    /// Our evaluator looked at every assignment, which anyone can do again.
    Exhausted,
    /// The solver convicts itself: a crash, or its own word that its answer is wrong.
    Observed,
    /// CPU times: those of the solver and of another release or mode of it.
    Measured,
    /// Another solver or a label says so.
    Trusted(TrustedWord),
    /// The user's command decides.
    Command,
}

/// Who is trusted.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(untagged)]
pub enum TrustedWord {
    /// Other solvers.
    Solvers {
        /// What they answer: `sat` or `unsat`.
        answer: String,
        /// Who they are.
        by: Vec<String>,
    },
    /// Whoever these words name.
    Label {
        /// The words.
        by: String,
    },
}

impl Trust {
    /// Trust in whom these words name.
    pub fn in_words(by: impl Into<String>) -> Trust {
        Trust::Trusted(TrustedWord::Label { by: by.into() })
    }

    /// Trust in solvers that answer `sat` or `unsat`.
    pub fn by_solvers(answer: &str, by: Vec<String>) -> Trust {
        Trust::Trusted(TrustedWord::Solvers { answer: answer.to_string(), by })
    }

    /// The same as far as the record of a finding says it.
    pub fn recorded(&self) -> Trust {
        match self {
            Trust::CertifiedByChoice | Trust::ModelRefuted | Trust::ModelProven => Trust::Certified,
            Trust::Measured => Trust::Observed,
            Trust::Trusted(who) => Trust::in_words(who.to_string()),
            known => known.clone(),
        }
    }

    /// Whether it rests on our evaluator alone.
    pub fn is_certified(&self) -> bool {
        matches!(self.recorded(), Trust::Certified | Trust::Exhausted)
    }

    /// How much it weighs; less is more: what anyone can check, what anyone can see, what a third party says.
    pub fn rank(&self) -> u8 {
        match self.recorded() {
            Trust::Trusted(_) | Trust::Command => 2,
            Trust::Observed => 1,
            _ => 0,
        }
    }

    /// What a sentence about a finding says of it.
    pub fn words(&self) -> String {
        match self.recorded() {
            Trust::Exhausted => "certified by exhaustion".to_string(),
            Trust::Observed => "seen in the run itself".to_string(),
            Trust::Trusted(who) => format!("trusted: {who}"),
            Trust::Command => "as the command decides".to_string(),
            _ => "certified by our evaluator".to_string(),
        }
    }

    /// What makes the solver's answer wrong.
    pub fn reason(&self) -> String {
        let reason = match self {
            Trust::Certified => "certified: the witness makes every assertion true",
            Trust::CertifiedByChoice => {
                "certified: the witness makes every assertion true; it chooses values that the standard leaves open"
            }
            Trust::Exhausted => "certified: every assignment was looked at",
            Trust::ModelRefuted => "certified: the solver's model makes an assertion false",
            Trust::ModelProven => "certified: the solver's model makes every assertion true",
            Trust::Observed => "observed: the solver convicts itself",
            Trust::Measured => "measured by CPU time",
            Trust::Command => "as the command decides",
            Trust::Trusted(TrustedWord::Label { by }) => return format!("trusted: {by}"),
            Trust::Trusted(TrustedWord::Solvers { answer, by }) => {
                return format!("trusted: {answer} in the word of {}", by.join(" and "));
            }
        };
        reason.to_string()
    }
}

impl fmt::Display for Trust {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.recorded() {
            Trust::Exhausted => f.write_str("exhausted"),
            Trust::Observed => f.write_str("observed"),
            Trust::Trusted(who) => write!(f, "trusted: {who}"),
            Trust::Command => f.write_str("command"),
            _ => f.write_str("certified"),
        }
    }
}

impl fmt::Display for TrustedWord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TrustedWord::Solvers { by, .. } => f.write_str(&by.join(", ")),
            TrustedWord::Label { by } => f.write_str(by),
        }
    }
}
