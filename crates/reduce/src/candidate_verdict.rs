//! The verdict on a candidate text: whether it is interesting, and why.

use crate::subject::Subject;
use crate::{model_text, query};
use finding::Trust;
use std::sync::Arc;

/// The verdict on a candidate text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CandidateVerdict {
    /// The solver is wrong, and the truth stands.
    Interesting(Evidence),
    /// The solver does not do what it did; what it did instead, in words.
    NotShown(String),
    /// The solver answers as before, but it is not known to be wrong.
    TruthLost(String),
}

/// Why a text is interesting.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Evidence {
    /// How the truth stands.
    pub truth: Trust,
    /// The check that is answered wrongly, from 0.
    pub check: usize,
    /// The model that certifies it, as a solver prints it or as a witness file, where the witness given did not do.
    pub model: Option<String>,
    /// The assertion that the solver's model makes false, and the values of its subterms, a line each; of a broken proof the step.
    pub told: Option<String>,
    /// The two scripts that follow from the text, whose answers contradict each other.
    pub pair: Option<[String; 2]>,
}

/// Any other test of a text than those that a [`TextJudge`](crate::TextJudge) names.
pub trait TextTest: Send + Sync {
    /// Judges a text.
    fn judge(&self, text: &str) -> CandidateVerdict;
}

impl Evidence {
    /// That the truth stands so of a check, and nothing besides.
    pub(crate) fn of(truth: Trust, check: usize) -> Evidence {
        Evidence { truth, check, model: None, told: None, pair: None }
    }

    /// The verdict on this evidence, with no model besides.
    pub(crate) fn verdict(truth: Trust, check: usize) -> CandidateVerdict {
        CandidateVerdict::Interesting(Evidence::of(truth, check))
    }

    /// Makes the model the witness of the subject. False where there is none.
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
