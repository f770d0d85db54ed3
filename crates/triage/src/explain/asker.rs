//! Decides whether a solver is wrong on a script, with as many runs as needed, within the bound.

use super::script_query::ScriptQuery;
use finding::record::SymptomRepeats;
use oracle::candidate::own_cpu;
use reduce::bisect::{KnownWrong, VersionVerdict, verdict};
use solver::process::CancelToken;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// The number of runs that test whether an answer is stable.
pub const RUNS: u32 = 3;

/// The maximum number of runs per question for a solver that seldom fails.
const MOST_RUNS: u32 = 12;

/// The accepted probability that a solver with the initial failure rate passes for correct.
const MISSED: f64 = 0.05;

/// The CPU time limit of a question, relative to the script's own time, and its minimum.
const PATIENCE: u32 = 8;

const MIN_PATIENCE: Duration = Duration::from_secs(2);

/// Asks a solver about scripts.
pub struct ScriptAsker<'a> {
    /// The bound of all questions.
    pub bound: &'a ExplainBound,
    /// The failure.
    pub fact: &'a KnownWrong,
    /// How often the original script shows it.
    pub shown: SymptomRepeats,
    /// The maximum CPU time of its runs.
    pub cpu: Duration,
}

/// The result of a question.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RepeatedVerdict {
    /// What the solver does.
    pub did: VersionVerdict,
    /// How often the solver is wrong, if only in some runs although the original script fails in all.
    pub shown: Option<SymptomRepeats>,
}

impl<'a> ScriptAsker<'a> {
    /// Asks the original script several times. `None` if the time is up first.
    pub fn begin(bound: &'a ExplainBound, fact: &'a KnownWrong, script: &ScriptQuery) -> Option<ScriptAsker<'a>> {
        let mut asker = ScriptAsker { bound, fact, shown: SymptomRepeats { shown: 0, runs: 0 }, cpu: Duration::ZERO };
        for _ in 0..RUNS {
            let (did, cpu) = asker.once(script, None)?;
            asker.cpu = asker.cpu.max(cpu);
            asker.shown.runs += 1;
            asker.shown.shown += u32::from(did == VersionVerdict::Wrong);
        }
        Some(asker)
    }

    /// Asks a script. One wrong answer suffices; a right answer must repeat. `None` if the time is up first.
    pub fn verdict(&self, script: &ScriptQuery) -> Option<RepeatedVerdict> {
        let patience = (self.cpu * PATIENCE).max(MIN_PATIENCE);
        let (runs, mut shown) = (runs_for(self.shown), 0);
        for run in 1..=runs {
            let (did, _) = self.once(script, Some(patience))?;
            shown += u32::from(did == VersionVerdict::Wrong);
            let is_settled = match did {
                // If the original fails only sometimes, variants may as well.
                VersionVerdict::Wrong => run == 1 || !self.shown.confirmed(),
                VersionVerdict::Right => false,
                VersionVerdict::Undecided | VersionVerdict::Refused => true,
            };
            if is_settled {
                return Some(RepeatedVerdict { did, shown: None });
            }
        }
        let is_mixed = shown > 0;
        Some(RepeatedVerdict {
            did: if is_mixed { VersionVerdict::Wrong } else { VersionVerdict::Right },
            shown: is_mixed.then_some(SymptomRepeats { shown, runs }),
        })
    }

    /// Runs once and returns the CPU time.
    fn once(&self, script: &ScriptQuery, patience: Option<Duration>) -> Option<(VersionVerdict, Duration)> {
        if self.bound.is_over() {
            return None;
        }
        let mut question = script.question.clone();
        let given = [question.limits.script_cpu, patience, self.bound.left()];
        question.limits.script_cpu = given.into_iter().flatten().min();
        let solver = script.solver.clone().with_cancel(self.bound.cancel().clone());
        let (did, cpu) = match question.ask(&solver, &script.text) {
            Ok(reply) => (verdict(&reply, self.fact), reply.outcome.cpu),
            Err(_) => (VersionVerdict::Refused, Duration::ZERO),
        };
        self.bound.add(cpu);
        // An interrupted run says nothing about the solver.
        let is_cut = did == VersionVerdict::Undecided && self.bound.is_over();
        (!is_cut).then_some((did, cpu))
    }
}

/// A limit on CPU time, shared by any number of findings.
#[derive(Debug)]
pub struct ExplainBound {
    limit: Option<Duration>,
    cancel: CancelToken,
    own_before: Duration,
    solvers_ns: AtomicU64,
}

impl ExplainBound {
    /// Starts a limit; without a CPU limit only `cancel` ends it.
    pub fn new(limit: Option<Duration>, cancel: CancelToken) -> ExplainBound {
        ExplainBound { limit, cancel, own_before: own_cpu(), solvers_ns: AtomicU64::new(0) }
    }

    /// Returns the token that stops a solver's run.
    pub fn cancel(&self) -> &CancelToken {
        &self.cancel
    }

    /// Adds the CPU time of a solver's run.
    pub fn add(&self, cpu: Duration) {
        self.solvers_ns.fetch_add(u64::try_from(cpu.as_nanos()).unwrap_or(u64::MAX), Ordering::Relaxed);
    }

    /// Returns the remaining CPU time; `None` without a limit.
    pub fn left(&self) -> Option<Duration> {
        let used = own_cpu().saturating_sub(self.own_before);
        let used = used + Duration::from_nanos(self.solvers_ns.load(Ordering::Relaxed));
        self.limit.map(|limit| limit.saturating_sub(used))
    }

    /// Whether the limit is reached.
    pub fn is_over(&self) -> bool {
        self.cancel.is_cancelled() || self.left().is_some_and(|left| left.is_zero())
    }
}

/// Returns the number of runs that show whether a failure of the given rate is gone.
fn runs_for(shown: SymptomRepeats) -> u32 {
    if shown.confirmed() || shown.shown == 0 {
        return RUNS;
    }
    let share = f64::from(shown.shown) / f64::from(shown.runs);
    ((MISSED.ln() / (1.0 - share).ln()).ceil() as u32).clamp(RUNS, MOST_RUNS)
}

#[cfg(test)]
#[path = "../../tests/unit/asker.rs"]
mod tests;
