//! Passes that eliminate symbols round by round, until a round finds none.

use crate::converter::{Conversion, ModelConverter};
use crate::definitions::hidden_symbols;
use crate::goal::{Goal, GoalStatus};
use crate::pass::{PassError, PassMeter, PassResult, PassSettings};
use rustc_hash::FxHashSet;
use smtlib::{FuncId, Store};

/// One round: returns the goal without the symbols for which it adds conversions. Symbols in the set must stay.
pub type EliminationRound =
    fn(&mut Store, Goal, &FxHashSet<FuncId>, &mut Vec<Conversion>, &mut PassMeter<'_>) -> Result<Goal, PassError>;

/// Runs rounds to a fixed point, a decided goal, or the limit of rounds. Symbols with uses hidden in definitions are kept.
/// Errors: the error of the first round that fails.
pub fn eliminate(
    store: &mut Store,
    mut goal: Goal,
    settings: &PassSettings,
    round: EliminationRound,
) -> Result<PassResult, PassError> {
    let mut watch = settings.watch(store);
    let frozen = hidden_symbols(store, goal.terms());
    let mut conversions = Vec::new();
    for _ in 0..settings.limits.rounds {
        let found = conversions.len();
        goal = round(store, goal, &frozen, &mut conversions, &mut watch)?;
        if conversions.len() == found || goal.status(store) != GoalStatus::Open {
            break;
        }
    }
    Ok(PassResult::with(goal, ModelConverter::new(conversions)))
}
