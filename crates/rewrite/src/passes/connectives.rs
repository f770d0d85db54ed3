//! Passes over the Boolean connectives of formulas.

use crate::goal::{Goal, GoalFormula};
use crate::normal_form::NormalForm;
use crate::pass::{Example, PassError, PassResult, PassSettings, RewritePass};
use crate::simplify::negated;
use smtlib::{Kind, Store, TermId};

/// `and-hoisting`: conjunctions become formulas of the goal, including those hidden in negations.
pub static AND_HOISTING: RewritePass = RewritePass {
    name: "and-hoisting",
    about: "makes the parts of conjunctions, negated disjunctions and negated implications formulas of their own",
    example: Example {
        before: "(declare-const p Bool)(declare-const q Bool)(declare-const r Bool)
                 (assert (and p (not (or q (not r)))))",
        after: &["p (not q) r"],
    },
    params: &[],
    is_consequence: true,
    rewrite: and_hoisting,
};

fn and_hoisting(store: &mut Store, mut goal: Goal, settings: &PassSettings) -> Result<PassResult, PassError> {
    let mut watch = settings.watch(store);
    let limit = settings.limits.formulas;
    for GoalFormula { term, origins } in goal.take() {
        let mut stack = vec![(term, true)];
        while let Some((t, positive)) = stack.pop() {
            watch.tick(store)?;
            if goal.len() >= limit {
                return Err(PassError::TooLarge { what: "formulas", limit });
            }
            if !open(store, t, positive, &mut stack) {
                let term = if positive { t } else { store.not(t) };
                goal.push(store, GoalFormula::new(term, origins.clone()));
            }
        }
    }
    Ok(PassResult::new(goal))
}

/// `distinct-expansion`: `distinct` of n terms becomes the disequalities of all pairs.
pub static DISTINCT_EXPANSION: RewritePass = RewritePass {
    name: "distinct-expansion",
    about: "replaces distinct by the disequalities of all pairs of its arguments",
    example: Example {
        before: "(declare-const x Int)(declare-const y Int)(declare-const z Int)(assert (distinct x y z))",
        after: &["(and (not (= x y)) (not (= x z)) (not (= y z)))"],
    },
    params: &[],
    is_consequence: true,
    rewrite: distinct_expansion,
};

fn distinct_expansion(store: &mut Store, goal: Goal, settings: &PassSettings) -> Result<PassResult, PassError> {
    let mut pairs_watch = settings.watch(store);
    PassResult::rebuilt(store, goal, settings, |store, u| {
        if store.kind(u) != Kind::Distinct {
            return Ok(u);
        }
        let args = store.args(u).to_vec();
        let mut parts = Vec::new();
        for (n, &a) in args.iter().enumerate() {
            for &b in &args[n + 1..] {
                pairs_watch.tick(store)?;
                let same = store.eq(a, b)?;
                parts.push(store.not(same));
            }
        }
        Ok(store.and(&parts))
    })
}

/// `elim-and`: conjunctions become negated disjunctions.
pub static ELIM_AND: RewritePass = RewritePass {
    name: "elim-and",
    about: "replaces conjunctions below formulas by negated disjunctions",
    example: Example {
        before: "(declare-const p Bool)(declare-const q Bool)(assert (= p (and p (not q))))",
        after: &["(= p (not (or (not p) q)))"],
    },
    params: &[],
    is_consequence: true,
    rewrite: elim_and,
};

fn elim_and(store: &mut Store, goal: Goal, settings: &PassSettings) -> Result<PassResult, PassError> {
    PassResult::rebuilt(store, goal, settings, |store, t| {
        if store.kind(t) != Kind::And {
            return Ok(t);
        }
        let args = store.args(t).to_vec();
        let negations: Vec<TermId> =
            args.into_iter().map(|a| negated(store, a).unwrap_or_else(|| store.not(a))).collect();
        let any = store.or(&negations);
        Ok(store.not(any))
    })
}

/// `nnf`: negations stand only before atoms, and `and`, `or` and quantifiers are the only connectives.
pub static NNF: RewritePass = RewritePass {
    name: "nnf",
    about: "brings formulas into negation normal form",
    example: Example {
        before: "(declare-const p Bool)(declare-const q Bool)(declare-const r Bool)
                 (assert (not (and p (=> q r))))(assert (xor p q))",
        after: &["(or (not p) (and q (not r))) (and (or p q) (or (not p) (not q)))"],
    },
    params: &[],
    is_consequence: true,
    rewrite: nnf,
};

fn nnf(store: &mut Store, mut goal: Goal, settings: &PassSettings) -> Result<PassResult, PassError> {
    let mut watch = settings.watch(store);
    let mut normal = NormalForm::default();
    for GoalFormula { term, origins } in goal.take() {
        let term = normal.run(store, term, &mut watch)?;
        goal.push(store, GoalFormula { term, origins });
    }
    Ok(PassResult::new(goal))
}

/// Pushes the conjuncts of a term, or of its negation, on the stack, the first on top. Returns false if it is not a conjunction.
fn open(store: &Store, t: TermId, positive: bool, stack: &mut Vec<(TermId, bool)>) -> bool {
    let args = store.args(t);
    match (store.kind(t), positive) {
        (Kind::And, true) | (Kind::Or, false) => stack.extend(args.iter().rev().map(|&a| (a, positive))),
        (Kind::Not, _) => stack.push((args[0], !positive)),
        (Kind::Implies, false) => {
            let (conclusion, premises) = (args[args.len() - 1], &args[..args.len() - 1]);
            stack.push((conclusion, false));
            stack.extend(premises.iter().rev().map(|&a| (a, true)));
        }
        _ => return false,
    }
    true
}
