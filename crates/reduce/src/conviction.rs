//! How the truth of a reduced script stands: what makes the solver's answer wrong, and on whose word.

use finding::Trust;
use semantics::Model;
use std::fmt;

/// What convicts the solver.
#[derive(Clone, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case", tag = "kind")]
pub enum Conviction {
    /// Our evaluator: the witness makes every assertion of the check true, so that `unsat` is wrong.
    Certified,
    /// The same; but the witness chooses values that the standard leaves open.
    CertifiedByChoice,
    /// Our evaluator: it looked at every assignment.
    Exhausted,
    /// Our evaluator: the solver's model makes an assertion false.
    ModelRefuted,
    /// Our evaluator: the solver's model, of which it says that it is wrong, makes every assertion true.
    ModelProven,
    /// Other solvers.
    Trusted {
        /// What they answer: `sat` or `unsat`.
        answer: String,
        /// Who they are.
        by: Vec<String>,
    },
    /// The solver itself: a crash, or its own word that its model is wrong.
    Observed,
    /// CPU times: those of the solver and of another release or mode of it.
    Measured,
    /// The user's command.
    Command,
}

impl Conviction {
    /// What a model that satisfies all assertions shows.
    pub fn by_witness(model: &Model) -> Conviction {
        match model.choices().is_empty() {
            true => Conviction::Certified,
            false => Conviction::CertifiedByChoice,
        }
    }

    /// On whose word the right answer stands.
    pub fn trust(&self) -> Trust {
        match self {
            Conviction::Certified
            | Conviction::CertifiedByChoice
            | Conviction::ModelRefuted
            | Conviction::ModelProven => Trust::Certified,
            Conviction::Exhausted => Trust::Exhausted,
            Conviction::Trusted { by, .. } => Trust::Trusted(by.join(", ")),
            Conviction::Observed | Conviction::Measured => Trust::Observed,
            Conviction::Command => Trust::Command,
        }
    }

    /// Whether it rests on our evaluator alone.
    pub fn is_certified(&self) -> bool {
        !matches!(self, Conviction::Trusted { .. } | Conviction::Observed | Conviction::Measured | Conviction::Command)
    }
}

impl fmt::Display for Conviction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Conviction::Certified => f.write_str("certified: the witness makes every assertion true"),
            Conviction::CertifiedByChoice => f.write_str(
                "certified: the witness makes every assertion true; it chooses values that the standard leaves open",
            ),
            Conviction::Exhausted => f.write_str("certified: every assignment was looked at"),
            Conviction::ModelRefuted => f.write_str("certified: the solver's model makes an assertion false"),
            Conviction::ModelProven => f.write_str("certified: the solver's model makes every assertion true"),
            Conviction::Trusted { answer, by } => write!(f, "trusted: {answer} in the word of {}", by.join(" and ")),
            Conviction::Observed => f.write_str("observed: the solver convicts itself"),
            Conviction::Measured => f.write_str("measured: the ratio of CPU times is kept"),
            Conviction::Command => f.write_str("as the command decides"),
        }
    }
}
