//! Solves a whole problem: makes the goal, runs the strategy, and checks the result before it becomes an answer.

use crate::budget::Budget;
use crate::claims::{ProofRecorder, RecordedProof};
#[cfg(feature = "sat")]
use crate::engines::mbqi::Mbqi;
use crate::engines::nonlinear::pcad;
use crate::outcome::{TacticFailure, TacticOutcome};
use crate::plan::StrategyPlan;
use crate::proof::Proof;
use crate::reason;
use crate::run::{Shared, TacticRun};
use crate::trace::Trace;
use proof::{ProofGraph, StepId};
#[cfg(feature = "sat")]
use rewrite::Params;
use rewrite::complete::eval_with;
use rewrite::{Goal, Wants};
use semantics::truth::{self, CheckTruth, ExhaustLimits, OpenTruth, Search, TruthQuery, unproven};
use semantics::{EvalLimits, Evaluator, Model, Value};
#[cfg(feature = "sat")]
use smtlib::term::HAS_BINDER;
use smtlib::{Instance, Store, TermId};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The answer to a problem.
#[derive(Clone, Debug)]
pub enum SolveAnswer {
    /// Satisfiable.
    Sat {
        /// The model, under which every assertion evaluates to true; `None` if the answer is only another program's.
        model: Option<Model>,
        /// The source of the answer.
        by: Arc<str>,
        /// Why the answer of that program could not be verified.
        unchecked: Option<String>,
    },
    /// Unsatisfiable.
    Unsat {
        /// The positions of assertions that suffice, ascending; all of them if no core was requested.
        core: Vec<usize>,
        /// The steps.
        proof: Proof,
    },
    /// Not decided, with the reason.
    Unknown(String),
}

impl SolveAnswer {
    /// Returns `sat`, `unsat` or `unknown`.
    pub fn word(&self) -> &'static str {
        match self {
            SolveAnswer::Sat { .. } => "sat",
            SolveAnswer::Unsat { .. } => "unsat",
            SolveAnswer::Unknown(_) => "unknown",
        }
    }

    /// Returns the reason in the form of `(get-info :reason-unknown)` (SMT-LIB 2.7, section 4.1.8).
    pub fn reason(&self) -> Option<&str> {
        match self {
            SolveAnswer::Unknown(reason) => Some(reason),
            _ => None,
        }
    }
}

/// The result of a strategy.
#[derive(Debug)]
pub struct SolveReport {
    /// The answer.
    pub answer: SolveAnswer,
    /// The trace, if requested.
    pub trace: Trace,
    /// Wall-clock time.
    pub time: Duration,
    /// An internal error: our own model is wrong. The answer is `unknown` then.
    pub internal_error: bool,
    /// Further remarks, one per line.
    pub notes: Vec<String>,
    /// The recorded conclusions, if requested.
    pub claims: Option<RecordedProof>,
}

impl SolveReport {
    /// Returns the report of a question that was not processed.
    pub fn unknown(why: String) -> SolveReport {
        let (trace, time) = (Trace::default(), Duration::ZERO);
        let answer = SolveAnswer::Unknown(why);
        SolveReport { answer, trace, time, internal_error: false, notes: Vec::new(), claims: None }
    }
}

/// The request.
#[derive(Clone, Debug)]
pub struct SolveRequest {
    /// What is wanted besides the answer.
    pub wants: Wants,
    /// The budget.
    pub budget: Budget,
    /// Whether the steps are recorded in a trace.
    pub explain: bool,
    /// Whether each conclusion is recorded with its premises.
    pub claims: bool,
}

/// Runs a strategy on assertions.
///
/// Invariant: `sat` is returned only with a model for which our evaluator finds every assertion true, or as another program's answer and
/// marked as such; `unsat` is returned only if no step weakened the problem.
pub fn solve(
    store: &mut Store,
    assertions: &[TermId],
    plan: &StrategyPlan,
    request: &SolveRequest,
    shared: &Arc<Shared>,
) -> SolveReport {
    let start = Instant::now();
    let trace = if request.explain { Trace::on() } else { Trace::default() };
    let name = unproven(store, &shared.declarations).map(str::to_string);
    if let Some(proof) = name.as_ref().and_then(|_| refuted_definition(store, assertions, &request.budget, shared)) {
        let claims = request.claims.then(|| outright(store, assertions, &proof));
        let answer = SolveAnswer::Unsat { core: (0..assertions.len()).collect(), proof };
        return SolveReport { answer, trace, time: start.elapsed(), internal_error: false, notes: Vec::new(), claims };
    }
    let mut run = TacticRun::new(request.budget.clone(), Arc::clone(shared), trace);
    let settings = run.budget.settings();
    // Cores consist of premises.
    let wants = Wants { cores: request.wants.cores || request.claims, ..request.wants };
    let outcome = match Goal::of(store, assertions, wants, &settings) {
        // That constants stand for a heap is no conclusion.
        Ok(goal) if request.claims && !assertions.iter().any(|&t| truth::mentions_hidden(store, t)) => {
            let (recorder, goal) = ProofRecorder::begin(store, assertions, goal);
            run.claims = Some(recorder);
            plan.run(store, goal, &mut run)
        }
        Ok(goal) => plan.run(store, goal, &mut run),
        Err(error) => TacticOutcome::Fail(TacticFailure::of(error, &run.budget)),
    };
    let mut claims = run.claims.take();
    let mut refuted = None;
    let mut internal_error = false;
    let answer = match outcome {
        TacticOutcome::Unsat(refutation) => {
            refuted = claims.as_mut().and_then(|claims| claims.refuted(store, &refutation.proof));
            let core = match request.wants.cores {
                true if let (Some(claims), Some(refuted)) = (&claims, refuted) => {
                    claims.core(refuted, assertions.len())
                }
                true => refutation.origins.indices().into_iter().map(|n| n as usize).collect(),
                false => (0..assertions.len()).collect(),
            };
            SolveAnswer::Unsat { core, proof: refutation.proof }
        }
        TacticOutcome::Sat(witness) => match witness.model {
            None => {
                let why = format!("{} gives no model that can be read and judged", witness.by);
                SolveAnswer::Sat { model: None, by: witness.by, unchecked: Some(why) }
            }
            Some(model) => {
                // What a heap holds is part of the model.
                let plain = truth::without_hidden(store, assertions);
                let plain = plain.as_deref().unwrap_or(assertions);
                let (answer, wrong) = checked(store, plain, model, (&witness.by, witness.external), &run.budget);
                internal_error = wrong;
                answer
            }
        },
        TacticOutcome::Open(open) => {
            let count = open.branches.len();
            let goals = if count == 1 { "a subgoal".to_string() } else { format!("{count} subgoals") };
            SolveAnswer::Unknown(format!("the strategy leaves {goals} open; end it with an engine, for example smt"))
        }
        TacticOutcome::Fail(failure) => {
            internal_error = matches!(failure, TacticFailure::WrongStep { external: false, .. });
            let why = reason::of_failure(store, assertions, plan, &failure);
            SolveAnswer::Unknown(why.unwrap_or_else(|| failure.to_string()))
        }
    };
    // Whatever the source of the model: Z3 assumes that definitions are well-founded, and our evaluator cannot decide that.
    let answer = match (answer, name) {
        (SolveAnswer::Sat { .. }, Some(name)) => SolveAnswer::Unknown(OpenTruth::NotTotal(name).to_string()),
        (answer, _) => answer,
    };
    let claims = claims.map(|claims| claims.finish(refuted));
    SolveReport { answer, trace: run.trace, time: start.elapsed(), internal_error, notes: Vec::new(), claims }
}

/// Returns a refutation of all assertions at once, as a claim.
pub fn outright(store: &mut Store, assertions: &[TermId], proof: &Proof) -> RecordedProof {
    let mut graph = ProofGraph::default();
    let premises: Vec<StepId> = assertions.iter().map(|&assertion| graph.assume(assertion)).collect();
    let rule = if let Proof::Closed { by, .. } = proof { by } else { "refuted" };
    let refutation = Some(graph.conclude(rule, &premises, store.bool(false)));
    RecordedProof { graph, refutation }
}

/// Answers a query of rules, whatever the strategy: what follows from the least relations is no question of satisfiability.
pub fn derived(store: &mut Store, instance: &Instance, budget: &Budget) -> SolveReport {
    let query = TruthQuery { limits: &ExhaustLimits::default(), stop: &budget.stop(), search: Search::Quick };
    let by: Arc<str> = "exhaust".into();
    let answer = match truth::of_instance(store, instance, query) {
        Ok(CheckTruth::Sat(model)) => SolveAnswer::Sat { model: Some(*model), by, unchecked: None },
        Ok(CheckTruth::Unsat(_)) => {
            let proof = Proof::Closed { by, trusted: false, formulas: 1, used: 0, step: None };
            SolveAnswer::Unsat { core: Vec::new(), proof }
        }
        Err(why) => SolveAnswer::Unknown(why.to_string()),
    };
    SolveReport { answer, ..SolveReport::unknown(String::new()) }
}

/// Returns the refutation of assertions together with a definition that is not proved total, if its instances refute it.
fn refuted_definition(store: &mut Store, assertions: &[TermId], budget: &Budget, shared: &Shared) -> Option<Proof> {
    let declarations = shared.declarations.clone();
    let instance = Instance { declarations, assertions: assertions.to_vec(), ..Instance::default() };
    let stop = budget.within(PROVING).stop();
    let query = TruthQuery { limits: &ExhaustLimits::default(), stop: &stop, search: Search::Quick };
    let Ok(CheckTruth::Unsat(refutation)) = truth::of_instance(store, &instance, query) else { return None };
    let by = refutation.definition.map_or("exhaust".to_string(), |name| format!("the definition of {name}"));
    let (formulas, used) = (assertions.len(), assertions.len());
    Some(Proof::Closed { by: by.into(), trusted: false, formulas, used, step: None })
}

/// The time limit for proving that quantified assertions hold in another program's model.
const PROVING: Duration = Duration::from_secs(1);

/// Returns the answer that a model found by `by` (another program, if `external`) allows, and whether the model is wrong. Assertions not
/// evaluated in time are unknown. A quantified assertion that cannot be evaluated holds if its negation under the model is refuted.
pub fn checked(
    store: &mut Store,
    assertions: &[TermId],
    model: Model,
    (by, external): (&Arc<str>, bool),
    budget: &Budget,
) -> (SolveAnswer, bool) {
    let (mut open, mut decided) = (None, None);
    let mut evaluator = Evaluator::new(model, EvalLimits::default()).heeding(&budget.checking());
    // Another program's answer is returned without a proof; our own engines must have one.
    let proving = if external { budget.within(PROVING) } else { budget.clone() };
    for (n, &assertion) in assertions.iter().enumerate() {
        match eval_with(store, &mut evaluator, assertion) {
            Ok(Value::Bool(true)) => {}
            Ok(_) => {
                let why = format!("internal error: the model of {by} makes assertion {n} false; please report it");
                return (SolveAnswer::Unknown(why), true);
            }
            Err(_) if holds(store, assertion, evaluator.model(), &proving) => {}
            Err(_) if pcad::holds(store, assertion, evaluator.model(), &proving) => {
                decided = Some(format!("assertion {n} holds by p-cad, whose cells no evaluation checks"));
            }
            Err(unknown) => open = open.or(Some((n, unknown.reason))),
        }
    }
    let model = Arc::unwrap_or_clone(evaluator.model().clone());
    let sat = |unchecked| SolveAnswer::Sat { model: Some(model), by: Arc::clone(by), unchecked };
    match open {
        None => (sat(decided), false),
        Some((n, reason)) if external => {
            (sat(Some(format!("the value of assertion {n} is not known: {reason}"))), false)
        }
        Some((n, reason)) => {
            (SolveAnswer::Unknown(format!("the model of {by} cannot be checked: assertion {n}: {reason}")), false)
        }
    }
}

/// Whether a quantified assertion holds in a model, by a refutation of its negation.
#[cfg(feature = "sat")]
fn holds(store: &mut Store, assertion: TermId, model: &Model, budget: &Budget) -> bool {
    store.flags(assertion) & HAS_BINDER != 0 && Mbqi::new(&Params::default()).holds(store, assertion, model, budget)
}

#[cfg(not(feature = "sat"))]
fn holds(_: &mut Store, _: TermId, _: &Model, _: &Budget) -> bool {
    false
}
