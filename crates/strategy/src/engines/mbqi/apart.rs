//! Bound variables renamed apart, and quantifiers of one kind gathered: `∀x (p ∨ ∀y q)` becomes `∀x y (p ∨ q)`.

use rewrite::passes::nnf::normal_form;
use rewrite::walk::Rebuild;
use rewrite::{FreshSymbols, PassError, PassSettings};
use smtlib::decl::Binder;
use smtlib::term::HAS_BINDER;
use smtlib::{Kind, Store, Symbol, TermId};

/// A formula in negation normal form no two of whose quantifiers bind the same name, so that closed terms may be put for bound
/// variables without looking at what is bound inside.
///
/// # Errors
/// [`PassError::NotApplicable`] where something else than a quantifier binds, and those of the settings.
pub(super) fn apart(
    store: &mut Store,
    t: TermId,
    fresh: &mut FreshSymbols,
    settings: &PassSettings,
) -> Result<TermId, PassError> {
    if store.flags(t) & HAS_BINDER == 0 {
        return Ok(t);
    }
    let normal = normal_form(store, t, settings)?;
    let mut watch = settings.watch(store);
    let mut inner = settings.watch(store);
    Rebuild::default().run(store, normal, &mut watch, |store, u| match store.kind(u) {
        kind @ (Kind::Forall | Kind::Exists) => {
            let Some(binder) = store.op(u).binder() else { return Ok(u) };
            let vars = store.binder(binder).vars.clone();
            let mut rename = Rebuild::default();
            let mut renamed = Vec::with_capacity(vars.len());
            for &(name, sort) in &vars {
                let own = fresh.name(store);
                let own = store.symbols.intern(&own);
                let (old, new) = (store.bound_variable(name, sort), store.bound_variable(own, sort));
                rename.preset(old, new);
                renamed.push((own, sort));
            }
            // Inner quantifiers have their own names by now, so that what has this name is bound here.
            let body = rename.run(store, store.args(u)[0], &mut inner, |_, v| Ok(v))?;
            let body = gather(store, kind, body, &mut renamed);
            Ok(store.bind(kind, plain(renamed), &[body])?)
        }
        Kind::Lambda | Kind::Match => Err(PassError::NotApplicable("lambda or match".to_string())),
        _ => Ok(u),
    })
}

/// A binder without patterns.
fn plain(vars: Vec<(Symbol, smtlib::SortId)>) -> Binder {
    Binder { vars: vars.into(), patterns: [].into(), no_patterns: 0, qid: None, weight: None }
}

/// The body without the quantifiers of the same kind that stand at its top or, for `∀` below `or` and `∃` below `and`, one step
/// below; their variables are added to `vars`.
fn gather(store: &mut Store, kind: Kind, body: TermId, vars: &mut Vec<(Symbol, smtlib::SortId)>) -> TermId {
    let through = if kind == Kind::Forall { Kind::Or } else { Kind::And };
    let mut own = |store: &Store, t: TermId| {
        let binder = store.op(t).binder().filter(|_| store.kind(t) == kind)?;
        for var in &store.binder(binder).vars {
            if !vars.contains(var) {
                vars.push(*var);
            }
        }
        Some(store.args(t)[0])
    };
    if let Some(inner) = own(store, body) {
        return inner;
    }
    if store.kind(body) != through {
        return body;
    }
    let args = store.args(body).to_vec();
    let parts: Vec<TermId> = args.iter().map(|&a| own(store, a).unwrap_or(a)).collect();
    if through == Kind::Or { store.or(&parts) } else { store.and(&parts) }
}
