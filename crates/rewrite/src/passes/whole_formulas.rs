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
pub struct Contradiction;

impl RewritePass for Contradiction {
    fn name(&self) -> &'static str {
        "contradiction"
    }

    fn describe(&self) -> &'static str {
        "refutes a goal that holds a formula and its negation, or equates a term with two values"
    }

    fn example(&self) -> Example {
        Example {
            before: "(declare-const x Int)(declare-const p Bool)(assert (= x 1))(assert p)(assert (= 2 x))",
            after: &["false"],
        }
    }

    fn apply(&self, store: &mut Store, goal: Goal, _settings: &PassSettings) -> Result<PassResult, PassError> {
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
}

/// `elim-duplicates`: keeps each formula once.
pub struct ElimDuplicates;

impl RewritePass for ElimDuplicates {
    fn name(&self) -> &'static str {
        "elim-duplicates"
    }

    fn describe(&self) -> &'static str {
        "drops formulas that are there already"
    }

    fn example(&self) -> Example {
        Example {
            before: "(declare-const p Bool)(declare-const q Bool)(assert (or p q))(assert p)(assert (or p q))",
            after: &["(or p q) p"],
        }
    }

    fn is_consequence(&self) -> bool {
        true
    }

    fn apply(&self, store: &mut Store, mut goal: Goal, _settings: &PassSettings) -> Result<PassResult, PassError> {
        let mut seen = TermSet::default();
        let kept: Vec<_> = goal.take().into_iter().filter(|f| seen.insert(f.term)).collect();
        Ok(PassResult::new(goal.with(store, kept)))
    }
}

/// `elim-true`: formulas that are always true are dropped, all others stay as written.
pub struct ElimTrue;

impl RewritePass for ElimTrue {
    fn name(&self) -> &'static str {
        "elim-true"
    }

    fn describe(&self) -> &'static str {
        "drops formulas that simplify to true and leaves all others as they are"
    }

    fn example(&self) -> Example {
        Example {
            before: "(declare-const x Int)(declare-const p Bool)
                     (assert (<= x (+ x 1)))(assert (or p (not p)))(assert (> (+ x 0) 3))",
            after: &["(> (+ x 0) 3)"],
        }
    }

    fn is_consequence(&self) -> bool {
        true
    }

    fn apply(&self, store: &mut Store, mut goal: Goal, settings: &PassSettings) -> Result<PassResult, PassError> {
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
}
