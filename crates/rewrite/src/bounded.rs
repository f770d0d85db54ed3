//! Finds the bounds that the formulas of a goal give to numbers.

use crate::goal::Goal;
use crate::interval::{Bounds, Limit};
use crate::linear::Linear;
use rustc_hash::{FxHashMap, FxHashSet};
use smtlib::{Kind, SortId, Store, TermId};

/// Returns the terms, including variables, with a constant lower bound, and those with an upper bound.
pub fn bounded(store: &Store, goal: &Goal) -> (FxHashSet<TermId>, FxHashSet<TermId>) {
    let all = bounds(store, goal);
    let having = |end: fn(&Bounds) -> bool| all.iter().filter(|(_, b)| end(b)).map(|(&t, _)| t).collect();
    (having(|b| b.lower.is_some()), having(|b| b.upper.is_some()))
}

/// Returns the bounds of terms: an atom with a constant on one side bounds the other side.
pub fn bounds(store: &Store, goal: &Goal) -> FxHashMap<TermId, Bounds> {
    let mut all: FxHashMap<TermId, Bounds> = FxHashMap::default();
    for formula in goal.formulas() {
        let t = formula.term;
        let (atom, positive) = if store.kind(t) == Kind::Not { (store.args(t)[0], false) } else { (t, true) };
        let &[a, b] = store.args(atom) else { continue };
        // Whether the first is the smaller one, and whether they may be equal.
        let (small_first, or_equal) = match store.kind(atom) {
            Kind::IntLe | Kind::RealLe => (positive, positive),
            Kind::IntLt | Kind::RealLt => (positive, !positive),
            Kind::IntGe | Kind::RealGe => (!positive, positive),
            Kind::IntGt | Kind::RealGt => (!positive, !positive),
            Kind::Eq if positive && matches!(store.sort(a), SortId::INT | SortId::REAL) => (true, true),
            _ => continue,
        };
        let is_equation = store.kind(atom) == Kind::Eq;
        let integral = store.sort(a) == SortId::INT;
        for (x, other, is_small) in [(a, b, small_first), (b, a, !small_first)] {
            let number = Linear::of(store, other);
            if !number.monomials.is_empty() {
                continue;
            }
            let limit = Limit { value: number.constant, strict: !or_equal, origins: formula.origins.clone() };
            let known = all.entry(x).or_default();
            if is_small || is_equation {
                known.lower_to(limit.clone(), integral);
            }
            if !is_small || is_equation {
                known.raise_to(limit, integral);
            }
        }
    }
    all
}
