//! Splits quantified formulas: renames their variables apart, merges quantifiers of one kind (`∀x (p ∨ ∀y q)` becomes `∀x y (p ∨ q)`),
//! and makes instances.

use crate::fresh::FreshSymbols;
use crate::goal::{Goal, GoalFormula};
use crate::normal_form::normal_form;
use crate::pass::PassResult;
use crate::settings::{PassError, PassMeter, PassSettings};
use crate::simplify::Simplifier;
use crate::walk::{Rebuild, TermSet};
use rustc_hash::FxHashMap;
use smtlib::decl::Binder;
use smtlib::free_vars::FreeVars;
use smtlib::term::HAS_BINDER;
use smtlib::{Kind, SortId, Store, Symbol, TermId};

/// How deep quantifiers may nest where variables are renamed.
const MAX_NESTING: usize = 500;

/// A bound variable.
pub type BoundVariable = (Symbol, SortId);

/// Returns a formula in negation normal form in which no two quantifiers bind the same name, so closed terms can replace bound variables
/// without capture.
/// Errors: [`PassError::NotApplicable`] if another operator binds variables, [`PassError::TooLarge`] if too many terms were made,
/// [`PassError::Interrupted`] if the time is up or the work is cancelled.
pub fn apart(
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
    // From the inside out: no name is bound inside of a quantifier that binds it.
    let unshadowed = Rebuild::default().run(store, normal, &mut watch, |store, u| match store.kind(u) {
        kind @ (Kind::Forall | Kind::Exists) => {
            let (vars, body) = renamed(store, u, fresh, &mut inner)?;
            quantified(store, kind, vars, body)
        }
        Kind::Lambda | Kind::Match => Err(PassError::NotApplicable("lambda or match".to_string())),
        _ => Ok(u),
    })?;
    NameSeparation { done: FxHashMap::default(), fresh, watch: settings.watch(store) }.run(store, unshadowed, 0)
}

/// Returns a quantifier's variables with fresh names, and its body with these. No quantifier inside binds one of the old names.
fn renamed(
    store: &mut Store,
    q: TermId,
    fresh: &mut FreshSymbols,
    watch: &mut PassMeter<'_>,
) -> Result<(Vec<BoundVariable>, TermId), PassError> {
    let (mut rename, mut vars) = (Rebuild::default(), bound(store, q));
    for (name, sort) in &mut vars {
        let own = fresh.name(store);
        let own = store.symbols.intern(&own);
        let (old, new) = (store.bound_variable(*name, *sort), store.bound_variable(own, *sort));
        rename.preset(old, new);
        *name = own;
    }
    let body = rename.run(store, store.args(q)[0], watch, |_, v| Ok(v))?;
    Ok((vars, body))
}

/// Renames from the outside in: a formula that occurs below two quantifiers is two formulas once their variables have other names, and each
/// gets names of its own. Then quantifiers are merged.
struct NameSeparation<'s> {
    /// The results by quantified formula.
    done: FxHashMap<TermId, TermId>,
    fresh: &'s mut FreshSymbols,
    watch: PassMeter<'s>,
}

impl NameSeparation<'_> {
    /// Recursion is bounded by [`MAX_NESTING`].
    fn run(&mut self, store: &mut Store, root: TermId, nesting: usize) -> Result<TermId, PassError> {
        if nesting > MAX_NESTING {
            return Err(PassError::TooLarge { what: "nested quantifiers", limit: MAX_NESTING });
        }
        let (mut outermost, mut open, mut seen) = (Vec::new(), vec![root], TermSet::default());
        while let Some(t) = open.pop() {
            self.watch.tick(store)?;
            if store.flags(t) & HAS_BINDER == 0 || !seen.insert(t) {
                continue;
            }
            match store.kind(t) {
                Kind::Forall | Kind::Exists => outermost.push(t),
                _ => open.extend_from_slice(store.args(t)),
            }
        }
        let mut rebuild = Rebuild::default();
        for q in outermost {
            let image = match self.done.get(&q) {
                Some(&image) => image,
                None => {
                    let kind = store.kind(q);
                    let (mut vars, body) = renamed(store, q, self.fresh, &mut self.watch)?;
                    let body = self.run(store, body, nesting + 1)?;
                    let body = gather(store, kind, body, &mut vars);
                    quantified(store, kind, vars, body)?
                }
            };
            self.done.insert(q, image);
            rebuild.preset(q, image);
        }
        rebuild.run(store, root, &mut self.watch, |_, u| Ok(u))
    }
}

/// Like [`apart`]; a formula in which another operator binds variables stays unchanged.
/// Errors: as [`apart`], without [`PassError::NotApplicable`].
pub fn apart_or_same(
    store: &mut Store,
    t: TermId,
    fresh: &mut FreshSymbols,
    settings: &PassSettings,
) -> Result<TermId, PassError> {
    match apart(store, t, fresh, settings) {
        Err(PassError::NotApplicable(_)) => Ok(t),
        result => result,
    }
}

/// Makes a step that changes quantified formulas, brought into the form of [`apart`] first, from the inside out until nothing changes,
/// and keeps models.
/// Errors: the errors of `change`; too many terms were made, or the time is up.
pub fn each_quantified(
    store: &mut Store,
    mut goal: Goal,
    settings: &PassSettings,
    mut change: impl FnMut(&mut Store, TermId) -> Result<TermId, PassError>,
) -> Result<PassResult, PassError> {
    let mut names = FreshSymbols::new("bound");
    let mut watch = settings.watch(store);
    for GoalFormula { term, origins } in goal.take() {
        let mut normal = apart_or_same(store, term, &mut names, settings)?;
        let mut changed = false;
        for _ in 0..settings.limits.rounds {
            let next = Rebuild::default().run(store, normal, &mut watch, |store, u| match store.kind(u) {
                Kind::Forall | Kind::Exists => change(store, u),
                _ => Ok(u),
            })?;
            if next == normal {
                break;
            }
            (normal, changed) = (next, true);
        }
        goal.push(store, GoalFormula { term: if changed { normal } else { term }, origins });
    }
    Ok(PassResult::new(goal))
}

/// Returns the variables of a quantified formula.
pub fn bound(store: &Store, q: TermId) -> Vec<BoundVariable> {
    store.op(q).binder().map(|binder| store.binder(binder).vars.to_vec()).unwrap_or_default()
}

/// Quantifies a formula, without patterns, over those of the variables that are free in it, or returns the formula if none is: every sort
/// has an element (SMT-LIB 2.7, section 5.3).
/// Errors: [`PassError::Build`] if `kind` is not a quantifier or the body is not a formula.
pub fn bind_free(
    store: &mut Store,
    kind: Kind,
    vars: &[BoundVariable],
    body: TermId,
    free: &mut FreeVars,
) -> Result<TermId, PassError> {
    let vars: Vec<BoundVariable> = vars.iter().copied().filter(|v| free.contains(store, body, v.0)).collect();
    if vars.is_empty() { Ok(body) } else { quantified(store, kind, vars, body) }
}

/// Substitutes terms for some variables of a body, and simplifies: little may remain to decide.
///
/// No quantifier inside may bind a variable that is free in one of the terms; after [`apart`] none does.
/// Errors: [`PassError::TooLarge`], [`PassError::Interrupted`].
pub fn instance(
    store: &mut Store,
    body: TermId,
    vars: &[BoundVariable],
    terms: &[TermId],
    settings: &PassSettings,
) -> Result<TermId, PassError> {
    let mut rebuild = Rebuild::default();
    for (&(name, sort), &term) in vars.iter().zip(terms) {
        rebuild.preset(store.bound_variable(name, sort), term);
    }
    let mut simplifier = Simplifier::heeding(&settings.stop);
    let mut watch = settings.watch(store);
    rebuild.run(store, body, &mut watch, |store, u| simplifier.node(store, u))
}

/// Returns the parts of a formula that is a disjunction (below `∀`) or a conjunction (below `∃`).
pub fn parts(store: &Store, quantifier: Kind, body: TermId) -> Vec<TermId> {
    let junction = if quantifier == Kind::Forall { Kind::Or } else { Kind::And };
    if store.kind(body) == junction { store.args(body).to_vec() } else { vec![body] }
}

fn quantified(store: &mut Store, kind: Kind, vars: Vec<BoundVariable>, body: TermId) -> Result<TermId, PassError> {
    let binder = Binder { vars: vars.into(), patterns: [].into(), no_patterns: 0, qid: None, weight: None };
    Ok(store.bind(kind, binder, &[body])?)
}

/// Returns the body without the quantifiers of the same kind at its top or, for `∀` below `or` and `∃` below `and`, one step below; their
/// variables are added to `vars`.
///
/// A merged formula may also occur elsewhere in the body, and binds the same names there. Substitution then changes both, without harm:
/// in `a ∨ b` the second matters only where the first is false, and a formula false at one value is false for all.
fn gather(store: &mut Store, kind: Kind, body: TermId, vars: &mut Vec<BoundVariable>) -> TermId {
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
