//! Two builds of a solver on the same scripts: answers, errors, crashes and CPU time.

use super::focus::CoverageFocus;
use super::map::InputKind;
use super::mapping::MapPlan;
use super::scripts::MeasuredScript;
use anyhow::Result;
use serde::Serialize;
use solver::outcome::{Answer, SolverOutcome};
use solver::process::{CancelToken, ProcessLimits};
use solver::session::{SessionNeeds, Solver};
use std::time::Duration;

/// A build is slower if it takes this many times as long.
const SLOWER: f64 = 1.5;
/// And at least this much longer: less is noise.
const SLOWER_BY: Duration = Duration::from_millis(100);
/// The number of runs of each build behind a difference of time; the fastest counts.
const TIMED_RUNS: usize = 3;
/// The maximum number of seeds that are compared, those with the highest scores.
const MOST_SEEDS: usize = 200;

/// What differs.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum DifferenceKind {
    /// One says `sat` where the other says `unsat`.
    Contradiction,
    /// The second crashes where the first does not.
    Crash,
    /// The second does not answer what the first answers.
    Lost,
    /// The second takes longer, in each of three runs.
    Slower,
}

/// A difference between two builds.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct BuildDifference {
    /// The seed, or the theme with the number of the script.
    pub input: String,
    /// The script.
    pub text: String,
    /// What differs.
    pub kind: DifferenceKind,
    /// The answers of the build before, or its CPU time.
    pub before: String,
    /// Those of the build after.
    pub after: String,
}

/// The comparison of two builds.
#[derive(Default)]
pub struct BuildComparison {
    /// The number of scripts.
    pub scripts: u64,
    /// The differences, the gravest first.
    pub differences: Vec<BuildDifference>,
}

/// Two builds of a solver.
pub struct BuildPair<'s> {
    /// The build before the change.
    pub before: &'s Solver,
    /// The build after it.
    pub after: &'s Solver,
    /// The limits of a script.
    pub limits: &'s ProcessLimits,
}

/// Compares builds on the seeds of a focus and on the problems of its themes, until `cancel`.
/// Errors: a build cannot be run.
pub fn compare(
    pair: &BuildPair<'_>,
    plan: &MapPlan,
    focus: &CoverageFocus<'_>,
    cancel: &CancelToken,
) -> Result<BuildComparison> {
    let digests: Vec<&str> = focus.of_kind(InputKind::Seed).map(|one| &*one.input.digest).take(MOST_SEEDS).collect();
    let themes = focus.themes();
    let mut comparison = BuildComparison::default();
    for (name, script) in plan.scripts_of(&digests, &themes) {
        if cancel.is_cancelled() {
            break;
        }
        comparison.scripts += 1;
        comparison.differences.extend(pair.difference(name, &script)?);
    }
    comparison.differences.sort_by_key(|one| one.kind);
    Ok(comparison)
}

impl BuildPair<'_> {
    fn run(&self, solver: &Solver, script: &MeasuredScript) -> Result<SolverOutcome> {
        Ok(solver.check(&script.text, SessionNeeds::of_script(script.checks, &script.text), self.limits)?)
    }

    /// Returns the gravest difference on a script.
    fn difference(&self, input: String, script: &MeasuredScript) -> Result<Option<BuildDifference>> {
        let (before, after) = (self.run(self.before, script)?, self.run(self.after, script)?);
        let pairs = || before.answers.iter().zip(&after.answers).map(|(one, other)| (one.answer, other.answer));
        let is_decided = |answer: Answer| matches!(answer, Answer::Sat | Answer::Unsat);
        let contradicts = |(one, other)| is_decided(one) && is_decided(other) && one != other;
        let is_lost = |(one, other)| is_decided(one) && !is_decided(other);
        let kind = match () {
            () if pairs().any(contradicts) => DifferenceKind::Contradiction,
            () if before.crash.is_none() && after.crash.is_some() => DifferenceKind::Crash,
            () if pairs().any(is_lost) => DifferenceKind::Lost,
            () if is_slower(before.cpu, after.cpu) => return self.slowness(input, script, (before.cpu, after.cpu)),
            () => return Ok(None),
        };
        let (before, after) = (answers(&before), answers(&after));
        Ok(Some(BuildDifference { input, text: script.text.clone(), kind, before, after }))
    }

    fn slowness(
        &self,
        input: String,
        script: &MeasuredScript,
        (mut before, mut after): (Duration, Duration),
    ) -> Result<Option<BuildDifference>> {
        for _ in 1..TIMED_RUNS {
            before = before.min(self.run(self.before, script)?.cpu);
            after = after.min(self.run(self.after, script)?.cpu);
            if !is_slower(before, after) {
                return Ok(None);
            }
        }
        let [before, after] = [before, after].map(|time| format!("{:.2} CPU s", time.as_secs_f64()));
        Ok(Some(BuildDifference { input, text: script.text.clone(), kind: DifferenceKind::Slower, before, after }))
    }
}

fn is_slower(before: Duration, after: Duration) -> bool {
    after > before + SLOWER_BY && after.as_secs_f64() > SLOWER * before.as_secs_f64()
}

fn answers(outcome: &SolverOutcome) -> String {
    let all: Vec<String> = outcome.answers.iter().map(|check| check.answer.word().to_string()).collect();
    all.join(" ")
}
