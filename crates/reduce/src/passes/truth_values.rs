//! Puts `true` or `false` in the place of Boolean terms, from the outside in.
//!
//! Before: `(assert (and (or a b) (not (= x y))))`. After: `(assert (and true (not (= x y))))`. Under a witness the value is
//! the term's own, so that the truth stands; without one both are tried.

use super::{Grouping, MAX_TERMS, Pass, View, levels};
use crate::plan::Edit;
use smtlib::{Kind, Store, TermId};

/// The pass.
pub const PASS: Pass =
    Pass { name: "truth_values", about: "replaces Boolean terms by true or false", group: Grouping::Halving, propose };

fn propose(view: &mut View<'_>) -> Vec<Vec<Edit>> {
    let mut batches = Vec::new();
    for level in levels(view, MAX_TERMS) {
        let mut known = Vec::new();
        let (mut yes, mut no) = (Vec::new(), Vec::new());
        for t in level {
            if !is_replaceable(view.store, t) {
                continue;
            }
            match value(view, t) {
                Some(value) => known.push(Edit::Replace(t, view.store.bool(value))),
                None => {
                    yes.push(Edit::Replace(t, view.store.bool(true)));
                    no.push(Edit::Replace(t, view.store.bool(false)));
                }
            }
        }
        batches.extend([known, yes, no]);
    }
    batches
}

fn is_replaceable(store: &Store, t: TermId) -> bool {
    store.is_bool(t) && !matches!(store.kind(t), Kind::True | Kind::False)
}

/// The truth value under the witness.
pub(crate) fn value(view: &mut View<'_>, t: TermId) -> Option<bool> {
    let values = view.values.as_mut()?;
    values.evaluator().truth(view.store, t)
}
