//! Replaces terms by the plainest value of their sort: 0, the empty string, a zero vector.
//!
//! Before: `(assert (= x (+ y (f z))))`. After: `(assert (= x 0))`.

use super::{Grouping, MAX_TERMS, ReductionPass, View, by_level};
use crate::plan::ScriptEdit;
use semantics::domain::Domains;
use semantics::float::{Float, FloatFormat, RoundingMode};
use semantics::strings::SmtString;
use semantics::{Model, Value};
use smtlib::{Sort, SortId, Store, TermId};

/// The pass.
pub const PASS: ReductionPass = ReductionPass {
    name: "defaults",
    about: "replaces terms by the plainest value",
    group: Grouping::Halving,
    propose,
};

fn propose(view: &mut View<'_>) -> Vec<Vec<ScriptEdit>> {
    by_level(view, MAX_TERMS, |view, t| {
        let plain = if view.store.is_bool(t) { None } else { plainest(view.store, t) };
        plain.filter(|&plain| plain != t).map(|plain| ScriptEdit::Replace(t, plain))
    })
}

fn plainest(store: &mut Store, t: TermId) -> Option<TermId> {
    let sort = store.sort(t);
    super::literal(store, &value(store, sort)?, sort)
}

/// Returns the plainest value of a sort; `None` if none can be written.
pub(crate) fn value(store: &Store, sort: SortId) -> Option<Value> {
    Some(match store.sorts.get(sort) {
        Sort::Bool => Value::Bool(false),
        Sort::Int => Value::Int(0.into()),
        Sort::Real => Value::real(0.into()),
        Sort::String => Value::String(SmtString::empty()),
        Sort::RoundingMode => Value::RoundingMode(RoundingMode::Rne),
        Sort::BitVec(width) => Value::bitvec(*width, 0u8.into()),
        Sort::Float { eb, sb } => Value::Float(Float::zero(FloatFormat::new(*eb, *sb).ok()?, false)),
        Sort::Uninterpreted(..) => return None,
        _ => return Domains { store, model: &Model::new() }.any(sort),
    })
}
