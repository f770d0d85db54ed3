//! Compares two builds of a solver on the same scripts: answers, models, crashes and CPU time.

use super::focus::CoverageFocus;
use super::map::InputKind;
use super::mapping::MapPlan;
use super::scripts::MeasuredScript;
use anyhow::Result;
use oracle::model_oracle::{self, ScriptVerdict};
use oracle::tested::{self, ModelQuery};
use solver::outcome::{Answer, SolverOutcome};
use solver::process::{CancelToken, ProcessLimits};
use solver::session::{SessionNeeds, Solver};
use std::time::{Duration, Instant};

/// A build is slower if it takes this many times as long.
const SLOWER: f64 = 1.5;
/// And at least this much longer: less is noise.
const SLOWER_BY: Duration = Duration::from_millis(100);
/// The runs of each build that confirm a slowdown; the fastest counts.
const TIMED_RUNS: usize = 3;
/// The maximum number of seeds that are compared, those with the highest scores.
const MOST_SEEDS: usize = 200;

/// What differs.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum DifferenceKind {
    /// One says `sat` where the other says `unsat`, and the first is not known to be wrong.
    Contradiction,
    /// A model of the second makes an assertion false, and those of the first do not.
    WrongModel,
    /// The second crashes where the first does not.
    Crash,
    /// The first answers; the second does not.
    Lost,
    /// The second takes longer, in the fastest of three runs.
    Slower,
    /// The first contradicts the known answer, and the second gives it.
    Fixed,
}

impl DifferenceKind {
    /// Returns its name in logs.
    pub fn word(self) -> &'static str {
        match self {
            DifferenceKind::Contradiction => "contradiction",
            DifferenceKind::WrongModel => "wrong model",
            DifferenceKind::Crash => "crash",
            DifferenceKind::Lost => "lost",
            DifferenceKind::Slower => "slower",
            DifferenceKind::Fixed => "fixed",
        }
    }
}

/// A difference between two builds.
#[derive(Clone, PartialEq, Debug)]
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
    /// Whether scripts were left, for want of time.
    pub is_cut: bool,
    /// The differences, the most serious first.
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
    /// When to stop.
    pub until: Instant,
}

/// Compares builds on the seeds of a focus and on the problems of its themes, until the time is up or `cancel`.
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
        if cancel.is_cancelled() || Instant::now() >= pair.until {
            comparison.is_cut = true;
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

    /// Returns the most serious difference on a script, if it shows again in a second run of both builds.
    fn difference(&self, input: String, script: &MeasuredScript) -> Result<Option<BuildDifference>> {
        let (before, after) = (self.run(self.before, script)?, self.run(self.after, script)?);
        let Some(kind) = kind(&before, &after, &script.expected) else {
            return match is_slower(before.cpu, after.cpu) {
                true => self.slowness(input, script, (before.cpu, after.cpu)),
                false => self.wrong_model(input, script, &after),
            };
        };
        let again = (self.run(self.before, script)?, self.run(self.after, script)?);
        if self::kind(&again.0, &again.1, &script.expected) != Some(kind) {
            return Ok(None);
        }
        let (before, after) = (answers(&before), answers(&after));
        Ok(Some(BuildDifference { input, text: script.text.clone(), kind, before, after }))
    }

    /// Asks both builds for models where the second answered `sat`.
    fn wrong_model(
        &self,
        input: String,
        script: &MeasuredScript,
        answered: &SolverOutcome,
    ) -> Result<Option<BuildDifference>> {
        let is_sat = |check: usize| answered.answers.get(check).is_some_and(|one| one.answer == Answer::Sat);
        let Some(text) = model_oracle::asking_after(&script.text, is_sat, "(get-model)") else { return Ok(None) };
        let asking = MeasuredScript { text, checks: script.checks, expected: Vec::new() };
        let needs = SessionNeeds::of_script(asking.checks, &asking.text);
        let verdict = |solver: &Solver| -> Result<ScriptVerdict> {
            let (dialect, misreads) = (tested::dialect(solver.installed()), tested::misreads(solver.installed()));
            let asked = ModelQuery { solver, dialect: &dialect, misreads: &misreads };
            Ok(model_oracle::examine(asked, &asking.text, needs, self.limits)?.verdict)
        };
        let ScriptVerdict::Invalid(found) = verdict(self.after)? else { return Ok(None) };
        if matches!(verdict(self.before)?, ScriptVerdict::Invalid(_)) {
            return Ok(None);
        }
        let (before, after) = ("no wrong model".to_string(), found.description.lines().next().unwrap_or_default());
        let after = format!("a model that contradicts {after}");
        Ok(Some(BuildDifference { input, text: asking.text, kind: DifferenceKind::WrongModel, before, after }))
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

/// Returns the difference between two runs, their times aside.
fn kind(before: &SolverOutcome, after: &SolverOutcome, expected: &[String]) -> Option<DifferenceKind> {
    let pairs = || before.answers.iter().zip(&after.answers).map(|(one, other)| (one.answer, other.answer));
    let is_decided = |answer: Answer| matches!(answer, Answer::Sat | Answer::Unsat);
    let contradicts = |(one, other): (Answer, Answer)| is_decided(one) && is_decided(other) && one != other;
    let is_fixed = |at: usize, other: Answer| expected.get(at).is_some_and(|right| right == other.word());
    let mut contradictions = pairs().enumerate().filter(|(_, pair)| contradicts(*pair)).peekable();
    Some(match () {
        () if contradictions.peek().is_some() => match contradictions.all(|(at, (_, other))| is_fixed(at, other)) {
            true => DifferenceKind::Fixed,
            false => DifferenceKind::Contradiction,
        },
        () if before.crash.is_none() && after.crash.is_some() => DifferenceKind::Crash,
        () if pairs().any(|(one, other)| is_decided(one) && !is_decided(other)) => DifferenceKind::Lost,
        () => return None,
    })
}

fn is_slower(before: Duration, after: Duration) -> bool {
    after > before + SLOWER_BY && after.as_secs_f64() > SLOWER * before.as_secs_f64()
}

fn answers(outcome: &SolverOutcome) -> String {
    let all: Vec<String> = outcome.answers.iter().map(|check| check.answer.word().to_string()).collect();
    all.join(" ")
}
