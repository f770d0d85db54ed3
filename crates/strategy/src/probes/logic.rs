//! The name of the smallest standard logic that a goal fits.

use super::Features;
use super::difference;
use rewrite::Goal;
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

fn named(store: &Store, goal: &Goal, features: Features, is_difference: impl Fn(&super::Seen<'_>) -> bool) -> String {
    if features.others || (features.strings && (features.arrays || features.bitvectors || features.floats)) {
        return "ALL".to_string();
    }
    let mut name = String::new();
    if !features.binders {
        name.push_str("QF_");
    }
    let seen = super::Seen { store, goal, features };
    let features = &seen.features;
    let alone = !(features.arrays
        || features.functions
        || features.free_sorts
        || features.bitvectors
        || features.floats
        || features.datatypes
        || features.strings);
    if alone && !features.binders && (features.ints != features.reals) && is_difference(&seen) {
        return if features.ints { "QF_IDL" } else { "QF_RDL" }.to_string();
    }
    let before = name.len();
    if features.arrays {
        name.push('A');
    }
    // The logics of arrays have sorts of their own.
    if features.functions || (features.free_sorts && !features.arrays) {
        name.push_str("UF");
    }
    if features.bitvectors {
        name.push_str("BV");
    }
    if features.floats {
        name.push_str("FP");
    }
    if features.datatypes {
        name.push_str("DT");
    }
    if features.strings {
        name.push('S');
    }
    if features.ints || features.reals {
        name.push(if features.is_linear() { 'L' } else { 'N' });
        name.push_str(match (features.ints, features.reals) {
            (true, true) => "IRA",
            (true, false) => "IA",
            _ => "RA",
        });
    }
    match name.len() - before {
        // Booleans alone are a part of the logic of uninterpreted functions.
        0 => name.push_str("UF"),
        1 if features.arrays => name.push('X'),
        _ => {}
    }
    name
}
