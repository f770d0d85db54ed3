//! Replaces Boolean terms by `true` or `false`, from the outside in.
//!
//! Before: `(assert (and (or a b) (not (= x y))))`. After: `(assert (and true (not (= x y))))`. Under a witness the value is the term's
//! own, which keeps the truth; without one both are tried.

use super::{Grouping, MAX_TERMS, ReductionPass, View, levels};
use crate::plan::ScriptEdit;
use smtlib::{Kind, Store, TermId};

/// The pass.
pub const PASS: ReductionPass = ReductionPass {
    name: "truth_values",
    about: "replaces Boolean terms by true or false",
    group: Grouping::Halving,
    propose,
};

fn propose(view: &mut View<'_>) -> Vec<Vec<ScriptEdit>> {
    let mut batches = Vec::new();
    for level in levels(view, MAX_TERMS) {
        let mut known = Vec::new();
        let (mut yes, mut no) = (Vec::new(), Vec::new());
        for t in level {
            if !is_replaceable(view.store, t) {
                continue;
            }
            match value(view, t) {
                Some(value) => known.push(ScriptEdit::Replace(t, view.store.bool(value))),
                None => {
                    yes.push(ScriptEdit::Replace(t, view.store.bool(true)));
                    no.push(ScriptEdit::Replace(t, view.store.bool(false)));
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

/// Returns the truth value under the witness.
pub(crate) fn value(view: &mut View<'_>, t: TermId) -> Option<bool> {
    let values = view.values.as_mut()?;
    values.evaluator().truth(view.store, t)
}
