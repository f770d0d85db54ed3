//! Passes one after the other, by name.

use crate::goal::{Goal, GoalStatus};
use crate::pass::{PassError, PassResult, PassSettings};
use crate::passes;
use smtlib::Store;

/// What is worth doing before a search for a satisfying assignment (Liew, Cadar, Donaldson and Stinnett, "Just fuzz it", 2019,
/// section 3.1, with solved equations and unconstrained terms besides): constraints apart, values in place, nothing twice,
/// one slot for what is equal.
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

/// Runs passes in order until the goal is decided. A pass that fails for its size or does not apply is passed over: the goal
/// before it is as good.
///
/// # Errors
/// [`PassError::Interrupted`], and [`PassError::NotApplicable`] for a name that is no pass's.
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
