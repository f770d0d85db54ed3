//! `elim-true`: formulas that are always true are dropped, all others stay as written.

use crate::goal::Goal;
use crate::pass::{Example, PassError, PassResult, PassSettings, RewritePass};
use crate::simplify::Simplifier;
use smtlib::{Kind, Store};

/// The pass.
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
