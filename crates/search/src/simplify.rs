//! Simplification before search, by the passes of strategies, and lowering of the result.

use crate::lower::{LowerError, Lowered, lower};
use rewrite::passes::solve_eqs::ENCODINGS;
use rewrite::pipeline::{self, BEFORE_SEARCH};
use rewrite::{Goal, GoalStatus, ModelConverter, PassError, PassSettings, Stop, Wants};
use smtlib::{Store, TermId};

/// The result of simplification.
pub enum Simplified {
    /// A program whose models, converted, are models of the formula.
    Open {
        /// The program with the meaning of its slots.
        lowered: Box<Lowered>,
        /// The model conversion.
        converter: ModelConverter,
    },
    /// A formula is false.
    Refuted {
        /// The indices of sufficient assertions, ascending.
        assertions: Vec<usize>,
    },
}

/// The allowed loss.
#[derive(Clone, Copy, PartialEq, Eq)]
enum SimplifyEffort {
    /// Models with an unusual encoding of NaN. Then a refutation does not refute the formula, and nothing is known about the assertions
    /// involved.
    Search,
    /// Nothing.
    Refute,
}

/// Simplifies assertions and lowers them.
/// Errors: [`LowerError`] for what cannot be searched, and when the time is up.
pub fn simplify(store: &mut Store, assertions: &[TermId], stop: &Stop) -> Result<Simplified, LowerError> {
    match attempt(store, assertions, SimplifyEffort::Search, stop)? {
        Simplified::Refuted { .. } => attempt(store, assertions, SimplifyEffort::Refute, stop),
        open => Ok(open),
    }
}

fn attempt(
    store: &mut Store,
    assertions: &[TermId],
    effort: SimplifyEffort,
    stop: &Stop,
) -> Result<Simplified, LowerError> {
    let mut settings = PassSettings { stop: stop.clone(), ..PassSettings::default() };
    settings.params.set(&ENCODINGS, u64::from(effort == SimplifyEffort::Search));
    // Origins are expensive, and most formulas are not refuted.
    let wants = if effort == SimplifyEffort::Search { Wants::MODELS } else { Wants::ALL };
    let goal = Goal::of(store, assertions, wants, &settings).map_err(stopped)?;
    let step = pipeline::run(store, BEFORE_SEARCH, goal, &settings).map_err(stopped)?;
    if step.goal.status(store) == GoalStatus::Unsat {
        return Ok(Simplified::Refuted { assertions: numbers(&step.goal.origins()) });
    }
    let formulas: Vec<TermId> = step.goal.terms().collect();
    let lowered = lower(store, &formulas, stop)?;
    Ok(match lowered.contradiction {
        Some(formula) => Simplified::Refuted { assertions: numbers(&step.goal.formulas()[formula].origins) },
        None => Simplified::Open { lowered: Box::new(lowered), converter: step.converter },
    })
}

fn numbers(origins: &rewrite::Origins) -> Vec<usize> {
    origins.indices().into_iter().map(|n| n as usize).collect()
}

/// Simplification ends early at a limit; a pass that does not apply is not an error of the pipeline.
fn stopped(error: PassError) -> LowerError {
    match error {
        PassError::Interrupted => LowerError::Interrupted,
        _ => LowerError::TooLarge,
    }
}
