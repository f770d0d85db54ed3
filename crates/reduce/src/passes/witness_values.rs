//! Puts its value under the witness in the place of a term.
//!
//! Before: `(assert (= x (+ y (f z))))` where the sum is 7. After: `(assert (= x 7))`.

use super::{Group, MAX_TERMS, Pass, View};
use crate::plan::{Edit, levels};
use smtlib::{Kind, TermId};

/// The pass.
pub const PASS: Pass =
    Pass { name: "witness_values", about: "replaces terms by their witness value", group: Group::Halving, propose };

fn propose(view: &mut View<'_>) -> Vec<Vec<Edit>> {
    if view.values.is_none() {
        return Vec::new();
    }
    let mut batches = Vec::new();
    let mut looked_at = 0;
    for level in levels(view.store, view.script) {
        looked_at += level.len();
        if looked_at > MAX_TERMS {
            break;
        }
        let mut edits = Vec::new();
        for t in level {
            if let Some(literal) = literal(view, t) {
                edits.push(Edit::Replace(t, literal));
            }
        }
        batches.push(edits);
    }
    batches
}

/// The value of a term that is none itself, as a term.
fn literal(view: &mut View<'_>, t: TermId) -> Option<TermId> {
    if view.store.is_bool(t) || view.store.kind(t) == Kind::Constant {
        return None;
    }
    let value = view.values.as_mut()?.evaluator().eval(view.store, t).ok()?;
    let sort = view.store.sort(t);
    super::literal(view.store, &value, sort).filter(|&literal| literal != t)
}
