//! Checks solvers' passes: a problem before a pass and its result are both decided by exhaustion; the results are counted.

mod after;
mod asking;
mod check;
mod command;
mod problem;
mod spelling;
mod truth;
mod verdict;

use crate::evidence::DisagreementScript;
use crate::tally::kind_of;
pub use check::PassChecker;
pub use command::{PassCommand, PassSyntax};
pub use problem::{PassProblem, ProblemSource};
use std::collections::BTreeMap;
pub use truth::WorldTruth;

/// The number of differences kept in full; the rest are counted.
const KEPT: usize = 100;

/// The counts of one pass of one solver.
#[derive(Clone, Debug, Default)]
pub struct PassTally {
    /// The number of problems.
    pub asked: u64,
    /// The number of problems whose truth it kept.
    pub kept: u64,
    /// The number of these problems whose models differ from the models of the goals, over the same symbols.
    pub not_equivalent: u64,
    /// The number of problems whose truth it lost, where the satisfiable side depends on a value that the standard leaves open.
    pub by_choice: u64,
    /// The other problems whose truth it lost. Only the first ones are kept.
    pub different: Vec<PassDifference>,
    /// The number of all these other problems.
    pub different_count: u64,
    /// The number of undecided results for each reason.
    pub open: BTreeMap<String, u64>,
    /// The number of problems without a result, for each message that came instead.
    pub unanswered: BTreeMap<String, u64>,
}

/// A problem whose truth a pass lost.
#[derive(Clone, Debug)]
pub struct PassDifference {
    /// The pass.
    pub pass: String,
    /// The faulty step of the pass.
    pub guilty: String,
    /// The problem.
    pub problem: PassProblem,
    /// A script that shows the result of the pass.
    pub script: String,
    /// The result of the pass, as a script.
    pub after: String,
    /// Whether the result is satisfiable.
    pub truth: WorldTruth,
    /// A check that the solver answers wrongly because of the pass.
    pub evidence: DisagreementScript,
    /// The solver's own answers to the problem and to the result.
    pub own: Option<[&'static str; 2]>,
}

impl PassTally {
    /// Counts a problem without a result.
    pub fn unanswered(&mut self, instead: &str) {
        *self.unanswered.entry(kind_of(instead)).or_default() += 1;
    }

    /// Counts an undecided result.
    pub fn open(&mut self, reason: &str) {
        *self.open.entry(kind_of(reason)).or_default() += 1;
    }

    /// Counts a difference.
    pub fn different(&mut self, difference: PassDifference) {
        self.different_count += 1;
        if self.different.len() < KEPT {
            self.different.push(difference);
        }
    }

    /// Returns the number of decided results.
    pub fn decided(&self) -> u64 {
        self.kept + self.by_choice + self.different_count
    }

    /// Returns the number of undecided results.
    pub fn open_count(&self) -> u64 {
        self.open.values().sum()
    }

    /// Returns the number of problems without a result.
    pub fn unanswered_count(&self) -> u64 {
        self.unanswered.values().sum()
    }
}
