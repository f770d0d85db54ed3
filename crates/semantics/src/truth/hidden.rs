//! What no symbol of a script stands for: the heap of separation logic, and the orders of z3.

use super::known::OpenTruth;
use super::{heaps, orders};
use rustc_hash::FxHashSet;
use smtlib::term::{HAS_BINDER, HAS_HIDDEN};
use smtlib::{Func, FuncBody, Op, Store, TermId};
use std::borrow::Cow;

/// Whether a term is about the heap or an order, also through definitions.
pub fn mentions_hidden(store: &Store, t: TermId) -> bool {
    store.flags(t) & HAS_HIDDEN != 0
}

/// Returns assertions over declared symbols for the heap and the orders that are satisfiable if and only if the given ones are: one for
/// each, then what holds of every heap and order.
/// Errors: [`OpenTruth::Hidden`] says what is too large, or not understood.
pub fn without_hidden<'t>(store: &mut Store, assertions: &'t [TermId]) -> Result<Cow<'t, [TermId]>, OpenTruth> {
    if !assertions.iter().any(|&t| mentions_hidden(store, t)) {
        return Ok(Cow::Borrowed(assertions));
    }
    match orders::without_orders(store, assertions)? {
        Cow::Borrowed(_) => heaps::without_heap(store, assertions),
        plain => Ok(plain),
    }
}

/// Returns the body, at a call's arguments, of a definition that is about the heap or an order.
pub(super) fn unfolded(store: &mut Store, t: TermId) -> Option<TermId> {
    let Func { params, body: FuncBody::Defined { vars, body }, .. } = store.func(store.applied(t)?).clone() else {
        return None;
    };
    let captures = store.flags(body) & HAS_BINDER != 0 && !vars.is_empty();
    if !mentions_hidden(store, body) || captures || store.sort(body) != store.sort(t) {
        return None;
    }
    let args = store.args(t).to_vec();
    let variables = vars.iter().zip(&params).map(|(&name, &sort)| store.bound_variable(name, sort));
    let map = variables.zip(args).collect();
    Some(store.replace(body, &map))
}

/// Returns what `look` finds in the first operator of these terms and their definitions that is about the heap or an order.
pub(super) fn first_of<T>(store: &Store, roots: &[TermId], look: impl Fn(Op) -> Option<T>) -> Option<T> {
    let (mut open, mut seen) = (roots.to_vec(), FxHashSet::default());
    while let Some(t) = open.pop() {
        if !mentions_hidden(store, t) || !seen.insert(t) {
            continue;
        }
        let op = store.op(t);
        if let Some(found) = look(op) {
            return Some(found);
        }
        open.extend_from_slice(store.args(t));
        open.extend(op.func().and_then(|f| store.func(f).definition()).map(|(_, body)| body));
    }
    None
}
