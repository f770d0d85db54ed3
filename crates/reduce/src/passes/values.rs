//! Passes that replace terms by values.

use super::{Grouping, MAX_TERMS, ReductionPass, View, by_level, levels};
use crate::plan::{ScriptEdit, roots, terms};
use rustc_hash::FxHashMap;
use semantics::domain::Domains;
use semantics::float::{Float, FloatFormat, RoundingMode};
use semantics::strings::SmtString;
use semantics::{Model, Value};
use smtlib::{Kind, Sort, SortId, Store, TermId};

/// Replaces Boolean terms by `true` or `false`, from the outside in.
///
/// Before: `(assert (and (or a b) (not (= x y))))`. After: `(assert (and true (not (= x y))))`. Under a witness the value is the term's
/// own, which keeps the truth; without one both are tried.
pub const TRUTH_VALUES: ReductionPass = ReductionPass {
    name: "truth_values",
    about: "replaces Boolean terms by true or false",
    group: Grouping::Halving,
    propose: truth_values,
};

/// Replaces terms by the plainest value of their sort: 0, the empty string, a zero vector.
///
/// Before: `(assert (= x (+ y (f z))))`. After: `(assert (= x 0))`.
pub const DEFAULTS: ReductionPass = ReductionPass {
    name: "defaults",
    about: "replaces terms by the plainest value",
    group: Grouping::Halving,
    propose: defaults,
};

/// Replaces terms by their values under the witness.
///
/// Before: `(assert (= x (+ y (f z))))` where the sum is 7. After: `(assert (= x 7))`.
pub const WITNESS_VALUES: ReductionPass = ReductionPass {
    name: "witness_values",
    about: "replaces terms by their witness value",
    group: Grouping::Halving,
    propose: witness_values,
};

/// Replaces single occurrences of terms where replacing all occurrences fails.
///
/// Before: `(assert (and p (or p q)))`. After: `(assert (and p true))`.
pub const OCCURRENCES: ReductionPass = ReductionPass {
    name: "occurrences",
    about: "replaces single occurrences",
    group: Grouping::Single,
    propose: occurrences,
};

fn truth_values(view: &mut View<'_>) -> Vec<Vec<ScriptEdit>> {
    let mut batches = Vec::new();
    for level in levels(view, MAX_TERMS) {
        let mut known = Vec::new();
        let (mut yes, mut no) = (Vec::new(), Vec::new());
        for t in level {
            if !is_replaceable(view.store, t) {
                continue;
            }
            match truth_value(view, t) {
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
fn truth_value(view: &mut View<'_>, t: TermId) -> Option<bool> {
    let values = view.values.as_mut()?;
    values.evaluator().truth(view.store, t)
}

fn defaults(view: &mut View<'_>) -> Vec<Vec<ScriptEdit>> {
    by_level(view, MAX_TERMS, |view, t| {
        let plain = if view.store.is_bool(t) { None } else { plainest(view.store, t) };
        plain.filter(|&plain| plain != t).map(|plain| ScriptEdit::Replace(t, plain))
    })
}

fn plainest(store: &mut Store, t: TermId) -> Option<TermId> {
    let sort = store.sort(t);
    super::literal(store, &plainest_value(store, sort)?, sort)
}

/// Returns the plainest value of a sort; `None` if none can be written.
pub(crate) fn plainest_value(store: &Store, sort: SortId) -> Option<Value> {
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

fn witness_values(view: &mut View<'_>) -> Vec<Vec<ScriptEdit>> {
    if view.values.is_none() {
        return Vec::new();
    }
    by_level(view, MAX_TERMS, |view, t| witness_literal(view, t).map(|literal| ScriptEdit::Replace(t, literal)))
}

/// Returns the value of a term as another term.
fn witness_literal(view: &mut View<'_>, t: TermId) -> Option<TermId> {
    if view.store.is_bool(t) || view.store.kind(t) == Kind::Constant {
        return None;
    }
    let value = view.values.as_mut()?.evaluator().eval(view.store, t).ok()?;
    let sort = view.store.sort(t);
    super::literal(view.store, &value, sort).filter(|&literal| literal != t)
}

fn occurrences(view: &mut View<'_>) -> Vec<Vec<ScriptEdit>> {
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
        let values = match truth_value(view, t) {
            Some(value) => vec![value],
            None => vec![true, false],
        };
        list.extend(values.into_iter().map(|v| view.store.bool(v)));
    } else {
        let sort = view.store.sort(t);
        let plain = plainest_value(view.store, sort);
        let own = view.values.as_mut().and_then(|v| v.evaluator().eval(view.store, t).ok());
        list.extend(plain.into_iter().chain(own).filter_map(|v| super::literal(view.store, &v, sort)));
    }
    let sort = view.store.sort(t);
    list.extend(view.store.args(t).iter().copied().filter(|&a| view.store.sort(a) == sort));
    list.dedup();
    list
}
