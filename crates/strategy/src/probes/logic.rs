//! The name of the smallest logic that a goal fits.

use super::{Features, ProbedGoal, difference};
use rewrite::Goal;
use smtlib::logic;
use smtlib::{Command, Store};

/// The standard logic of a goal, `ALL` where there is none: what its terms need, whatever its input calls itself.
pub fn logic_of(store: &Store, goal: &Goal) -> String {
    named(store, goal, Features::of(store, goal), difference::is_difference)
}

/// The standard logic that a goal can be printed in beside these declarations: solvers refuse sorts of another logic even where
/// they are not used, and differences that are written as sums.
pub fn logic_to_print(store: &Store, goal: &Goal, declarations: &[Command]) -> String {
    let mut features = Features::of(store, goal);
    features.declare(store, declarations);
    named(store, goal, features, |seen| difference::is_written_as_difference(seen) && difference::is_difference(seen))
}

fn named(store: &Store, goal: &Goal, features: Features, is_difference: impl Fn(&ProbedGoal<'_>) -> bool) -> String {
    let seen = ProbedGoal { store, goal, features };
    let needs = seen.features.needs();
    // Whether numbers are only compared by their differences matters where there is nothing else.
    let sums = matches!(needs, logic::INTEGERS | logic::REALS) && !is_difference(&seen);
    logic::name(needs | if sums { logic::SUMS } else { 0 })
}
