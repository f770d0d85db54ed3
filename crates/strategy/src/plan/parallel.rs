//! Parallel strategies: real threads, each with its own store; the others are cancelled once one has an answer.
//!
//! A store only grows, so its terms mean the same in every later copy: the thread with the accepted result returns its copy, which
//! replaces the original.

use super::{Gathered, StrategyPlan, continued};
use crate::claims::ProofRecorder;
use crate::outcome::{Subgoals, TacticFailure, TacticOutcome};
use crate::run::TacticRun;
use crate::shared_facts::SharedFacts;
use crate::trace::Trace;
use rewrite::Goal;
use smtlib::Store;
use solver::process::{CancelToken, lower_priority, processors};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::{Builder, JoinHandle};
use std::time::Duration;

/// The interval at which a waiting thread checks whether it must stop.
const TICK: Duration = Duration::from_millis(5);
/// The stack of a thread, in bytes of address space: strategies and proofs may nest a few hundred deep.
const STACK: usize = 64 << 20;

/// A thread's result.
struct Result {
    number: usize,
    outcome: TacticOutcome,
    store: Store,
    trace: Trace,
    claims: Option<ProofRecorder>,
}

/// A running thread, and its stop flag.
struct Runner {
    cancel: CancelToken,
    thread: JoinHandle<()>,
}

/// A plan in its own thread, at a lowered priority.
struct PlanThread<'p> {
    plan: &'p Arc<StrategyPlan>,
    number: usize,
    lowered: u32,
    /// The exchange between the branches of a goal, if this is one.
    facts: Option<SharedFacts>,
}

fn spawn(job: PlanThread<'_>, store: &Store, goal: Goal, run: &TacticRun, to: &Sender<Result>) -> Option<Runner> {
    let PlanThread { plan, number, lowered, facts } = job;
    let mut budget = run.budget.detached();
    budget.lemmas = budget.lemmas.map(|lemmas| lemmas.in_copy_of(store));
    let cancel = budget.cancel.clone();
    let mut store = store.clone();
    let (plan, to) = (Arc::clone(plan), to.clone());
    let claims = run.claims.clone();
    let mut inner = TacticRun { facts, claims, ..TacticRun::new(budget, Arc::clone(&run.shared), run.trace.fresh()) };
    let work = move || {
        if lowered > 0 {
            lower_priority(lowered);
        }
        let outcome = plan.run(&mut store, goal, &mut inner);
        // The receiver may be gone.
        let _ = to.send(Result { number, outcome, store, trace: inner.trace, claims: inner.claims });
    };
    let thread = Builder::new().name(format!("strategy {number}")).stack_size(STACK).spawn(work).ok()?;
    Some(Runner { cancel, thread })
}

/// Returns the next result. `None` when no thread is running (a thread that panicked sends nothing).
/// Errors: the run must stop.
fn receive(from: &Receiver<Result>, run: &TacticRun) -> std::result::Result<Option<Result>, TacticFailure> {
    loop {
        match from.recv_timeout(TICK) {
            Ok(result) => return Ok(Some(result)),
            Err(RecvTimeoutError::Disconnected) => return Ok(None),
            Err(RecvTimeoutError::Timeout) => run.budget.check().map_err(TacticFailure::from)?,
        }
    }
}

/// Stops all threads without waiting for them.
fn stop(runners: Vec<Runner>, run: &TacticRun) {
    for runner in &runners {
        runner.cancel.cancel();
    }
    run.shared.leave_behind(runners.into_iter().map(|runner| runner.thread));
}

/// How much the priority of plans beyond the number of processors is lowered, so that the first ones keep theirs almost to themselves: on
/// two processors, bitwuzla in parallel with a search and z3 takes 1.7 times its time alone with equal priorities, and 5 % longer with
/// this. Idle processors are not affected.
const SURPLUS: u32 = 15;

/// Runs all plans in parallel on the goal: the outcome of the first that ends without failing. The first written ones start first if
/// there are more than processors.
pub(crate) fn first(
    plans: &[Arc<StrategyPlan>],
    store: &mut Store,
    mut goal: Goal,
    run: &mut TacticRun,
) -> TacticOutcome {
    if let [only] = plans {
        return only.run(store, goal, run);
    }
    let root = run.shared.forks.fetch_add(1, Ordering::Relaxed);
    let facts = SharedFacts::of(&mut goal, root, store, &run.budget);
    run.budget = run.budget.cooperating();
    if run.budget.in_order {
        return in_order(plans, store, goal, run, &facts);
    }
    let (to, from) = channel();
    let processors = processors();
    let job = |(number, plan)| {
        let lowered = if number < processors { 0 } else { SURPLUS };
        PlanThread { plan, number, lowered, facts: Some(facts.of_branch(number)) }
    };
    let runners: Vec<Runner> =
        plans.iter().enumerate().map(job).filter_map(|job| spawn(job, store, goal.clone(), run, &to)).collect();
    drop(to);
    let mut failures: Vec<Option<TacticFailure>> = vec![None; plans.len()];
    let outcome = loop {
        match receive(&from, run) {
            Err(failure) => break TacticOutcome::Fail(failure),
            Ok(None) => break TacticOutcome::Fail(all_failed(&failures)),
            Ok(Some(result)) => {
                run.trace.adopt(result.trace);
                match result.outcome {
                    TacticOutcome::Fail(failure) => {
                        run.remember(&failure);
                        failures[result.number] = Some(failure);
                    }
                    outcome => {
                        *store = result.store;
                        run.claims = result.claims;
                        break outcome;
                    }
                }
            }
        }
    };
    stop(runners, run);
    outcome
}

/// Runs plans one after the other on the goal: the outcome of the first that does not fail.
fn in_order(
    plans: &[Arc<StrategyPlan>],
    store: &mut Store,
    goal: Goal,
    run: &mut TacticRun,
    facts: &SharedFacts,
) -> TacticOutcome {
    let outer = run.facts.take();
    let mut failures: Vec<Option<TacticFailure>> = vec![None; plans.len()];
    let mut end = None;
    for (number, plan) in plans.iter().enumerate() {
        run.facts = Some(facts.of_branch(number));
        match plan.run(store, goal.clone(), run) {
            TacticOutcome::Fail(failure) => {
                run.remember(&failure);
                failures[number] = Some(failure);
            }
            outcome => {
                end = Some(outcome);
                break;
            }
        }
    }
    run.facts = outer;
    end.unwrap_or_else(|| TacticOutcome::Fail(all_failed(&failures)))
}

/// Runs a plan in a thread of lower priority, which its programs inherit; a thread cannot raise its own again.
pub(crate) fn lowered(
    plan: &Arc<StrategyPlan>,
    by: u32,
    store: &mut Store,
    goal: Goal,
    run: &mut TacticRun,
) -> TacticOutcome {
    let (to, from) = channel();
    let runner = spawn(PlanThread { plan, number: 0, lowered: by, facts: run.facts.clone() }, store, goal, run, &to);
    drop(to);
    let outcome = match receive(&from, run) {
        Err(failure) => TacticOutcome::Fail(failure),
        Ok(None) => TacticOutcome::Fail(TacticFailure::Trouble("a thread ended without a result".to_string())),
        Ok(Some(result)) => {
            run.trace.adopt(result.trace);
            *store = result.store;
            run.claims = result.claims;
            result.outcome
        }
    };
    stop(runner.into_iter().collect(), run);
    outcome
}

fn all_failed(failures: &[Option<TacticFailure>]) -> TacticFailure {
    let text = |failure: &Option<TacticFailure>| match failure {
        Some(failure) => failure.to_string(),
        None => "ended without a result".to_string(),
    };
    let reasons: Vec<String> = failures.iter().map(text).collect();
    TacticFailure::Undecided(format!("all failed: {}", reasons.join("; ")))
}

/// Runs a plan on all subgoals in parallel, as many as there are processors.
pub(crate) fn all(plan: &Arc<StrategyPlan>, store: &mut Store, open: Subgoals, run: &mut TacticRun) -> TacticOutcome {
    // The steps of a refutation are in the terms of their own store, and only one store can be adopted.
    let jobs = if run.budget.in_order || run.claims.is_some() { 1 } else { processors() };
    run.budget = run.budget.cooperating();
    if jobs == 1 || open.branches.len() == 1 {
        return continued(store, TacticOutcome::Open(open), run, |store, goal, run, _| plan.run(store, goal, run));
    }
    let (to, from) = channel();
    let mut runners = Vec::new();
    let mut outcomes: Vec<Option<(TacticOutcome, Option<Store>)>> = (0..open.branches.len()).map(|_| None).collect();
    let mut started = 0;
    let mut running = 0usize;
    let end = loop {
        while running < jobs && started < open.branches.len() {
            let goal = open.branches[started].goal.clone();
            let job = PlanThread { plan, number: started, lowered: 0, facts: run.facts.clone() };
            let Some(runner) = spawn(job, store, goal, run, &to) else {
                break;
            };
            runners.push(runner);
            started += 1;
            running += 1;
        }
        if running == 0 {
            break None;
        }
        match receive(&from, run) {
            Err(failure) => break Some(TacticOutcome::Fail(failure)),
            Ok(None) => break None,
            Ok(Some(result)) => {
                running -= 1;
                run.trace.adopt(result.trace);
                match result.outcome {
                    TacticOutcome::Fail(failure) => break Some(TacticOutcome::Fail(failure)),
                    TacticOutcome::Sat(witness) => {
                        // One satisfiable subgoal suffices, whatever the others are.
                        *store = result.store;
                        let step = &open.branches[result.number];
                        break Gathered::new(&open).add(store, step, TacticOutcome::Sat(witness), run);
                    }
                    TacticOutcome::Unsat(_) => outcomes[result.number] = Some((result.outcome, None)),
                    TacticOutcome::Open(_) => outcomes[result.number] = Some((result.outcome, Some(result.store))),
                }
            }
        }
    };
    stop(runners, run);
    if let Some(end) = end {
        return end;
    }
    // Open subgoals use terms of their own store. One store can be adopted; if there are several, their subgoals are computed again, one
    // after the other.
    let stores = outcomes.iter().flatten().filter(|(_, store)| store.is_some()).count();
    continued(store, TacticOutcome::Open(open), run, |store, goal, run, n| match outcomes[n].take() {
        Some((outcome, None)) => outcome,
        Some((outcome, Some(own))) if stores == 1 => {
            *store = own;
            outcome
        }
        Some(_) => plan.run(store, goal, run),
        None => TacticOutcome::Fail(TacticFailure::Trouble("a thread ended without a result".to_string())),
    })
}
