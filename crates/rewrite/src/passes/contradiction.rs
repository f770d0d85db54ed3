//! `contradiction`: a formula and its negation, or a term equal to two values, refute the goal.

use crate::goal::Goal;
use crate::origins::Origins;
use crate::pass::{Example, PassError, PassResult, PassSettings, RewritePass};
use crate::simplify::has_canonical_values;
use crate::substitute::equation;
use crate::values::is_value;
use rustc_hash::FxHashMap;
use smtlib::{Store, TermId};

/// The pass.
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
