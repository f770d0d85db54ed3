//! Who vouches for the right answer to a script.

use serde::{Deserialize, Serialize};
use std::fmt;

/// Who vouches for the right answer. Records of findings have the kinds that [`Trust::recorded`] gives, accounts of
/// reductions all.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "kind")]
pub enum Trust {
    /// Our evaluator, reproducibly: the witness makes every assertion true, or the solver's own model makes an assertion
    /// false.
    Certified,
    /// The same, but the witness chooses values that the standard leaves open.
    CertifiedByChoice,
    /// Our evaluator: the solver's model makes an assertion false.
    ModelRefuted,
    /// Our evaluator: the solver's model, which it calls wrong, makes every assertion true.
    ModelProven,
    /// Our evaluator tried every assignment, or checked an identity that the script defines, reproducibly.
    Exhausted,
    /// The run itself: a crash, or the solver's own report that its answer is wrong.
    Observed,
    /// CPU times: those of the solver and of another release or mode.
    Measured,
    /// Another solver or a label.
    Trusted(TrustedWord),
    /// The user's command.
    Command,
}

/// Who is trusted.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(untagged)]
pub enum TrustedWord {
    /// Other solvers.
    Solvers {
        /// What the solvers answer: `sat` or `unsat`.
        answer: String,
        /// Their names.
        by: Vec<String>,
    },
    /// The source that these words name.
    Label {
        /// The words.
        by: String,
    },
}

impl Trust {
    /// Trusts the source that these words name.
    pub fn in_words(by: impl Into<String>) -> Trust {
        Trust::Trusted(TrustedWord::Label { by: by.into() })
    }

    /// Trusts solvers that answer `sat` or `unsat`.
    pub fn by_solvers(answer: &str, by: Vec<String>) -> Trust {
        Trust::Trusted(TrustedWord::Solvers { answer: answer.to_string(), by })
    }

    /// Returns the trust as the record of a finding has it.
    pub fn recorded(&self) -> Trust {
        match self {
            Trust::CertifiedByChoice | Trust::ModelRefuted | Trust::ModelProven => Trust::Certified,
            Trust::Measured => Trust::Observed,
            Trust::Trusted(who) => Trust::in_words(who.to_string()),
            known => known.clone(),
        }
    }

    /// Whether the right answer depends on our evaluator alone.
    pub fn is_certified(&self) -> bool {
        matches!(self.recorded(), Trust::Certified | Trust::Exhausted)
    }

    /// Returns its rank, strongest first: certified, observed, a third party's.
    pub fn rank(&self) -> u8 {
        match self.recorded() {
            Trust::Trusted(_) | Trust::Command => 2,
            Trust::Observed => 1,
            _ => 0,
        }
    }

    /// Returns a phrase for sentences about a finding.
    pub fn describe(&self) -> String {
        match self.recorded() {
            Trust::Exhausted => "certified by exhaustion".to_string(),
            Trust::Observed => "seen in the run itself".to_string(),
            Trust::Trusted(who) => format!("trusted: {who}"),
            Trust::Command => "as the command decides".to_string(),
            _ => "certified by our evaluator".to_string(),
        }
    }

    /// Explains why the solver's answer is wrong.
    pub fn reason(&self) -> String {
        let reason = match self {
            Trust::Certified => "certified: the witness makes every assertion true",
            Trust::CertifiedByChoice => {
                "certified: the witness makes every assertion true; it chooses values that the standard leaves open"
            }
            Trust::Exhausted => "certified: every assignment was tried, or an identity refutes the script",
            Trust::ModelRefuted => "certified: the solver's model makes an assertion false",
            Trust::ModelProven => "certified: the solver's model makes every assertion true",
            Trust::Observed => "observed: the run itself shows it",
            Trust::Measured => "measured by CPU time",
            Trust::Command => "as the command decides",
            Trust::Trusted(TrustedWord::Label { by }) => return format!("trusted: {by}"),
            Trust::Trusted(TrustedWord::Solvers { answer, by }) => {
                return format!("trusted: {answer} according to {}", by.join(" and "));
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
