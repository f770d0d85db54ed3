//! How the truth of a reduced script stands: what makes the solver's answer wrong, and on whose word.

use finding::Trust;
use std::fmt;

/// What convicts the solver.
#[derive(Clone, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case", tag = "kind")]
pub enum Truth {
    /// Our evaluator: the witness makes every assertion of the check true, so that `unsat` is wrong.
    Certified,
    /// Our evaluator: it looked at every assignment.
    Exhausted,
    /// Our evaluator: the solver's model makes an assertion false.
    ModelRefuted,
    /// Other solvers.
    Trusted {
        /// What they answer: `sat` or `unsat`.
        answer: String,
        /// Who they are.
        by: Vec<String>,
    },
    /// The solver itself: a crash, or its own word that its model is wrong.
    Observed,
    /// The user's command.
    Command,
}

impl Truth {
    /// On whose word the right answer stands.
    pub fn trust(&self) -> Trust {
        match self {
            Truth::Certified | Truth::ModelRefuted => Trust::Certified,
            Truth::Exhausted => Trust::Exhausted,
            Truth::Trusted { by, .. } => Trust::Trusted(by.join(", ")),
            Truth::Observed => Trust::Observed,
            Truth::Command => Trust::Command,
        }
    }

    /// Whether it rests on our evaluator alone.
    pub fn is_certified(&self) -> bool {
        matches!(self, Truth::Certified | Truth::Exhausted | Truth::ModelRefuted)
    }
}

impl fmt::Display for Truth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Truth::Certified => f.write_str("certified: the witness makes every assertion true"),
            Truth::Exhausted => f.write_str("certified: every assignment was looked at"),
            Truth::ModelRefuted => f.write_str("certified: the solver's model makes an assertion false"),
            Truth::Trusted { answer, by } => write!(f, "trusted: {answer} in the word of {}", by.join(" and ")),
            Truth::Observed => f.write_str("observed: the solver convicts itself"),
            Truth::Command => f.write_str("as the command decides"),
        }
    }
}
