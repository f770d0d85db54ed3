//! Replaces terms by their values under the witness.
//!
//! Before: `(assert (= x (+ y (f z))))` where the sum is 7. After: `(assert (= x 7))`.

use super::{Grouping, MAX_TERMS, ReductionPass, View, by_level};
use crate::plan::ScriptEdit;
use smtlib::{Kind, TermId};

/// The pass.
pub const PASS: ReductionPass = ReductionPass {
    name: "witness_values",
    about: "replaces terms by their witness value",
    group: Grouping::Halving,
    propose,
};

fn propose(view: &mut View<'_>) -> Vec<Vec<ScriptEdit>> {
    if view.values.is_none() {
        return Vec::new();
    }
    by_level(view, MAX_TERMS, |view, t| literal(view, t).map(|literal| ScriptEdit::Replace(t, literal)))
}

/// Returns the value of a term as another term.
fn literal(view: &mut View<'_>, t: TermId) -> Option<TermId> {
    if view.store.is_bool(t) || view.store.kind(t) == Kind::Constant {
        return None;
    }
    let value = view.values.as_mut()?.evaluator().eval(view.store, t).ok()?;
    let sort = view.store.sort(t);
    super::literal(view.store, &value, sort).filter(|&literal| literal != t)
}
