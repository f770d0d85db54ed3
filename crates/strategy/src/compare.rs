//! Compares a problem with a strategy's result, by exhaustion of both, if all symbols have few values.
//!
//! This tests a tactic of another program: `(solver-tactic z3 T)` against our own exact evaluator.

use crate::budget::Budget;
use crate::engine::{Decision, Engine};
use crate::engines::exhaust::Exhaust;
use crate::outcome::{TacticFailure, TacticOutcome};
use crate::plan::StrategyPlan;
use crate::run::TacticRun;
use rewrite::complete::complete;
use rewrite::{ConvertError, Goal, Params, PassResult, Wants};
use semantics::truth::{OpenTruth, unproven};
use semantics::{Model, Verdict, validate};
use smtlib::{Store, TermId};

/// The result of a comparison.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum GoalComparison {
    /// Problem and goals have the same answer: `sat` or `unsat`.
    Agree(&'static str),
    /// The goals differ; describes the difference.
    Differ(String),
    /// Unknown, for this reason.
    Unknown(String),
}

/// Applies a plan to assertions and compares the result with them. `unsat` of an under-approximation and `sat` of an over-approximation
/// are not answers.
pub fn compare(store: &mut Store, assertions: &[TermId], plan: &StrategyPlan, run: &mut TacticRun) -> GoalComparison {
    if let Some(name) = unproven(store, &run.shared.declarations) {
        return GoalComparison::Unknown(OpenTruth::NotTotal(name.to_string()).to_string());
    }
    let expected = match exhausted(store, assertions, &run.budget) {
        Ok(model) => model.is_some(),
        Err(why) => return GoalComparison::Unknown(format!("the problem cannot be exhausted: {why}")),
    };
    let goal = match Goal::of(store, assertions, Wants::MODELS, &run.budget.settings()) {
        Ok(goal) => goal,
        Err(error) => return GoalComparison::Unknown(error.to_string()),
    };
    let found = match plan.run(store, goal, run) {
        TacticOutcome::Fail(failure @ TacticFailure::WrongStep { .. }) => {
            Err(GoalComparison::Differ(failure.to_string()))
        }
        TacticOutcome::Fail(failure) => Err(GoalComparison::Unknown(failure.to_string())),
        TacticOutcome::Unsat(_) => Ok(false),
        TacticOutcome::Sat(witness) => match witness.model {
            Some(model) => judged(store, assertions, model),
            None => Ok(true),
        },
        TacticOutcome::Open(open) => of_goals(store, assertions, &open.branches, &run.budget),
    };
    let word = |sat: bool| if sat { "sat" } else { "unsat" };
    match found {
        Err(end) => end,
        Ok(sat) if sat == expected => GoalComparison::Agree(word(sat)),
        Ok(sat) => GoalComparison::Differ(format!("the problem is {}, the result {}", word(expected), word(sat))),
    }
}

/// Returns whether one of the goals is satisfiable.
fn of_goals(
    store: &mut Store,
    assertions: &[TermId],
    branches: &[PassResult],
    budget: &Budget,
) -> Result<bool, GoalComparison> {
    let mut open = None;
    for (n, PassResult { goal, converter }) in branches.iter().enumerate() {
        let formulas: Vec<TermId> = goal.terms().collect();
        let why = match exhausted(store, &formulas, budget) {
            Ok(Some(model)) if goal.precision.keeps_sat() => {
                return match converter.convert(store, model, &budget.stop()) {
                    Ok(model) => judged(store, assertions, model),
                    // Without a model conversion it is a model of a result that may well be right.
                    Err(ConvertError::Lost { .. }) => Ok(true),
                    Err(error) if error.is_stopped() => Err(GoalComparison::Unknown(error.to_string())),
                    Err(error) => {
                        Err(GoalComparison::Differ(format!("a model of goal {} leads to none: {error}", n + 1)))
                    }
                };
            }
            Ok(None) if goal.precision.keeps_unsat() => continue,
            Ok(_) => "an approximation has an answer that does not count".to_string(),
            Err(why) => why,
        };
        open = open.or(Some(format!("goal {}: {why}", n + 1)));
    }
    open.map_or(Ok(false), |why| Err(GoalComparison::Unknown(why)))
}

/// Returns `sat` if the model is a model of the problem.
fn judged(store: &mut Store, assertions: &[TermId], mut model: Model) -> Result<bool, GoalComparison> {
    complete(store, &mut model, assertions.iter().copied());
    match validate(store, assertions, model) {
        Verdict::Valid => Ok(true),
        Verdict::Invalid { .. } => {
            Err(GoalComparison::Differ("a model of the result is none of the problem".to_string()))
        }
        Verdict::Unknown { .. } => Err(GoalComparison::Unknown("a model of the result cannot be judged".to_string())),
    }
}

/// Returns a model of formulas, or `None`; an error if that is undecided.
fn exhausted(store: &mut Store, formulas: &[TermId], budget: &Budget) -> Result<Option<Model>, String> {
    match Exhaust::new(&Params::default()).decide(store, formulas, budget) {
        Decision::Sat(model) => Ok(Some(model)),
        Decision::Unsat(_) => Ok(None),
        Decision::Unknown(why) => Err(why),
    }
}
