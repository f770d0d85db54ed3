//! `expand-quantifiers`: quantifiers over few values, by sort or by a guard, become the conjunction or disjunction of all instances.

use crate::goal::Goal;
use crate::pass::{Example, PassError, PassResult, PassSettings, RewritePass, TacticParameter};
use crate::quantifier::{BoundVariable, bind_free, bound, each_quantified, instance, parts};
use semantics::Model;
use semantics::domain::Domains;
use semantics::guard::guard_of_all;
use smtlib::free_vars::FreeVars;
use smtlib::{Kind, Store, TermId};

/// The limit on the instances of one quantifier.
const INSTANCES: TacticParameter = TacticParameter {
    name: "max-instances",
    about: "the maximum number of instances of one quantifier; variables with more values stay bound",
    default: 64,
    words: &[],
};

/// The pass.
pub static EXPAND_QUANTIFIERS: RewritePass = RewritePass {
    name: "expand-quantifiers",
    about: "replaces quantifiers over few values, by sort or by a guard, by all instances",
    example: Example {
        before: "(declare-fun p (Int) Bool)(declare-fun q (Bool Int) Bool)
                 (assert (forall ((x Int)) (=> (and (<= 1 x) (< x 4)) (p x))))
                 (assert (exists ((x Bool) (y Int)) (q x y)))",
        after: &["(and (p 1) (p 2) (p 3))
                 (exists ((bound!5 Int)) (or (q false bound!5) (q true bound!5)))"],
    },
    params: &[INSTANCES],
    is_consequence: false,
    rewrite: apply,
};

fn apply(store: &mut Store, goal: Goal, settings: &PassSettings) -> Result<PassResult, PassError> {
    let most = settings.params.number(&INSTANCES);
    let mut free = FreeVars::default();
    each_quantified(store, goal, settings, |store, q| expanded(store, q, most, &mut free, settings))
}

/// Returns a quantified formula expanded to its instances.
fn expanded(
    store: &mut Store,
    q: TermId,
    most: u64,
    free: &mut FreeVars,
    settings: &PassSettings,
) -> Result<TermId, PassError> {
    let (kind, body) = (store.kind(q), store.args(q)[0]);
    let (mut chosen, mut kept) = (Vec::new(), Vec::new());
    let mut instances = 1_u64;
    for var in bound(store, q) {
        let room = most / instances;
        match values(store, kind, body, var, room) {
            Some(terms) => {
                instances *= terms.len().max(1) as u64;
                chosen.push((var, terms));
            }
            None => kept.push(var),
        }
    }
    // Starts with the first variable, so that the instances are in the order of its values.
    let mut all = vec![body];
    for (var, terms) in &chosen {
        let mut next = Vec::with_capacity(all.len() * terms.len());
        for &body in &all {
            for &term in terms {
                next.push(instance(store, body, &[*var], &[term], settings)?);
            }
        }
        all = next;
    }
    let body = if kind == Kind::Forall { store.and(&all) } else { store.or(&all) };
    bind_free(store, kind, &kept, body, free)
}

/// Returns terms for the relevant values of a variable, unless there are too many.
fn values(store: &mut Store, kind: Kind, body: TermId, var: BoundVariable, most: u64) -> Option<Vec<TermId>> {
    let (name, sort) = var;
    let values = match (Domains { store, model: &Model::new() }).all(sort, most) {
        Some(values) => values,
        None => {
            let subject = store.bound_variable(name, sort);
            guard_of_all(store, &parts(store, kind, body), kind == Kind::Exists, subject)?
        }
    };
    if values.len() as u64 > most {
        return None;
    }
    values.into_iter().map(|value| value.to_term(store, sort)).collect()
}
