//! Inlines definitions, and drops those that are no longer used.
//!
//! Before: `(define-fun f ((x Int)) Int (+ x 1))(assert (= (f y) 3))`. After: `(assert (= (+ y 1) 3))`.

use super::{Grouping, MAX_TERMS, ReductionPass, View};
use crate::plan::{ScriptEdit, terms};
use rustc_hash::FxHashMap;
use smtlib::term::{HAS_BINDER, HAS_VARIABLE};
use smtlib::{FuncBody, Store, Symbol, TermId};

/// The pass.
pub const PASS: ReductionPass =
    ReductionPass { name: "definitions", about: "inlines definitions", group: Grouping::Halving, propose };

fn propose(view: &mut View<'_>) -> Vec<Vec<ScriptEdit>> {
    let mut edits = Vec::new();
    for t in terms(view.store, view.script).into_iter().take(MAX_TERMS) {
        if let Some(body) = inlined(view.store, t) {
            edits.push(ScriptEdit::Replace(t, body));
        }
    }
    vec![edits]
}

/// Returns the body of the function that `t` applies, with its arguments. `None` if a binder might capture a variable.
fn inlined(store: &mut Store, t: TermId) -> Option<TermId> {
    let f = store.applied(t)?;
    let FuncBody::Defined { vars, body } = store.func(f).body.clone() else { return None };
    let args = store.args(t).to_vec();
    let open = args.iter().any(|&a| store.flags(a) & HAS_VARIABLE != 0);
    if open && store.flags(body) & HAS_BINDER != 0 {
        return None;
    }
    let values: FxHashMap<Symbol, TermId> = vars.iter().copied().zip(args).collect();
    Some(substituted(store, body, &values))
}

/// Replaces variables of `body` by name, where the sorts agree.
pub(crate) fn substituted(store: &mut Store, body: TermId, values: &FxHashMap<Symbol, TermId>) -> TermId {
    store.rebuild(body, |store, u| {
        let value = *values.get(&store.variable(u)?)?;
        (store.sort(value) == store.sort(u)).then_some(value)
    })
}
