//! Runs passes in sequence, by name.

use crate::goal::{Goal, GoalStatus};
use crate::pass::{PassError, PassResult, PassSettings};
use crate::passes;
use smtlib::Store;

/// Useful passes before a search for a satisfying assignment (Liew, Cadar, Donaldson and Stinnett, "Just fuzz it", 2019, section 3.1,
/// plus solved equations and unconstrained terms): separate constraints, propagated values, no duplicates, one slot for equal terms.
pub const BEFORE_SEARCH: &[&str] = &[
    "and-hoisting",
    "simplify",
    "and-hoisting",
    "propagate-values",
    "extract-equalities",
    "solve-eqs",
    "elim-duplicates",
    "contradiction",
    "elim-true",
];

/// Runs passes in order until the goal is decided. A pass that exceeds a limit or does not apply is skipped, and the goal before it is
/// kept.
/// Errors: [`PassError::Interrupted`], and [`PassError::NotApplicable`] for an unknown name.
pub fn run(store: &mut Store, names: &[&str], goal: Goal, settings: &PassSettings) -> Result<PassResult, PassError> {
    let mut step = PassResult { goal, converter: crate::ModelConverter::identity() };
    for name in names {
        settings.stop.check()?;
        let Some(pass) = passes::pass(name) else {
            return Err(PassError::NotApplicable(format!("there is no pass '{name}'")));
        };
        match pass.apply(store, step.goal.clone(), settings) {
            Ok(next) => step = PassResult { goal: next.goal, converter: step.converter.compose(&next.converter) },
            Err(PassError::TooLarge { .. } | PassError::NotApplicable(_)) => {}
            Err(error) => return Err(error),
        }
        if step.goal.status(store) != GoalStatus::Open {
            break;
        }
    }
    Ok(step)
}
