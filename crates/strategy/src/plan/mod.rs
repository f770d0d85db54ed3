//! Strategies ready to run, with all names resolved and all parameters set, and the semantics of tacticals.

mod parallel;
mod refine;

use crate::claim_log::ClaimLog;
use crate::outcome::{Subgoals, TacticFailure, TacticOutcome};
use crate::probes::{self, ProbeValue};
use crate::proof::Proof;
use crate::run::TacticRun;
use crate::tactic::Tactic;
use crate::trace::GoalSize;
use rewrite::{ConvertError, Goal, GoalScope, Origins, PassResult};
use smtlib::Store;
use smtlib::strategy::GoalProbe;
use std::sync::Arc;
use std::time::Duration;

/// The maximum number of steps from the input to a goal, which is also the depth of proofs and converters.
pub const MAX_DEPTH: u32 = 5_000;

/// The maximum number of rounds of a `repeat`, whatever its own limit.
pub const MAX_ROUNDS: u32 = 1_000;

/// A strategy ready to run.
pub enum StrategyPlan {
    /// A tactic.
    Leaf {
        /// Its name.
        name: Arc<str>,
        /// The tactic.
        tactic: Box<dyn Tactic>,
    },
    /// Applies each strategy to all subgoals of the previous one.
    Then(Vec<Arc<StrategyPlan>>),
    /// Applies the first, then one of the others to each of its subgoals.
    Thens(Vec<Arc<StrategyPlan>>),
    /// Tries the strategies in order until one does not fail.
    OrElse(Vec<Arc<StrategyPlan>>),
    /// Runs all in parallel; the first to end without failing counts.
    ParOr(Vec<Arc<StrategyPlan>>),
    /// Applies the others to all subgoals of the first in parallel.
    ParThen(Vec<Arc<StrategyPlan>>),
    /// Applies the strategy until nothing changes, at most the given number of times.
    Repeat(Arc<StrategyPlan>, Option<u32>),
    /// Applies the strategy with a time limit.
    TryFor(Arc<StrategyPlan>, Duration),
    /// Applies the strategy at a lower priority of the operating system.
    Nice(Arc<StrategyPlan>, u32),
    /// Applies the first strategy if the probe holds, else the second.
    If(GoalProbe, Arc<StrategyPlan>, Arc<StrategyPlan>),
    /// Fails if the probe holds.
    FailIf(GoalProbe),
    /// Alternates: applies the first to under-approximations and the second to over-approximations.
    Refine(Arc<StrategyPlan>, Arc<StrategyPlan>, Option<u32>),
}

impl StrategyPlan {
    /// Returns the name in traces.
    fn name(&self) -> String {
        match self {
            StrategyPlan::Leaf { name, .. } => name.to_string(),
            StrategyPlan::Then(_) => "then".to_string(),
            StrategyPlan::Thens(_) => "thens".to_string(),
            StrategyPlan::OrElse(_) => "or-else".to_string(),
            StrategyPlan::ParOr(_) => "par-or".to_string(),
            StrategyPlan::ParThen(_) => "par-then".to_string(),
            StrategyPlan::Repeat(_, None) => "repeat".to_string(),
            StrategyPlan::Repeat(_, Some(n)) => format!("repeat up to {n}"),
            StrategyPlan::TryFor(_, time) => format!("try-for {} ms", time.as_millis()),
            StrategyPlan::Nice(_, by) => format!("nice {by}"),
            StrategyPlan::If(probe, ..) => format!("if {probe}"),
            StrategyPlan::FailIf(probe) => format!("fail-if {probe}"),
            StrategyPlan::Refine(..) => "refine".to_string(),
        }
    }

    /// Returns the features that some part of it accepts, a set of those of [`smtlib::logic`].
    pub fn takes(&self) -> u32 {
        match self {
            StrategyPlan::Leaf { tactic, .. } => tactic.takes(),
            StrategyPlan::Then(parts)
            | StrategyPlan::Thens(parts)
            | StrategyPlan::OrElse(parts)
            | StrategyPlan::ParOr(parts)
            | StrategyPlan::ParThen(parts) => parts.iter().fold(0, |all, part| all | part.takes()),
            StrategyPlan::Repeat(part, _) | StrategyPlan::TryFor(part, _) | StrategyPlan::Nice(part, _) => part.takes(),
            StrategyPlan::If(_, one, other) | StrategyPlan::Refine(one, other, _) => one.takes() | other.takes(),
            StrategyPlan::FailIf(_) => 0,
        }
    }

    /// Runs on a goal.
    ///
    /// Invariant: a decided goal (no formula, or `false`) is decided by every strategy in the same way, including `fail`; so the laws of
    /// the tacticals hold for all goals.
    pub fn run(&self, store: &mut Store, goal: Goal, run: &mut TacticRun) -> TacticOutcome {
        let by: Arc<str> = Arc::from("the goal itself");
        if let Some(outcome) = TacticOutcome::of_decided(store, &goal, &by) {
            return run.record(store, &by, outcome, &ClaimLog::default());
        }
        if let Err(stopped) = run.budget.check() {
            return TacticOutcome::Fail(stopped.into());
        }
        if goal.depth > MAX_DEPTH {
            return TacticOutcome::Fail(TacticFailure::TooLarge(format!(
                "more than {MAX_DEPTH} steps lead to this goal"
            )));
        }
        let traced = run.trace.enter(store, || self.name(), &goal);
        let outcome = self.dispatch(store, goal, run);
        if traced {
            let after = match &outcome {
                TacticOutcome::Open(open) => Some((open.branches.len(), sizes(store, &open.branches))),
                _ => None,
            };
            run.trace.leave(outcome.summary(), after);
        }
        outcome
    }

    fn dispatch(&self, store: &mut Store, goal: Goal, run: &mut TacticRun) -> TacticOutcome {
        match self {
            StrategyPlan::Leaf { name, tactic } => {
                let outcome = leaf(&**tactic, name, store, goal, run);
                decided(store, outcome, name, run)
            }
            StrategyPlan::Then(parts) => {
                let mut outcome = TacticOutcome::Open(Subgoals::unchanged(goal));
                for part in parts {
                    outcome = continued(store, outcome, run, |store, goal, run, _| part.run(store, goal, run));
                }
                outcome
            }
            StrategyPlan::Thens(parts) => thens(parts, store, goal, run),
            StrategyPlan::OrElse(parts) => {
                let mut outcome = TacticOutcome::Fail(TacticFailure::Deliberate("or-else of nothing".to_string()));
                for part in parts {
                    outcome = part.run(store, goal.clone(), run);
                    match &outcome {
                        TacticOutcome::Fail(failure) => run.remember(failure),
                        _ => break,
                    }
                }
                outcome
            }
            StrategyPlan::ParOr(parts) => parallel::first(parts, store, goal, run),
            StrategyPlan::ParThen(parts) => {
                let mut outcome = TacticOutcome::Open(Subgoals::unchanged(goal));
                for (n, part) in parts.iter().enumerate() {
                    outcome = match (n, outcome) {
                        (1.., TacticOutcome::Open(open)) => parallel::all(part, store, open, run),
                        (_, outcome) => {
                            continued(store, outcome, run, |store, goal, run, _| part.run(store, goal, run))
                        }
                    };
                }
                outcome
            }
            StrategyPlan::Repeat(part, bound) => repeat(part, *bound, store, goal, run),
            StrategyPlan::TryFor(part, time) => {
                let within = run.budget.within(*time);
                let outer = std::mem::replace(&mut run.budget, within);
                let outcome = part.run(store, goal, run);
                run.budget = outer;
                outcome
            }
            StrategyPlan::Refine(under, over, rounds) => refine::refine(under, over, *rounds, store, goal, run),
            StrategyPlan::Nice(part, by) => parallel::lowered(part, *by, store, goal, run),
            StrategyPlan::If(probe, yes, no) => match probes::truth(probe, store, &goal) {
                ProbeValue::Known(true) => yes.run(store, goal, run),
                ProbeValue::Known(false) => no.run(store, goal, run),
                ProbeValue::Unknown(why) => TacticOutcome::Fail(TacticFailure::Trouble(why)),
            },
            StrategyPlan::FailIf(probe) => match probes::truth(probe, store, &goal) {
                ProbeValue::Known(true) => TacticOutcome::Fail(TacticFailure::Deliberate(format!("{probe} holds"))),
                ProbeValue::Known(false) => TacticOutcome::Open(Subgoals::unchanged(goal)),
                ProbeValue::Unknown(why) => TacticOutcome::Fail(TacticFailure::Trouble(why)),
            },
        }
    }
}

/// Applies a tactic: before it, the goal receives others' facts, and sends its own afterwards.
///
/// If the run is recorded, nothing is exchanged: a fact's step would be in the terms of another branch.
fn leaf(tactic: &dyn Tactic, name: &str, store: &mut Store, mut goal: Goal, run: &mut TacticRun) -> TacticOutcome {
    let facts = run.facts.clone().filter(|_| run.claims.is_none());
    if let Some(facts) = &facts {
        facts.hear(store, &mut goal);
    }
    let (scope, precision) = (goal.scope, goal.precision);
    let log = ClaimLog::default();
    run.budget.claims = run.claims.is_some().then(|| log.clone());
    let outcome = tactic.apply(store, goal, run);
    run.budget.claims = None;
    let mut outcome = run.record(store, name, outcome, &log);
    if let TacticOutcome::Open(open) = &mut outcome {
        for branch in &mut open.branches {
            // A parameter may have made the step one that loses models.
            let keeps = tactic.is_consequence() && branch.goal.precision == precision;
            let after = |before: GoalScope| GoalScope { is_consequence: before.is_consequence && keeps, ..before };
            branch.goal.scope = scope.map(after);
            if let Some(facts) = &facts {
                facts.tell(store, &branch.goal, &run.budget);
            }
        }
    }
    outcome
}

fn sizes(store: &Store, branches: &[PassResult]) -> GoalSize {
    branches.iter().fold(GoalSize::default(), |sum, branch| {
        let size = GoalSize::of(store, &branch.goal);
        GoalSize { formulas: sum.formulas + size.formulas, terms: sum.terms + size.terms }
    })
}

/// Removes decided subgoals from an outcome.
fn decided(store: &mut Store, outcome: TacticOutcome, by: &Arc<str>, run: &mut TacticRun) -> TacticOutcome {
    match outcome {
        TacticOutcome::Open(open) => continued(store, TacticOutcome::Open(open), run, |store, goal, run, _| {
            match TacticOutcome::of_decided(store, &goal, by) {
                Some(outcome) => run.record(store, by, outcome, &ClaimLog::default()),
                None => TacticOutcome::Open(Subgoals::unchanged(goal)),
            }
        }),
        other => other,
    }
}

/// Continues with every open subgoal of an outcome: the first `sat` ends it, a failure fails it, and if all subgoals are refuted so is
/// the goal.
pub(crate) fn continued(
    store: &mut Store,
    outcome: TacticOutcome,
    run: &mut TacticRun,
    mut next: impl FnMut(&mut Store, Goal, &mut TacticRun, usize) -> TacticOutcome,
) -> TacticOutcome {
    let open = match outcome {
        TacticOutcome::Open(open) => open,
        other => return other,
    };
    if open.branches.len() > 1 {
        run.budget = run.budget.cooperating();
    }
    let mut gathered = Gathered::new(&open);
    for (n, step) in open.branches.into_iter().enumerate() {
        let inner = next(store, step.goal.clone(), run, n);
        if let Some(end) = gathered.add(store, &step, inner, run) {
            return end;
        }
    }
    gathered.outcome(open.proof)
}

/// The combined outcomes of subgoals.
pub(crate) struct Gathered {
    branches: Vec<PassResult>,
    origins: Origins,
    proofs: Vec<Proof>,
}

impl Gathered {
    pub(crate) fn new(open: &Subgoals) -> Gathered {
        Gathered {
            branches: Vec::new(),
            origins: open.origins.clone(),
            proofs: Vec::with_capacity(open.branches.len()),
        }
    }

    /// Adds the outcome of the next subgoal; returns the total outcome if that one decides it.
    pub(crate) fn add(
        &mut self,
        store: &mut Store,
        step: &PassResult,
        inner: TacticOutcome,
        run: &TacticRun,
    ) -> Option<TacticOutcome> {
        match inner {
            TacticOutcome::Sat(mut witness) => {
                if let Some(model) = witness.model.take() {
                    match step.converter.convert(store, model, &run.budget.stop()) {
                        Ok(model) => witness.model = Some(model),
                        Err(_) if witness.external => {}
                        // The program that did the step is trusted then.
                        Err(ConvertError::Lost { by }) => {
                            witness.by = by;
                            witness.external = true;
                        }
                        Err(error) if error.is_stopped() => {
                            let stopped = run.budget.check().err().unwrap_or(crate::budget::Stopped::Time);
                            return Some(TacticOutcome::Fail(stopped.into()));
                        }
                        Err(error) => {
                            let external = matches!(error, ConvertError::Wrong { .. });
                            let why = error.to_string();
                            return Some(TacticOutcome::Fail(TacticFailure::WrongStep { why, external }));
                        }
                    }
                }
                return Some(TacticOutcome::Sat(witness));
            }
            // A model that is lost as an answer can still guide a refinement.
            TacticOutcome::Fail(TacticFailure::LostSat(Some(model))) => {
                let model = step.converter.convert(store, *model, &run.budget.stop()).ok();
                return Some(TacticOutcome::Fail(TacticFailure::LostSat(model.map(Box::new))));
            }
            TacticOutcome::Fail(failure) => return Some(TacticOutcome::Fail(failure)),
            TacticOutcome::Unsat(refutation) => {
                self.origins.add(&refutation.origins);
                self.proofs.push(refutation.proof);
            }
            TacticOutcome::Open(open) => {
                let first = self.branches.len();
                let proof = open.proof.fill(&mut |n| Proof::Hole(first + n));
                self.proofs.push(proof);
                self.origins.add(&open.origins);
                self.branches.extend(open.branches.into_iter().map(|branch| PassResult {
                    goal: branch.goal,
                    converter: step.converter.compose(&branch.converter),
                }));
                let limit = run.budget.limits.goals;
                if self.branches.len() > limit {
                    return Some(TacticOutcome::Fail(TacticFailure::TooLarge(format!("more than {limit} subgoals"))));
                }
            }
        }
        None
    }

    /// Returns the total outcome, over the proof that led to the subgoals.
    pub(crate) fn outcome(self, proof: Proof) -> TacticOutcome {
        let mut proofs: Vec<Option<Proof>> = self.proofs.into_iter().map(Some).collect();
        let proof = proof.fill(&mut |n| proofs.get_mut(n).and_then(Option::take).unwrap_or(Proof::Hole(n)));
        match self.branches.is_empty() {
            true => TacticOutcome::Unsat(crate::outcome::Refutation { origins: self.origins, proof }),
            false => TacticOutcome::Open(Subgoals { branches: self.branches, origins: self.origins, proof }),
        }
    }
}

fn thens(parts: &[Arc<StrategyPlan>], store: &mut Store, goal: Goal, run: &mut TacticRun) -> TacticOutcome {
    let Some((first, others)) = parts.split_first() else { return TacticOutcome::Open(Subgoals::unchanged(goal)) };
    let open = match first.run(store, goal, run) {
        TacticOutcome::Open(open) => open,
        other => return other,
    };
    if open.branches.len() != others.len() {
        let why = format!("thens has {} strategies for {} subgoals", others.len(), open.branches.len());
        return TacticOutcome::Fail(TacticFailure::Deliberate(why));
    }
    continued(store, TacticOutcome::Open(open), run, |store, goal, run, n| others[n].run(store, goal, run))
}

/// Applies a plan in rounds to all subgoals that the previous round changed.
fn repeat(
    part: &StrategyPlan,
    bound: Option<u32>,
    store: &mut Store,
    goal: Goal,
    run: &mut TacticRun,
) -> TacticOutcome {
    // A `repeat` without its own limit ends, too: the state reached is a normal result.
    let rounds = bound.unwrap_or(MAX_ROUNDS).min(MAX_ROUNDS);
    let mut outcome = TacticOutcome::Open(Subgoals::unchanged(goal));
    let mut settled = vec![false];
    for _ in 0..rounds {
        let TacticOutcome::Open(open) = &outcome else { break };
        if settled.iter().all(|s| *s) || open.branches.len() != settled.len() {
            break;
        }
        let mut next = Vec::new();
        outcome = continued(store, outcome, run, |store, goal, run, n| {
            if settled[n] {
                next.push(true);
                return TacticOutcome::Open(Subgoals::unchanged(goal));
            }
            let outcome = part.run(store, goal.clone(), run);
            match outcome {
                TacticOutcome::Open(open) => match &open.branches[..] {
                    [only] if only.goal.same_formulas(&goal) => {
                        next.push(true);
                        TacticOutcome::Open(Subgoals::unchanged(goal))
                    }
                    many => {
                        next.extend(many.iter().map(|_| false));
                        TacticOutcome::Open(open)
                    }
                },
                other => other,
            }
        });
        settled = next;
    }
    outcome
}
