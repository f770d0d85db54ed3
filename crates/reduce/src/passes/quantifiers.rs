//! Simplifies quantifiers: an instance of the body instead, fewer variables, no patterns, short names.
//!
//! Before: `(forall ((x Int) (y Int)) (! (p x) :pattern ((p x)) :qid k))`. After: `(p 0)`, or `(forall ((x Int)) (p x))`.

use super::functions::substituted;
use super::{Grouping, MAX_TERMS, ReductionPass, View, values};
use crate::plan::{ScriptEdit, terms};
use rustc_hash::FxHashMap;
use smtlib::free_vars::FreeVars;
use smtlib::{Binder, Kind, Store, Symbol, TermId};

/// The pass.
pub const PASS: ReductionPass =
    ReductionPass { name: "quantifiers", about: "makes quantifiers plainer", group: Grouping::Single, propose };

fn propose(view: &mut View<'_>) -> Vec<Vec<ScriptEdit>> {
    let mut free = FreeVars::default();
    let mut edits = Vec::new();
    for t in terms(view.store, view.script).into_iter().take(MAX_TERMS) {
        if matches!(view.store.kind(t), Kind::Forall | Kind::Exists) {
            let plainer = plainer(view.store, t, &mut free);
            edits.extend(plainer.into_iter().filter(|&p| p != t).map(|p| ScriptEdit::Replace(t, p)));
        }
    }
    vec![edits]
}

fn plainer(store: &mut Store, t: TermId, free: &mut FreeVars) -> Vec<TermId> {
    let Some(id) = store.op(t).binder() else { return Vec::new() };
    let (kind, binder, body) = (store.kind(t), store.binder(id).clone(), store.args(t)[0]);
    let bare =
        |vars: Vec<_>| Binder { vars: vars.into(), patterns: [].into(), no_patterns: 0, qid: None, weight: None };
    let names = free.of(store, body);
    let mut list = Vec::new();
    let mut quantified = |store: &mut Store, vars: Vec<_>, body: TermId| {
        if vars.is_empty() {
            list.push(body);
        } else {
            list.extend(store.bind(kind, bare(vars), &[body]).ok());
        }
    };
    // First every variable set to a plain value; then each alone; then unused ones dropped.
    let values: FxHashMap<Symbol, TermId> = binder.vars.iter().filter_map(|&(v, s)| plain(store, v, s)).collect();
    if values.len() == binder.vars.len() {
        let instance = substituted(store, body, &values);
        quantified(store, Vec::new(), instance);
    }
    for (n, &(v, s)) in binder.vars.iter().enumerate() {
        let mut vars = binder.vars.to_vec();
        vars.remove(n);
        if !names.contains(&v) {
            quantified(store, vars, body);
        } else if let Some((v, value)) = plain(store, v, s) {
            let instance = substituted(store, body, &[(v, value)].into_iter().collect());
            quantified(store, vars, instance);
        }
    }
    quantified(store, binder.vars.to_vec(), body);
    renamed(store, &binder, body, &names, &mut quantified);
    list
}

/// Renames the variables to one letter each.
fn renamed(
    store: &mut Store,
    binder: &Binder,
    body: TermId,
    names: &[Symbol],
    quantified: &mut impl FnMut(&mut Store, Vec<(Symbol, smtlib::SortId)>, TermId),
) {
    let mut letters = ('a'..='z').map(|c| c.to_string());
    let mut values = FxHashMap::default();
    let mut vars = Vec::new();
    for &(v, sort) in &binder.vars {
        // A letter that is free in the body would be captured.
        let Some(letter) = letters.by_ref().find(|l| store.symbols.get(l).is_none_or(|s| !names.contains(&s))) else {
            return;
        };
        let (symbol, variable) = store.named_variable(&letter, sort);
        values.insert(v, variable);
        vars.push((symbol, sort));
    }
    let body = substituted(store, body, &values);
    quantified(store, vars, body);
}

fn plain(store: &mut Store, v: Symbol, sort: smtlib::SortId) -> Option<(Symbol, TermId)> {
    let value = values::plainest_value(store, sort)?;
    Some((v, super::literal(store, &value, sort)?))
}
