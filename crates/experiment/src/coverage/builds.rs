//! Compares two builds of a solver on the same scripts: answers, models, cores, proofs, crashes and CPU time.

use super::focus::CoverageFocus;
use super::map::InputKind;
use super::mapping::MapPlan;
use super::scripts::MeasuredScript;
use anyhow::Result;
use mutate::rng::RandomStream;
use oracle::model_oracle::{self, ScriptVerdict};
use oracle::proof_oracle::{self, GET_PROOF};
use oracle::relation::Relation;
use oracle::tested::{self, ModelQuery};
use smtlib::sexpr::with_status;
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
    /// The second contradicts the known answer, and the first gives it.
    WrongAnswer,
    /// A model of the second makes an assertion false, and those of the first do not.
    WrongModel,
    /// One says `sat` where the other says `unsat`, and the right answer is not known.
    Contradiction,
    /// The first says `sat` to an unsatisfiable core of the second.
    WrongCore,
    /// A proof of the second is broken, and that of the first is not, at least not in this way.
    BrokenProof,
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
            DifferenceKind::WrongAnswer => "wrong answer",
            DifferenceKind::WrongModel => "wrong model",
            DifferenceKind::Contradiction => "contradiction",
            DifferenceKind::WrongCore => "wrong core",
            DifferenceKind::BrokenProof => "broken proof",
            DifferenceKind::Crash => "crash",
            DifferenceKind::Lost => "lost",
            DifferenceKind::Slower => "slower",
            DifferenceKind::Fixed => "fixed",
        }
    }

    /// Whether the second build is wrong, whatever the first says.
    pub fn is_proven(self) -> bool {
        matches!(self, DifferenceKind::WrongAnswer | DifferenceKind::WrongModel)
    }

    /// Whether one of the builds must be wrong.
    pub fn is_wrong(self) -> bool {
        self <= DifferenceKind::BrokenProof
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

impl BuildDifference {
    /// One whose input is named later.
    fn told(text: String, kind: DifferenceKind, before: String, after: String) -> BuildDifference {
        BuildDifference { input: String::new(), text, kind, before, after }
    }
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
            if is_slower(before.cpu, after.cpu) {
                return self.slowness(input, script, (before.cpu, after.cpu));
            }
            let Some(found) = self.asked(script, &after)? else { return Ok(None) };
            let again = self.asked(script, &after)?;
            let is_shown = again.is_some_and(|again| again.kind == found.kind);
            return Ok(is_shown.then_some(BuildDifference { input, ..found }));
        };
        let again = (self.run(self.before, script)?, self.run(self.after, script)?);
        if self::kind(&again.0, &again.1, &script.expected) != Some(kind) {
            return Ok(None);
        }
        let at = before.answers.iter().zip(&after.answers).position(|(one, other)| one.answer != other.answer);
        let (before, after) = (told(&before, at), told(&after, at));
        let text = with_status(&script.text, script.expected.iter().map(|word| Some(&**word)));
        Ok(Some(BuildDifference { input, text, kind, before, after }))
    }

    /// Asks both builds for what they say besides answers.
    fn asked(&self, script: &MeasuredScript, answered: &SolverOutcome) -> Result<Option<BuildDifference>> {
        for ask in [BuildPair::wrong_model, BuildPair::wrong_core, BuildPair::broken_proof] {
            if let Some(found) = ask(self, script, answered)? {
                return Ok(Some(found));
            }
        }
        Ok(None)
    }

    /// Asks both builds for models where the second answered `sat`.
    fn wrong_model(&self, script: &MeasuredScript, answered: &SolverOutcome) -> Result<Option<BuildDifference>> {
        let is_sat = |check: usize| answered.answers.get(check).is_some_and(|one| one.answer == Answer::Sat);
        let Some(text) = model_oracle::asking_after(&script.text, is_sat, "(get-model)") else { return Ok(None) };
        let needs = SessionNeeds::of_script(script.checks, &text);
        let verdict = |solver: &Solver| -> Result<ScriptVerdict> {
            let (dialect, misreads) = (tested::dialect(solver.installed()), tested::misreads(solver.installed()));
            let asked = ModelQuery { solver, dialect: &dialect, misreads: &misreads };
            Ok(model_oracle::examine(asked, &text, needs, self.limits)?.verdict)
        };
        let ScriptVerdict::Invalid(found) = verdict(self.after)? else { return Ok(None) };
        if matches!(verdict(self.before)?, ScriptVerdict::Invalid(_)) {
            return Ok(None);
        }
        let after = format!("a model that contradicts {}", found.description.lines().next().unwrap_or_default());
        Ok(Some(BuildDifference::told(text, DifferenceKind::WrongModel, "no wrong model".to_string(), after)))
    }

    /// Asks the first build the core that the second gives for its first `unsat`.
    fn wrong_core(&self, script: &MeasuredScript, answered: &SolverOutcome) -> Result<Option<BuildDifference>> {
        let Some(check) = first_unsat(answered) else { return Ok(None) };
        // This relation draws nothing.
        let mut rng = RandomStream::from_seed(0);
        let Some((relation, text)) = Relation::begin("core", &script.text, check, &mut rng) else { return Ok(None) };
        let mut builds = [self.after, self.before].into_iter();
        let asked = relation.ask(self.after, &text, None, &mut |related| {
            let solver = builds.next().unwrap_or(self.before);
            solver.check(&related.text, SessionNeeds::of_script(1, &related.text), self.limits)
        })?;
        let (Some(_), Some((core, _))) = (asked.hit(), asked.second) else { return Ok(None) };
        let (before, after) = ("sat to the core alone".to_string(), "a core of an unsat".to_string());
        Ok(Some(BuildDifference::told(core.text, DifferenceKind::WrongCore, before, after)))
    }

    /// Asks both builds for proofs where the second answered `unsat`.
    fn broken_proof(&self, script: &MeasuredScript, answered: &SolverOutcome) -> Result<Option<BuildDifference>> {
        let options = &self.after.profile().options;
        let is_unsat = |check: usize| answered.answers.get(check).is_some_and(|one| one.answer == Answer::Unsat);
        let Some(text) =
            model_oracle::asking_after(&script.text, is_unsat, GET_PROOF).filter(|_| !options.proofs.is_empty())
        else {
            return Ok(None);
        };
        let needs = SessionNeeds::of_script(script.checks, &text) | SessionNeeds::PROOFS;
        let faults = |solver: &Solver| -> Result<Vec<String>> {
            let outcome = solver.check(&text, needs, self.limits)?;
            let faults = proof_oracle::judge(&outcome, solver, &text).faults;
            Ok(faults.into_iter().map(|fault| fault.hit.symptom).collect())
        };
        let found = faults(self.after)?;
        let before = if found.is_empty() { Vec::new() } else { faults(self.before)? };
        let new = found.into_iter().find(|symptom| !before.contains(symptom));
        let kind = DifferenceKind::BrokenProof;
        Ok(new.map(|after| BuildDifference::told(text.clone(), kind, "a proof without this fault".to_string(), after)))
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
    let is_right = |at: usize, answer: Answer| expected.get(at).is_some_and(|right| right == answer.word());
    let contradictions: Vec<_> = pairs().enumerate().filter(|(_, pair)| contradicts(*pair)).collect();
    Some(match () {
        () if contradictions.iter().any(|(at, (one, _))| is_right(*at, *one)) => DifferenceKind::WrongAnswer,
        () if contradictions.iter().any(|(at, (_, other))| !is_right(*at, *other)) => DifferenceKind::Contradiction,
        () if !contradictions.is_empty() => DifferenceKind::Fixed,
        () if before.crash.is_none() && after.crash.is_some() => DifferenceKind::Crash,
        () if pairs().any(|(one, other)| is_decided(one) && !is_decided(other)) => DifferenceKind::Lost,
        () => return None,
    })
}

fn first_unsat(outcome: &SolverOutcome) -> Option<usize> {
    outcome.answers.iter().position(|one| one.answer == Answer::Unsat)
}

fn is_slower(before: Duration, after: Duration) -> bool {
    after > before + SLOWER_BY && after.as_secs_f64() > SLOWER * before.as_secs_f64()
}

/// Returns the answer to a check, the last by default.
fn told(outcome: &SolverOutcome, at: Option<usize>) -> String {
    let (count, at) = (outcome.answers.len(), at.unwrap_or(outcome.answers.len().saturating_sub(1)));
    let word = outcome.answers.get(at).map_or("nothing", |check| check.answer.word());
    if count > 1 { format!("{word} to check {}", at + 1) } else { word.to_string() }
}
