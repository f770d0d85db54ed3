//! A script whose run contradicts the known answers, before confirmation.

use crate::judge::{Asking, Hit};
use crate::model_oracle::FalseAssertion;
use crate::relation::Relation;
use crate::slowness::MeasuredSlowness;
use finding::Trust;
use mutate::mutators;
use rustix::time::{ClockId, clock_gettime};
use semantics::Model;
use smtlib::{Status, Store};
use solver::outcome::SolverOutcome;
use solver::process::ProcessLimits;
use solver::session::SessionNeeds;
use std::cell::Cell;
use std::sync::Arc;
use std::time::Duration;

/// A suspicious script: what was sent, what is known about it, and what the solver did.
#[derive(Clone, Copy)]
pub struct Candidate<'c> {
    /// The contradiction.
    pub hit: &'c Hit,
    /// The text.
    pub text: &'c str,
    /// Preceding scripts in the same process, each ended by `(reset)`; empty if it had its own process.
    pub earlier: &'c str,
    /// The right answers.
    pub expected: &'c [Status],
    /// Who vouches for them.
    pub truth: &'c Option<Trust>,
    /// The terms of the witness.
    pub store: &'c Store,
    /// The assignment that makes every assertion true, if there is one.
    pub witness: Option<&'c Arc<Model>>,
    /// The features requested from the solver.
    pub purpose: SessionNeeds,
    /// The limits of the run.
    pub limits: &'c ProcessLimits,
    /// The run.
    pub outcome: &'c SolverOutcome,
    /// The part that is false under the solver's model, if that is the contradiction.
    pub false_assertion: Option<&'c FalseAssertion>,
    /// The CPU times, if slowness is the contradiction.
    pub slowness: Option<&'c MeasuredSlowness>,
    /// The relation of the two derived scripts, if their answers contradict each other.
    pub relation: Option<Relation>,
    /// Where the script comes from.
    pub source: &'c ScriptSource,
    /// Sums up the CPU time of the runs that confirm it.
    pub confirm_cpu: &'c CpuMeter,
}

/// Where a script comes from, in full.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ScriptSource {
    /// A mutant.
    Mutant {
        /// The mutator's name.
        mutator: String,
        /// Its random choices.
        parameters: Vec<(&'static str, String)>,
        /// The mutant's number in its unit.
        index: u64,
    },
    /// An unchanged seed.
    Seed,
}

/// A sum of CPU times.
#[derive(Default, Debug)]
pub struct CpuMeter(Cell<Duration>);

impl Candidate<'_> {
    /// How it asks.
    pub fn asking(&self) -> Asking {
        Asking::of(self.text)
    }
}

impl ScriptSource {
    /// Whether the script is a seed or was made from one.
    pub fn has_seed(&self) -> bool {
        !matches!(self, ScriptSource::Mutant { mutator, .. } if mutators::needs_no_seed(mutator))
    }

    /// Returns its entry in the record.
    pub fn kind(&self) -> finding::ScriptOrigin {
        match self {
            ScriptSource::Mutant { .. } => finding::ScriptOrigin::Mutant,
            ScriptSource::Seed => finding::ScriptOrigin::Seed,
        }
    }
}

impl CpuMeter {
    /// Adds the CPU time of a run.
    pub fn add(&self, cpu: Duration) {
        self.0.set(self.0.get().saturating_add(cpu));
    }

    /// Returns the sum and resets it to zero.
    pub fn take(&self) -> Duration {
        self.0.take()
    }
}

/// Returns the CPU time (user and system) of this process so far, without its children.
pub fn own_cpu() -> Duration {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    Duration::new(u64::try_from(time.tv_sec).unwrap_or(0), u32::try_from(time.tv_nsec).unwrap_or(0))
}
