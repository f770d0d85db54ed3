//! A script whose run contradicts what is known of it, before the contradiction is confirmed.

use crate::cpu_meter::CpuMeter;
use crate::judge::{Asking, Hit};
use crate::model_oracle::FalseAssertion;
use crate::relation::Relation;
use crate::slowness::MeasuredSlowness;
use finding::Trust;
use mutate::mutators;
use semantics::Model;
use smtlib::{Status, Store};
use solver::outcome::SolverOutcome;
use solver::process::ProcessLimits;
use solver::session::SessionNeeds;
use std::sync::Arc;

/// A suspicious script: what was sent, what is known of it, and what the solver did.
#[derive(Clone, Copy)]
pub struct Candidate<'c> {
    /// The contradiction.
    pub hit: &'c Hit,
    /// The text.
    pub text: &'c str,
    /// Scripts that went before in the same process, each ended by `(reset)`; empty: it had a process of its own.
    pub earlier: &'c str,
    /// The right answers.
    pub expected: &'c [Status],
    /// Who says so.
    pub truth: &'c Option<Trust>,
    /// The terms the witness speaks of.
    pub store: &'c Store,
    /// The assignment that makes every assertion true, if there is one.
    pub witness: Option<&'c Arc<Model>>,
    /// What the solver was asked to be ready for.
    pub purpose: SessionNeeds,
    /// What the run was allowed.
    pub limits: &'c ProcessLimits,
    /// The run.
    pub outcome: &'c SolverOutcome,
    /// What is false under the solver's model, if that is the contradiction.
    pub false_assertion: Option<&'c FalseAssertion>,
    /// The CPU times, if slowness is the contradiction.
    pub slowness: Option<&'c MeasuredSlowness>,
    /// How the scripts relate that follow from the text, if a contradiction between their answers is the hit.
    pub relation: Option<Relation>,
    /// Where the script comes from.
    pub source: &'c ScriptSource,
    /// Where the CPU time of the runs that confirm it is added up.
    pub confirm_cpu: &'c CpuMeter,
}

/// Where a script comes from, in full.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ScriptSource {
    /// A mutant.
    Mutant {
        /// The mutator's name.
        mutator: String,
        /// What it drew.
        parameters: Vec<(&'static str, String)>,
        /// The mutant's number in its unit.
        index: u64,
    },
    /// A seed as it is.
    Seed,
}

impl Candidate<'_> {
    /// How it asks.
    pub fn asking(&self) -> Asking {
        Asking::of(self.text)
    }
}

impl ScriptSource {
    /// Whether a seed took part: it is one, or was made of one.
    pub fn has_seed(&self) -> bool {
        !matches!(self, ScriptSource::Mutant { mutator, .. } if mutators::needs_no_seed(mutator))
    }

    /// What the record says of it.
    pub fn kind(&self) -> finding::ScriptOrigin {
        match self {
            ScriptSource::Mutant { .. } => finding::ScriptOrigin::Mutant,
            ScriptSource::Seed => finding::ScriptOrigin::Seed,
        }
    }
}
