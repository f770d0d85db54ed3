//! An assignment from the fuzzing solver: a model of the parent's assertions without asking any solver.

use crate::rng::RandomStream;
use rustc_hash::FxHashSet;
use search::{SearchConfig, SearchOutcome, solve};
use semantics::Model;
use smtlib::{Store, TermId};

/// The most inputs run for one unit. A bound on executions, not on time, so that a unit is the same on every machine.
const EXECUTIONS: u64 = 20_000;

/// Operations run for one unit: larger formulas get fewer inputs.
const OPERATIONS: u64 = 8_000_000;

/// Returns the model, if the search finds one within its bounds.
pub fn model(store: &mut Store, assertions: &[TermId], rng: &mut RandomStream) -> Option<Model> {
    let executions = (OPERATIONS / size(store, assertions).max(1)).min(EXECUTIONS);
    let config = SearchConfig { seed: rng.bits(), executions: Some(executions), ..SearchConfig::default() };
    match solve(store, assertions, &config).0 {
        SearchOutcome::Sat(model) => Some(model),
        SearchOutcome::Unsat { .. } | SearchOutcome::Unknown(_) => None,
    }
}

/// Distinct subterms.
fn size(store: &Store, assertions: &[TermId]) -> u64 {
    let mut seen = FxHashSet::default();
    let mut stack = assertions.to_vec();
    while let Some(t) = stack.pop() {
        if seen.insert(t) {
            stack.extend(store.args(t));
        }
    }
    seen.len() as u64
}
