//! Files that compare nothing: those that simplification alone decides, and, where models are searched, those without one.
//!
//! The JFS paper's evaluation leaves both out (`2-filtered-trivial-and-unsat` of its artifact).

use crate::problem::{BenchProblem, instance};
use search::{SearchConfig, SearchOutcome, solve};
use smtlib::{Status, Store};
use std::time::{Duration, Instant};

/// How long simplifying a file may take. One that takes longer is not trivial.
const LIMIT: Duration = Duration::from_secs(10);

/// Why a file is left out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PruneReason {
    /// It is known to be unsatisfiable.
    Unsat,
    /// Simplification leaves no constraint, or finds one false.
    Trivial,
}

/// Why a problem would be left out; none if it is worth comparing on.
pub fn prune_reason(problem: &BenchProblem) -> Option<PruneReason> {
    if problem.expected == Some(Status::Unsat) {
        return Some(PruneReason::Unsat);
    }
    let mut store = Store::new();
    let instance = instance(&mut store, &problem.text)?;
    let config = SearchConfig {
        deadline: Instant::now().checked_add(LIMIT),
        // A search that is not over before it begins has constraints left, and is not waited for.
        executions: Some(1),
        ..SearchConfig::default()
    };
    match solve(&mut store, &instance.assertions, &config) {
        (SearchOutcome::Unsat { .. }, _) => Some(PruneReason::Trivial),
        (SearchOutcome::Sat(_), stats) if stats.constraints == 0 => Some(PruneReason::Trivial),
        _ => None,
    }
}
