//! A strategy as an engine: the `T` of `(smt T)`, which decides conjunctions of literals.

use crate::budget::Budget;
use crate::engine::{Decision, Engine};
use crate::outcome::TacticOutcome;
use crate::plan::StrategyPlan;
use crate::proof::counted;
use crate::run::{Shared, TacticRun};
use crate::trace::Trace;
use rewrite::{Goal, PassSettings, Wants};
use smtlib::{Store, TermId};
use std::sync::Arc;

/// A strategy as an engine.
pub struct StrategyEngine {
    plan: Arc<StrategyPlan>,
}

impl StrategyEngine {
    /// Makes the engine that applies a strategy to a fresh, exact goal.
    pub fn new(plan: Arc<StrategyPlan>) -> StrategyEngine {
        StrategyEngine { plan }
    }
}

impl Engine for StrategyEngine {
    fn decide(&self, store: &mut Store, assertions: &[TermId], budget: &Budget) -> Decision {
        let goal = match Goal::of(store, assertions, Wants::ALL, &PassSettings::default()) {
            Ok(goal) => goal,
            Err(error) => return Decision::Unknown(error.to_string()),
        };
        // Solver programs were found when the plan was made; declarations are those of the occurring symbols.
        let mut run = TacticRun::new(budget.clone(), Arc::new(Shared::default()), Trace::default());
        let outcome = self.plan.run(store, goal, &mut run);
        run.shared.wait_for_cancelled();
        match outcome {
            TacticOutcome::Sat(witness) => match witness.model {
                Some(model) => Decision::Sat(model),
                None => Decision::Unknown(format!("{} gives no model", witness.by)),
            },
            TacticOutcome::Unsat(refutation) => {
                Decision::Unsat(refutation.origins.indices().into_iter().map(|n| n as usize).collect())
            }
            TacticOutcome::Open(open) => {
                Decision::Unknown(format!("{} left open", counted(open.branches.len(), "subgoal")))
            }
            TacticOutcome::Fail(failure) => Decision::Unknown(failure.to_string()),
        }
    }
}
