//! Verdicts on candidate texts, and on versions of a solver.

use crate::subject::Subject;
use crate::{model_text, query};
use finding::Trust;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// The verdict on a candidate text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CandidateVerdict {
    /// The solver is wrong, and the truth is still valid.
    Interesting(Evidence),
    /// The solver no longer shows the failure; describes what it did instead.
    NotShown(String),
    /// The solver still shows the failure, but it is not known to be wrong.
    TruthLost(String),
}

/// Why a text is interesting.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Evidence {
    /// The basis of the truth.
    pub truth: Trust,
    /// The wrongly answered check, from 0.
    pub check: usize,
    /// The certifying model, as printed by a solver or as a witness file, if the given witness did not certify the truth.
    pub model: Option<String>,
    /// The assertion that the solver's model makes false, and the values of its subterms, one per line; for a broken proof the step.
    pub told: Option<String>,
    /// The two scripts derived from the text whose answers contradict each other.
    pub pair: Option<[String; 2]>,
}

/// A custom test of a text, besides those in [`TextJudge`](crate::TextJudge).
pub trait TextTest: Send + Sync {
    /// Judges a text.
    fn judge(&self, text: &str) -> CandidateVerdict;
}

impl Evidence {
    /// Returns evidence of the truth of a check alone.
    pub(crate) fn of(truth: Trust, check: usize) -> Evidence {
        Evidence { truth, check, model: None, told: None, pair: None }
    }

    /// Returns the verdict on this evidence, without a model.
    pub(crate) fn verdict(truth: Trust, check: usize) -> CandidateVerdict {
        CandidateVerdict::Interesting(Evidence::of(truth, check))
    }

    /// Makes the model the witness of the subject; returns whether there is one.
    pub fn give_witness(&self, subject: &mut Subject) -> bool {
        let Some(response) = &self.model else { return false };
        let Some(instance) = subject.script.instance(self.check) else { return false };
        let store = &mut subject.store;
        let Some(mut model) = model_text::read_either(store, &instance.declarations, response) else { return false };
        query::complete(store, &instance.declarations, &mut model);
        subject.witness = Some(Arc::new(model));
        true
    }
}

/// The reaction of a solver to the script.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum VersionVerdict {
    /// The solver is wrong.
    Wrong,
    /// The solver is right.
    Right,
    /// The solver answers `unknown`, or reaches a limit.
    Undecided,
    /// The solver rejects the script, or could not be run.
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
