//! What the check of a pass came to, counted.

use super::problem::PassProblem;
use super::truth::WorldTruth;
use crate::evidence::DisagreementScript;
use crate::tally::kind_of;
use std::collections::BTreeMap;

/// Differences that are kept in full; the rest are counted.
const KEPT: usize = 100;

/// The counts of one pass of one solver.
#[derive(Clone, Debug, Default)]
pub struct PassTally {
    /// Problems it was applied to.
    pub asked: u64,
    /// Problems whose truth it kept.
    pub kept: u64,
    /// Of those, the problems that have other models than the goals over the same symbols.
    pub not_equivalent: u64,
    /// Problems whose truth it did not keep, with what is satisfiable resting on a value that the standard leaves open.
    pub by_choice: u64,
    /// Problems whose truth it did not keep; the first ones of them.
    pub different: Vec<PassDifference>,
    /// How many there are.
    pub different_count: u64,
    /// Answers that were not decided, by the reason.
    pub open: BTreeMap<String, u64>,
    /// Problems without an answer, by what was said instead.
    pub unanswered: BTreeMap<String, u64>,
}

/// A problem whose truth a pass did not keep.
#[derive(Clone, Debug)]
pub struct PassDifference {
    /// The pass.
    pub pass: String,
    /// The step of it that is at fault.
    pub guilty: String,
    /// The problem.
    pub problem: PassProblem,
    /// A script that shows what the pass makes of it.
    pub script: String,
    /// What the pass made of it, as a script.
    pub after: String,
    /// Whether that is satisfiable.
    pub truth: WorldTruth,
    /// A check that the solver answers wrongly by way of the pass.
    pub evidence: DisagreementScript,
    /// What the solver itself answers to the problem, and to what its pass made of it.
    pub own: Option<[&'static str; 2]>,
}

impl PassTally {
    /// Counts a problem without an answer.
    pub fn unanswered(&mut self, instead: &str) {
        *self.unanswered.entry(kind_of(instead)).or_default() += 1;
    }

    /// Counts an answer that was not decided.
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

    /// How many answers were decided.
    pub fn decided(&self) -> u64 {
        self.kept + self.by_choice + self.different_count
    }

    /// How many answers were not decided.
    pub fn open_count(&self) -> u64 {
        self.open.values().sum()
    }

    /// How many problems are without an answer.
    pub fn unanswered_count(&self) -> u64 {
        self.unanswered.values().sum()
    }
}
