//! Decides whether a rule holds: at small widths by exhaustion, otherwise by a refutation of its negation.

use super::instance::SizedRule;
use super::text::RuleText;
use crate::budget::Budget;
use crate::plan::StrategyPlan;
use crate::run::Shared;
use crate::solve::{SolveAnswer, SolveRequest, solve};
use rewrite::Wants;
use rewrite::complete::complete;
use semantics::{EvalLimits, Evaluator, Model};
use smtlib::{Store, TermId};
use std::sync::Arc;
use std::time::Duration;

/// The time limit of one proof.
const PROVING: Duration = Duration::from_secs(2);

/// The status of a rule at given widths.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum RuleStanding {
    /// The rule holds for all values.
    Proven,
    /// The rule does not hold for these values.
    Wrong(String),
    /// Undecided, with the reason.
    Open(String),
    /// The rule is meaningless at these widths, with the reason.
    Meaningless(String),
}

/// Tries to refute the negation of a rule at these widths with a prover of our own engines.
pub(super) fn standing(rule: &RuleText, widths: &[u32], prover: &StrategyPlan, budget: &Budget) -> RuleStanding {
    let mut store = Store::new();
    let instance = match SizedRule::of(&mut store, rule, widths) {
        Ok(instance) => instance,
        Err(why) => return RuleStanding::Meaningless(why),
    };
    let negation = match instance.negation(&mut store) {
        Ok(negation) => negation,
        Err(why) => return RuleStanding::Meaningless(why),
    };
    let request = SolveRequest { wants: Wants::MODELS, budget: budget.within(PROVING), explain: false, claims: false };
    let shared = Arc::new(Shared::default());
    let report = solve(&mut store, &[negation], prover, &request, &shared);
    shared.wait_for_cancelled();
    match report.answer {
        SolveAnswer::Unsat { proof, .. } if proof.trusted().is_empty() => RuleStanding::Proven,
        SolveAnswer::Unsat { .. } => RuleStanding::Open("only another program refutes its negation".to_string()),
        SolveAnswer::Sat { model: Some(model), .. } => {
            RuleStanding::Wrong(counterexample(&mut store, rule, &instance, model))
        }
        SolveAnswer::Sat { model: None, .. } => RuleStanding::Wrong("for values that are not known".to_string()),
        // The rest is advice to change the strategy, which does not apply here.
        SolveAnswer::Unknown(why) if !report.internal_error => {
            let fact = why.split_once("; ").map_or(&*why, |(fact, _advice)| fact);
            RuleStanding::Open(fact.to_string())
        }
        SolveAnswer::Unknown(why) => RuleStanding::Open(why),
    }
}

/// Returns the values of the variables and of both sides.
fn counterexample(store: &mut Store, rule: &RuleText, instance: &SizedRule, mut model: Model) -> String {
    complete(store, &mut model, [instance.left, instance.right]);
    let mut evaluator = Evaluator::new(model, EvalLimits::default());
    let mut value = |store: &mut Store, t: TermId| {
        let value = evaluator.eval(store, t).ok();
        let term = value.and_then(|value| value.to_term(store, store.sort(t)));
        term.map_or_else(|| "some value".to_string(), |term| store.term_text(term))
    };
    let values: Vec<String> = rule
        .variables
        .iter()
        .zip(&instance.variables)
        .map(|((name, _), &(_, t))| format!("{name} = {}", value(store, t)))
        .collect();
    let sides = [instance.left, instance.right].map(|t| value(store, t));
    let with = if values.is_empty() { String::new() } else { format!("with {}, ", values.join(", ")) };
    format!("{with}the left side is {}, the right side {}", sides[0], sides[1])
}
