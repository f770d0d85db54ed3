//! `and-hoisting`: conjunctions become formulas of the goal, including those hidden in negations.

use crate::goal::{Goal, GoalFormula};
use crate::pass::{Example, PassError, PassResult, PassSettings, RewritePass};
use smtlib::{Kind, Store, TermId};

/// The pass.
pub struct AndHoisting;

impl RewritePass for AndHoisting {
    fn name(&self) -> &'static str {
        "and-hoisting"
    }

    fn describe(&self) -> &'static str {
        "makes the parts of conjunctions, negated disjunctions and negated implications formulas of their own"
    }

    fn example(&self) -> Example {
        Example {
            before: "(declare-const p Bool)(declare-const q Bool)(declare-const r Bool)
                     (assert (and p (not (or q (not r)))))",
            after: &["p (not q) r"],
        }
    }

    fn is_consequence(&self) -> bool {
        true
    }

    fn apply(&self, store: &mut Store, mut goal: Goal, settings: &PassSettings) -> Result<PassResult, PassError> {
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
