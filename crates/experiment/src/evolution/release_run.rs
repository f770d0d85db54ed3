//! Runs all problems on one release, in as few processes as its batches allow.

use super::problems::{EvolutionProblem, EvolutionProblems, RightAnswer};
use anyhow::{Context, Result};
use oracle::{TestedSolver, translate};
use serde::{Deserialize, Serialize};
use smtlib::Store;
use solver::batch::{BatchSize, Lesson, MAX_BATCH};
use solver::outcome::{Answer, SolverOutcome};
use solver::process::{CancelToken, ProcessLimits};
use solver::session::SessionNeeds;

/// A release's verdict on a problem. Variants are ordered from best to worst. With several checks, the worst verdict applies.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ProblemVerdict {
    /// Every check with a known answer was answered rightly.
    Right,
    /// The release answered `unknown`.
    Unknown,
    /// The release reached a limit of time or memory.
    Limit,
    /// The release reports an error, or is known to misread the problem's syntax.
    Refused,
    /// The release crashed.
    Crash,
    /// The release answered `sat` where `unsat` is right.
    WrongSat,
    /// The release answered `unsat` where `sat` is right.
    WrongUnsat,
}

impl ProblemVerdict {
    /// Returns one or two words.
    pub fn describe(self) -> &'static str {
        match self {
            ProblemVerdict::Right => "right",
            ProblemVerdict::Unknown => "unknown",
            ProblemVerdict::Limit => "limit",
            ProblemVerdict::Refused => "refused",
            ProblemVerdict::Crash => "crash",
            ProblemVerdict::WrongSat => "wrong sat",
            ProblemVerdict::WrongUnsat => "wrong unsat",
        }
    }

    /// Whether an answer contradicts the truth.
    pub fn is_wrong(self) -> bool {
        matches!(self, ProblemVerdict::WrongSat | ProblemVerdict::WrongUnsat)
    }

    /// Whether it is a bug of the release: a wrong answer or a crash. `None` without an answer or crash.
    pub fn errs(self) -> Option<bool> {
        match self {
            ProblemVerdict::Right => Some(false),
            ProblemVerdict::Crash | ProblemVerdict::WrongSat | ProblemVerdict::WrongUnsat => Some(true),
            ProblemVerdict::Unknown | ProblemVerdict::Limit | ProblemVerdict::Refused => None,
        }
    }
}

/// The verdicts of one release on all problems.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct ReleaseRun {
    /// Its label, such as `z3@4.8.7`.
    pub label: String,
    /// [`EvolutionProblems::digest`] of the problems.
    pub problems: String,
    /// The CPU limit of a problem, in milliseconds.
    pub limit_ms: u64,
    /// Its verdict on each problem.
    pub verdicts: Vec<ProblemVerdict>,
    /// CPU time of each problem in microseconds; an equal share in a shared process.
    pub cpu_us: Vec<u64>,
    /// Problems answered wrongly after others in one process, but rightly alone. `verdicts` holds those alone.
    pub wrong_after_others: usize,
}

/// The problems for a release, with limits and a progress callback.
pub struct ReleaseQuestion<'q> {
    /// All problems.
    pub problems: &'q EvolutionProblems,
    /// Their digest.
    pub digest: &'q str,
    /// The limits of one problem.
    pub limits: ProcessLimits,
    /// Stops the work.
    pub cancel: &'q CancelToken,
    /// Called with the number of problems done.
    pub done: &'q (dyn Fn(u64) + Sync),
}

impl ReleaseQuestion<'_> {
    /// Runs all problems on a release. `None` if cancelled.
    ///
    /// # Errors
    /// The release cannot be run.
    pub fn ask(&self, target: &TestedSolver) -> Result<Option<ReleaseRun>> {
        let list = &self.problems.list;
        let limit = self.limits.script_cpu.unwrap_or(self.limits.wall);
        let mut run = ReleaseRun {
            label: target.label.clone(),
            problems: self.digest.to_string(),
            limit_ms: u64::try_from(limit.as_millis()).unwrap_or(u64::MAX),
            verdicts: Vec::with_capacity(list.len()),
            cpu_us: Vec::with_capacity(list.len()),
            wrong_after_others: 0,
        };
        let mut size = BatchSize::new(MAX_BATCH);
        while run.verdicts.len() < list.len() {
            if self.cancel.is_cancelled() {
                return Ok(None);
            }
            let next = &list[run.verdicts.len()..];
            let next = &next[..size.get().min(next.len())];
            if let Some(lesson) = self.ask_some(target, next, &mut run)? {
                size.learn(lesson);
            }
            (self.done)(next.len() as u64);
        }
        Ok(if self.cancel.is_cancelled() { None } else { Some(run) })
    }

    fn ask_some(
        &self,
        target: &TestedSolver,
        problems: &[EvolutionProblem],
        run: &mut ReleaseRun,
    ) -> Result<Option<Lesson>> {
        let texts: Vec<Option<String>> = problems.iter().map(|problem| rendered(problem, target)).collect();
        let asked: Vec<&str> = texts.iter().flatten().map(String::as_str).collect();
        let needs = |problem: &EvolutionProblem, text: &str| SessionNeeds::of_script(problem.answers.len(), text);
        let asked_of = problems.iter().zip(&texts).filter_map(|(problem, text)| Some(needs(problem, text.as_ref()?)));
        let together = asked_of.fold(SessionNeeds::SINGLE, |all, one| all | one);
        let outcomes = target.solver.check_batch(&asked, together, &self.limits);
        let outcomes = outcomes.with_context(|| format!("{} cannot be run", target.label))?;
        let lesson = (!outcomes.is_empty()).then(|| Lesson::of(&outcomes));
        let mut outcomes = outcomes.into_iter();
        for (problem, text) in problems.iter().zip(&texts) {
            let (Some(text), Some(batched)) = (text, text.as_ref().and_then(|_| outcomes.next())) else {
                run.verdicts.push(ProblemVerdict::Refused);
                run.cpu_us.push(0);
                continue;
            };
            let mut verdict = verdict(&batched.outcome, problem);
            if verdict.is_wrong() && batched.predecessors > 0 {
                // The preceding problems may be the cause, so the problem runs again alone.
                let alone = target.solver.check(text, needs(problem, text), &self.limits);
                let alone = self::verdict(&alone.with_context(|| format!("{} cannot be run", target.label))?, problem);
                run.wrong_after_others += usize::from(!alone.is_wrong());
                verdict = alone;
            }
            run.verdicts.push(verdict);
            run.cpu_us.push(u64::try_from(batched.outcome.cpu.as_micros()).unwrap_or(u64::MAX));
        }
        Ok(lesson)
    }
}

/// Returns the problem in the spelling of a release, or `None` if the release would misread it.
fn rendered(problem: &EvolutionProblem, target: &TestedSolver) -> Option<String> {
    let mut store = Store::new();
    let parsed = smtlib::parse(&mut store, &problem.text);
    let text = translate::script(&store, &parsed.script.commands, target);
    target.misread(&text).is_none().then_some(text)
}

/// Returns the worst verdict among the checks with a known right answer.
fn verdict(outcome: &SolverOutcome, problem: &EvolutionProblem) -> ProblemVerdict {
    let known = problem.answers.iter().enumerate().filter_map(|(at, right)| Some((at, (*right)?)));
    let one = |(at, right): (usize, RightAnswer)| {
        let said = outcome.answers.get(at).map_or(Answer::Missing, |check| check.answer);
        match (said, right) {
            (Answer::Sat, RightAnswer::Sat) | (Answer::Unsat, RightAnswer::Unsat) => ProblemVerdict::Right,
            (Answer::Sat, RightAnswer::Unsat) => ProblemVerdict::WrongSat,
            (Answer::Unsat, RightAnswer::Sat) => ProblemVerdict::WrongUnsat,
            (Answer::Unknown, _) => ProblemVerdict::Unknown,
            (Answer::Timeout | Answer::MemOut | Answer::OutputOut | Answer::Cancelled, _) => ProblemVerdict::Limit,
            (Answer::Crashed, _) => ProblemVerdict::Crash,
            (Answer::Void | Answer::Missing, _) => ProblemVerdict::Refused,
        }
    };
    known.map(one).max().unwrap_or(ProblemVerdict::Refused)
}
