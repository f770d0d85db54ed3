//! Expands calls of defined functions.

use crate::settings::{PassError, PassSettings};
use crate::walk::{Rebuild, visit};
use rustc_hash::{FxHashMap, FxHashSet};
use smtlib::free_vars::FreeVars;
use smtlib::term::{HAS_BINDER, HAS_VARIABLE};
use smtlib::{FuncBody, FuncId, Store, Symbol, TermId};

/// Returns the terms with every call of a function given by `define-fun` replaced by its body.
///
/// A call stays if the body binds variables that could capture an argument, as do calls of recursive functions: [`hidden_symbols`]
/// returns the symbols in such bodies.
/// Errors: [`PassError::TooLarge`] when the expansion has more terms than the settings allow, [`PassError::Interrupted`].
pub fn expand(store: &mut Store, terms: &[TermId], settings: &PassSettings) -> Result<Vec<TermId>, PassError> {
    let mut calls = called(store, terms);
    if calls.is_empty() {
        return Ok(terms.to_vec());
    }
    // A body was made before its function, so in ascending order every body's own calls come before it.
    calls.sort_unstable();
    let mut watch = settings.watch(store);
    let mut bodies: FxHashMap<FuncId, (Box<[Symbol]>, TermId)> = FxHashMap::default();
    let mut free = FreeVars::default();
    let mut rebuild = Rebuild::default();
    let mut run = |store: &mut Store, t, bodies: &FxHashMap<FuncId, (Box<[Symbol]>, TermId)>| {
        let mut inner = settings.watch(store);
        rebuild.run(store, t, &mut watch, |store, u| {
            let body = store.applied(u).and_then(|f| bodies.get(&f));
            match body {
                Some((vars, body)) => instantiate(store, u, vars, *body, &mut free, &mut inner),
                None => Ok(u),
            }
        })
    };
    for f in calls {
        let FuncBody::Defined { vars, body } = store.func(f).body.clone() else { continue };
        let body = run(store, body, &bodies)?;
        bodies.insert(f, (vars, body));
    }
    terms.iter().map(|&t| run(store, t, &bodies)).collect()
}

/// Returns the symbols in bodies of remaining calls. A pass must not change what it cannot see.
pub fn hidden_symbols(store: &Store, terms: impl IntoIterator<Item = TermId>) -> FxHashSet<FuncId> {
    let mut hidden = FxHashSet::default();
    let mut entered = FxHashSet::default();
    let mut pending = Vec::new();
    visit(store, terms, |t| pending.extend(store.op(t).func().and_then(|f| body_of(store, f, &mut entered))));
    while let Some(body) = pending.pop() {
        visit(store, [body], |t| {
            if let Some(f) = store.op(t).func() {
                hidden.insert(f);
                pending.extend(body_of(store, f, &mut entered));
            }
        });
    }
    hidden
}

/// Returns the body of a defined function that was not entered before.
fn body_of(store: &Store, f: FuncId, entered: &mut FxHashSet<FuncId>) -> Option<TermId> {
    let (_, body) = store.func(f).definition()?;
    entered.insert(f).then_some(body)
}

/// Returns the `define-fun` functions called in the terms, or in their bodies.
fn called(store: &Store, terms: &[TermId]) -> Vec<FuncId> {
    let mut found = FxHashSet::default();
    let mut pending = terms.to_vec();
    while !pending.is_empty() {
        let roots = std::mem::take(&mut pending);
        visit(store, roots, |t| {
            let Some(f) = store.applied(t) else { return };
            if let FuncBody::Defined { body, .. } = store.func(f).body
                && found.insert(f)
            {
                pending.push(body);
            }
        });
    }
    found.into_iter().collect()
}

/// Replaces the parameters by a call's arguments, or returns the call itself if a binder of the body could capture.
fn instantiate(
    store: &mut Store,
    call: TermId,
    vars: &[Symbol],
    body: TermId,
    free: &mut FreeVars,
    watch: &mut crate::settings::PassMeter<'_>,
) -> Result<TermId, PassError> {
    // A parametric function's body is at the parameters' sorts, not at the call's.
    let fits = store.sort(body) == store.sort(call);
    if !fits || store.args(call).len() != vars.len() {
        return Ok(call);
    }
    if vars.is_empty() {
        return Ok(body);
    }
    if store.flags(body) & HAS_BINDER != 0 {
        let open = store.args(call).iter().any(|&a| store.flags(a) & HAS_VARIABLE != 0 && !free.is_closed(store, a));
        if open || rebinds(store, body, vars) {
            return Ok(call);
        }
    }
    let args = store.args(call).to_vec();
    let mut rebuild = Rebuild::default();
    rebuild.run(store, body, watch, |store, u| {
        let place = store.variable(u).and_then(|v| vars.iter().position(|&p| p == v));
        Ok(place.map_or(u, |n| args[n]))
    })
}

/// Whether a binder in `body` binds one of the names.
fn rebinds(store: &Store, body: TermId, names: &[Symbol]) -> bool {
    let mut found = false;
    visit(store, [body], |t| {
        let op = store.op(t);
        if let Some(binder) = op.binder() {
            found |= store.binder(binder).vars.iter().any(|v| names.contains(&v.0));
        }
        if let Some(cases) = op.cases() {
            found |= store.cases(cases).iter().any(|c| c.vars.iter().flatten().any(|v| names.contains(v)));
        }
    });
    found
}
