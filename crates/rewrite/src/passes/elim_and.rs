//! `elim-and`: conjunctions are written as negated disjunctions.

use crate::goal::{Goal, GoalFormula};
use crate::pass::{Example, PassError, PassResult, PassSettings, RewritePass};
use crate::walk::Rebuild;
use smtlib::{Kind, Store, TermId};

/// The pass.
pub struct ElimAnd;

impl RewritePass for ElimAnd {
    fn name(&self) -> &'static str {
        "elim-and"
    }

    fn describe(&self) -> &'static str {
        "replaces conjunctions below formulas by negated disjunctions"
    }

    fn example(&self) -> Example {
        Example {
            before: "(declare-const p Bool)(declare-const q Bool)(assert (= p (and p (not q))))",
            after: &["(= p (not (or (not p) q)))"],
        }
    }

    fn apply(&self, store: &mut Store, mut goal: Goal, settings: &PassSettings) -> Result<PassResult, PassError> {
        let mut watch = settings.watch(store);
        let mut rebuild = Rebuild::default();
        for GoalFormula { term, origins } in goal.take() {
            let term = rebuild.run(store, term, &mut watch, |store, u| {
                if store.kind(u) != Kind::And {
                    return Ok(u);
                }
                let args = store.args(u).to_vec();
                let negated: Vec<TermId> = args.into_iter().map(|a| negation(store, a)).collect();
                let any = store.or(&negated);
                Ok(store.not(any))
            })?;
            goal.push(store, GoalFormula { term, origins });
        }
        Ok(PassResult::new(goal))
    }
}

/// The negation of a formula, without two signs.
fn negation(store: &mut Store, t: TermId) -> TermId {
    match (store.kind(t), store.args(t)) {
        (Kind::Not, &[inner]) => inner,
        _ => store.not(t),
    }
}
