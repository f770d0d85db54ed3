//! `der`: destructive equality resolution: `∀x (x ≠ t ∨ p)` becomes `p` at `x = t`, and `∃x (x = t ∧ p)` as well.

use crate::goal::Goal;
use crate::pass::{Example, PassError, PassResult, PassSettings, RewritePass};
use crate::quantifier::{BoundVariable, bind_free, bound, each_quantified, instance, parts};
use smtlib::free_vars::FreeVars;
use smtlib::{Kind, Store, TermId};

/// The pass.
pub static DER: RewritePass = RewritePass {
    name: "der",
    about: "eliminates bound variables that an equation below the quantifier fixes",
    example: Example {
        before: "(declare-const a Int)(declare-fun p (Int) Bool)
                 (assert (forall ((x Int) (y Int)) (=> (= x (+ y a)) (p x))))
                 (assert (exists ((x Int)) (and (= x a) (not (p x)))))",
        after: &["(forall ((bound!3 Int)) (p (+ bound!3 a))) (not (p a))"],
    },
    params: &[],
    is_consequence: false,
    rewrite: apply,
};

fn apply(store: &mut Store, goal: Goal, settings: &PassSettings) -> Result<PassResult, PassError> {
    let mut free = FreeVars::default();
    each_quantified(store, goal, settings, |store, q| resolved(store, q, &mut free, settings))
}

/// Returns a quantified formula without the variables that equations fix.
fn resolved(store: &mut Store, q: TermId, free: &mut FreeVars, settings: &PassSettings) -> Result<TermId, PassError> {
    let (kind, mut body) = (store.kind(q), store.args(q)[0]);
    let mut vars = bound(store, q);
    while let Some((n, term)) = fixed(store, kind, &vars, body, free) {
        let var = vars.remove(n);
        body = instance(store, body, &[var], &[term], settings)?;
    }
    bind_free(store, kind, &vars, body, free)
}

/// Returns a variable, by index, and the term that it must equal where its value matters.
fn fixed(
    store: &mut Store,
    kind: Kind,
    vars: &[BoundVariable],
    body: TermId,
    free: &mut FreeVars,
) -> Option<(usize, TermId)> {
    // A disjunction with a true part is true, so only values for which that part is false matter.
    let matters = kind == Kind::Exists;
    for part in parts(store, kind, body) {
        let Some((a, b)) = equation(store, part, matters) else { continue };
        for (x, term) in [(a, b), (b, a)] {
            let Some(name) = store.variable(x) else { continue };
            if let Some(n) = vars.iter().position(|v| v.0 == name)
                && !free.contains(store, term, name)
            {
                return Some((n, term));
            }
        }
    }
    None
}

/// If the formula has this truth value exactly when an equation holds, returns the equation's two sides.
fn equation(store: &mut Store, t: TermId, holds: bool) -> Option<(TermId, TermId)> {
    match (store.kind(t), holds) {
        (Kind::Not, _) => equation(store, store.args(t)[0], !holds),
        (Kind::Eq, true) | (Kind::Distinct, false) => match *store.args(t) {
            [a, b] => Some((a, b)),
            _ => None,
        },
        _ => store.variable(t).map(|_| (t, store.bool(holds))),
    }
}
