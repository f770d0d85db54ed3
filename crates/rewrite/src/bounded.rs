//! Which numbers the formulas of a goal bound.

use crate::goal::Goal;
use crate::linear::Linear;
use rustc_hash::FxHashSet;
use smtlib::{Kind, SortId, Store, TermId};

/// The terms, variables among them, that a formula of the goal bounds by a constant from below, and from above.
pub fn bounded(store: &Store, goal: &Goal) -> (FxHashSet<TermId>, FxHashSet<TermId>) {
    let (mut below, mut above) = (FxHashSet::default(), FxHashSet::default());
    for t in goal.terms() {
        let (atom, positive) = if store.kind(t) == Kind::Not { (store.args(t)[0], false) } else { (t, true) };
        let args = store.args(atom);
        let small_first = match store.kind(atom) {
            Kind::IntLe | Kind::IntLt | Kind::RealLe | Kind::RealLt => true,
            Kind::IntGe | Kind::IntGt | Kind::RealGe | Kind::RealGt => false,
            Kind::Eq if positive && args.len() == 2 && matches!(store.sort(args[0]), SortId::INT | SortId::REAL) => {
                for (x, other) in [(args[0], args[1]), (args[1], args[0])] {
                    if Linear::of(store, other).monomials.is_empty() {
                        below.insert(x);
                        above.insert(x);
                    }
                }
                continue;
            }
            _ => continue,
        };
        let &[a, b] = args else { continue };
        for (x, other, is_small) in [(a, b, small_first == positive), (b, a, small_first != positive)] {
            if Linear::of(store, other).monomials.is_empty() {
                if is_small {
                    above.insert(x)
                } else {
                    below.insert(x)
                };
            }
        }
    }
    (below, above)
}
