//! The name of the smallest logic that covers a goal.

use super::{Features, ProbedGoal, difference};
use rewrite::Goal;
use smtlib::logic;
use smtlib::{Command, Sort, SortId, Store, TermId};

/// Returns the standard logic of a goal, or `ALL`: by its terms' needs, whatever the input's logic is.
pub fn logic_of(store: &Store, goal: &Goal) -> String {
    named(store, goal, Features::of(store, goal), difference::is_difference)
}

/// Returns the standard logic in which a goal can be printed with these declarations, or `ALL`: solvers reject sorts of another logic
/// even if unused, arrays with sorts outside of its arrays, and differences that are not written as such.
pub fn logic_to_print(store: &Store, goal: &Goal, declarations: &[Command]) -> String {
    let mut features = Features::of(store, goal);
    features.declare(store, declarations);
    let needs = features.needs();
    if !features.array_sorts.iter().all(|&sort| has_arrays(store, needs, sort)) {
        return "ALL".to_string();
    }
    let terms: Vec<TermId> = goal.terms().collect();
    // A solver may reject what it would normalise to a difference.
    let is_written_as_difference = || logic::of_terms(store, &terms) & logic::SUMS == 0;
    named(store, goal, features, |seen| is_written_as_difference() && difference::is_difference(seen))
}

/// Whether the logic of these needs has arrays of this sort. Each logic has those of its declaration: over free sorts, over bit-vectors
/// and floats, or from integers to integers; with reals also to reals and to arrays of reals.
fn has_arrays(store: &Store, needs: u32, sort: SortId) -> bool {
    let Sort::Array(index, element) = *store.sorts.get(sort) else { return false };
    let is_free = |sort| matches!(store.sorts.get(sort), Sort::Uninterpreted(..));
    let is_word = |sort| matches!(store.sorts.get(sort), Sort::BitVec(_) | Sort::Float { .. });
    let is_matrix = |sort| *store.sorts.get(sort) == Sort::Array(SortId::INT, SortId::REAL);
    let words = needs & (logic::BITVECTORS | logic::FLOATS) != 0;
    let numbers = needs & (logic::INTEGERS | logic::REALS) != 0;
    match (words, numbers, needs & logic::DATATYPES != 0) {
        (false, false, false) => {
            let is_nested = matches!(store.sorts.get(element), Sort::Array(..));
            is_free(index) && (is_free(element) || is_nested && has_arrays(store, needs, element))
        }
        (true, false, false) => is_word(index) && is_word(element),
        (false, true, false) => {
            index == SortId::INT && (matches!(element, SortId::INT | SortId::REAL) || is_matrix(element))
        }
        _ => false,
    }
}

fn named(store: &Store, goal: &Goal, features: Features, is_difference: impl Fn(&ProbedGoal<'_>) -> bool) -> String {
    let seen = ProbedGoal { store, goal, features };
    let needs = seen.features.needs();
    // Whether numbers are only compared by their differences matters only without other theories.
    let sums = matches!(needs, logic::INTEGERS | logic::REALS) && !is_difference(&seen);
    logic::name(needs | if sums { logic::SUMS } else { 0 })
}
