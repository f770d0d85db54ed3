//! Replaces single occurrences of terms where replacing all occurrences fails.
//!
//! Before: `(assert (and p (or p q)))`. After: `(assert (and p true))`.

use super::{Grouping, MAX_TERMS, ReductionPass, View, defaults, literal, truth_values};
use crate::plan::{ScriptEdit, roots, terms};
use rustc_hash::FxHashMap;
use smtlib::{Kind, TermId};

/// The pass.
pub const PASS: ReductionPass =
    ReductionPass { name: "occurrences", about: "replaces single occurrences", group: Grouping::Single, propose };

fn propose(view: &mut View<'_>) -> Vec<Vec<ScriptEdit>> {
    let all: Vec<TermId> = terms(view.store, view.script).into_iter().take(MAX_TERMS / 4).collect();
    let mut counts: FxHashMap<TermId, u32> = FxHashMap::default();
    for t in roots(view.store, view.script) {
        *counts.entry(t).or_default() += 1;
    }
    for &t in &all {
        for &a in view.store.args(t) {
            *counts.entry(a).or_default() += 1;
        }
    }
    let mut edits = Vec::new();
    for &t in &all {
        for (n, a) in view.store.args(t).to_vec().into_iter().enumerate() {
            if counts.get(&a).copied().unwrap_or(0) > 1 {
                let others = replacements(view, a);
                edits.extend(others.into_iter().filter(|&o| o != a).map(|o| ScriptEdit::Argument(t, n as u32, o)));
            }
        }
    }
    vec![edits]
}

/// Returns replacements for one occurrence: a truth value, or the plainest and its own value, and children of the same sort.
fn replacements(view: &mut View<'_>, t: TermId) -> Vec<TermId> {
    let mut list = Vec::new();
    if view.store.is_bool(t) {
        if matches!(view.store.kind(t), Kind::True | Kind::False) {
            return list;
        }
        let values = match truth_values::value(view, t) {
            Some(value) => vec![value],
            None => vec![true, false],
        };
        list.extend(values.into_iter().map(|v| view.store.bool(v)));
    } else {
        let sort = view.store.sort(t);
        let plain = defaults::value(view.store, sort);
        let own = view.values.as_mut().and_then(|v| v.evaluator().eval(view.store, t).ok());
        list.extend(plain.into_iter().chain(own).filter_map(|v| literal(view.store, &v, sort)));
    }
    let sort = view.store.sort(t);
    list.extend(view.store.args(t).iter().copied().filter(|&a| view.store.sort(a) == sort));
    list.dedup();
    list
}
