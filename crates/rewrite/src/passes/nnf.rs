//! `nnf`: negations stand only before atoms, and `and`, `or` and quantifiers are the only connectives.

use crate::goal::{Goal, GoalFormula};
use crate::normal_form::NormalForm;
use crate::pass::{Example, PassError, PassResult, PassSettings, RewritePass};
use smtlib::Store;

/// The pass.
pub struct Nnf;

impl RewritePass for Nnf {
    fn name(&self) -> &'static str {
        "nnf"
    }

    fn describe(&self) -> &'static str {
        "brings formulas into negation normal form"
    }

    fn example(&self) -> Example {
        Example {
            before: "(declare-const p Bool)(declare-const q Bool)(declare-const r Bool)
                     (assert (not (and p (=> q r))))(assert (xor p q))",
            after: &["(or (not p) (and q (not r))) (and (or p q) (or (not p) (not q)))"],
        }
    }

    fn is_consequence(&self) -> bool {
        true
    }

    fn apply(&self, store: &mut Store, mut goal: Goal, settings: &PassSettings) -> Result<PassResult, PassError> {
        let mut watch = settings.watch(store);
        let mut normal = NormalForm::default();
        for GoalFormula { term, origins } in goal.take() {
            let term = normal.run(store, term, &mut watch)?;
            goal.push(store, GoalFormula { term, origins });
        }
        Ok(PassResult::new(goal))
    }
}
