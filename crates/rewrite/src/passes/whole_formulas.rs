//! Passes over whole formulas: they drop true and repeated ones, and refute contradictory ones.

use crate::goal::Goal;
use crate::origins::Origins;
use crate::pass::{Example, PassError, PassResult, PassSettings, RewritePass};
use crate::simplify::{Simplifier, has_canonical_values};
use crate::substitute::equation;
use crate::values::is_value;
use crate::walk::TermSet;
use rustc_hash::FxHashMap;
use smtlib::{Kind, Store, TermId};

/// `contradiction`: a formula and its negation, or a term equal to two values, refute the goal.
pub static CONTRADICTION: RewritePass = RewritePass {
    name: "contradiction",
    about: "refutes a goal that holds a formula and its negation, or equates a term with two values",
    example: Example {
        before: "(declare-const x Int)(declare-const p Bool)(assert (= x 1))(assert p)(assert (= 2 x))",
        after: &["false"],
    },
    params: &[],
    is_consequence: false,
    rewrite: contradiction,
};

fn contradiction(store: &mut Store, goal: Goal, _settings: &PassSettings) -> Result<PassResult, PassError> {
    // The value of each term, and the reason: a formula itself equals true.
    let mut known: FxHashMap<TermId, (TermId, Origins)> = FxHashMap::default();
    let truth = store.bool(true);
    for formula in goal.formulas() {
        let (a, b) = equation(store, formula.term)?;
        for (t, value) in [(a, b), (b, a), (formula.term, truth)] {
            if !is_value(store, value) || is_value(store, t) || !has_canonical_values(store, store.sort(t)) {
                continue;
            }
            match known.get(&t) {
                Some((other, origins)) if *other != value => {
                    let origins = origins.union(&formula.origins);
                    return Ok(PassResult::new(goal.refuted(store, origins)));
                }
                Some(_) => {}
                None => {
                    known.insert(t, (value, formula.origins.clone()));
                }
            }
        }
    }
    Ok(PassResult::new(goal))
}

/// `elim-duplicates`: keeps each formula once.
pub static ELIM_DUPLICATES: RewritePass = RewritePass {
    name: "elim-duplicates",
    about: "drops formulas that are there already",
    example: Example {
        before: "(declare-const p Bool)(declare-const q Bool)(assert (or p q))(assert p)(assert (or p q))",
        after: &["(or p q) p"],
    },
    params: &[],
    is_consequence: true,
    rewrite: elim_duplicates,
};

fn elim_duplicates(store: &mut Store, mut goal: Goal, _settings: &PassSettings) -> Result<PassResult, PassError> {
    let mut seen = TermSet::default();
    let kept: Vec<_> = goal.take().into_iter().filter(|f| seen.insert(f.term)).collect();
    Ok(PassResult::new(goal.with(store, kept)))
}

/// `elim-true`: formulas that are always true are dropped, all others stay as written.
pub static ELIM_TRUE: RewritePass = RewritePass {
    name: "elim-true",
    about: "drops formulas that simplify to true and leaves all others as they are",
    example: Example {
        before: "(declare-const x Int)(declare-const p Bool)
                 (assert (<= x (+ x 1)))(assert (or p (not p)))(assert (> (+ x 0) 3))",
        after: &["(> (+ x 0) 3)"],
    },
    params: &[],
    is_consequence: true,
    rewrite: elim_true,
};

fn elim_true(store: &mut Store, mut goal: Goal, settings: &PassSettings) -> Result<PassResult, PassError> {
    let mut simplifier = Simplifier::heeding(&settings.stop);
    let mut watch = settings.watch(store);
    for formula in goal.take() {
        let simpler = simplifier.simplify(store, formula.term, &mut watch)?;
        if store.kind(simpler) != Kind::True {
            goal.push(store, formula);
        }
    }
    Ok(PassResult::new(goal))
}
