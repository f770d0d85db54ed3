//! A round: applies passes to some problems, and compares the results with the problems.

use super::after::AfterPass;
use super::asking::{PassAsker, PassReply};
use super::command::PassSyntax;
use super::problem::PassProblem;
use super::truth::{WorldTruth, confirm};
use super::verdict::{PassVerdict, compare, judge, truth_of_goals};
use super::{PassDifference, PassTally};
use crate::evidence::DisagreementScript;
use rustc_hash::FxHashMap;
use solver::outcome::Answer;
use solver::process::{ProcessLimits, RunError};
use solver::session::{SessionNeeds, Solver};
use std::time::Duration;

/// The number of differences per pass whose wrong check and faulty step are sought: each takes some processes.
const EXAMINED: u64 = 5;

/// The time limit of a check that shows a difference.
const SHOWING_TIME: Duration = Duration::from_secs(10);

/// A solver whose passes are checked.
pub struct PassChecker {
    solver: Solver,
    syntax: PassSyntax,
    passes: Vec<String>,
    limits: ProcessLimits,
    /// CPU time of the solver's processes, except those that look for evidence.
    pub cpu: Duration,
    /// The counts of each pass.
    pub tallies: Vec<PassTally>,
}

impl PassChecker {
    /// Creates a checker with empty tallies.
    pub fn new(solver: Solver, syntax: PassSyntax, passes: Vec<String>, limits: ProcessLimits) -> PassChecker {
        let tallies = vec![PassTally::default(); passes.len()];
        PassChecker { solver, syntax, passes, limits, cpu: Duration::ZERO, tallies }
    }

    /// Returns the passes, in the order of [`PassChecker::tallies`].
    pub fn passes(&self) -> &[String] {
        &self.passes
    }

    /// Applies all passes to some problems and counts the results.
    /// Errors: the solver cannot be run.
    pub fn check(&mut self, problems: &[PassProblem]) -> Result<(), RunError> {
        let asker = PassAsker { solver: &self.solver, syntax: &self.syntax, limits: &self.limits };
        let replies = asker.ask(problems, &self.passes, &mut self.cpu)?;
        for (problem, replies) in problems.iter().zip(replies) {
            // Many passes leave many problems unchanged, so equal results are judged once.
            let mut known: FxHashMap<String, PassVerdict> = FxHashMap::default();
            for (n, reply) in replies.into_iter().enumerate() {
                self.tallies[n].asked += 1;
                let (verdict, after) = match self.read(problem, &reply) {
                    Err(Skipped::RunFailure(said)) => {
                        self.tallies[n].unanswered(&said);
                        continue;
                    }
                    Err(Skipped::Open(reason)) => {
                        self.tallies[n].open(&reason);
                        continue;
                    }
                    Ok(after) => {
                        let verdict = known.entry(after.script()).or_insert_with(|| judge(problem, &after)).clone();
                        (verdict, after)
                    }
                };
                let difference = match &verdict {
                    PassVerdict::Different => self.difference(n, problem, &after)?,
                    _ => None,
                };
                let tally = &mut self.tallies[n];
                match (verdict, difference) {
                    (_, Some(difference)) => tally.different(difference),
                    (PassVerdict::Different, None) => tally.open("a difference is not confirmed by the plain search"),
                    (PassVerdict::Kept { equivalent }, None) => {
                        tally.kept += 1;
                        tally.not_equivalent += u64::from(equivalent == Some(false));
                    }
                    (PassVerdict::ByChoice, None) => tally.by_choice += 1,
                    (PassVerdict::Open(reason), None) => tally.open(&reason),
                }
            }
        }
        Ok(())
    }

    fn read(&self, problem: &PassProblem, reply: &PassReply) -> Result<AfterPass, Skipped> {
        let text = match reply {
            PassReply::Text(text) => text,
            PassReply::Error(said) => return Err(Skipped::RunFailure(said.clone())),
            PassReply::Ended(status) => return Err(Skipped::RunFailure(format!("the process ended: {status:?}"))),
        };
        let installed = self.solver.installed();
        let misread = |text: &str| installed.profile.misread(installed.version.as_ref(), text).map(str::to_string);
        // What a version misreads, it also misprints.
        if let Some(spelling) = misread(&problem.assertions).or_else(|| misread(text)) {
            return Err(Skipped::Open(format!("this version misreads {spelling}")));
        }
        self.syntax.read(problem, text).map_err(Skipped::Open)
    }

    /// Returns a difference with its evidence; `None` if the plain search does not confirm it.
    fn difference(
        &self,
        pass: usize,
        problem: &PassProblem,
        after: &AfterPass,
    ) -> Result<Option<PassDifference>, RunError> {
        let script = after.script();
        let before = confirm(&format!("{}(check-sat)\n", problem.text())).pop();
        let truth = truth_of_goals(after, &confirm(&script));
        if before.is_none_or(|before| compare(&before, &truth) != PassVerdict::Different) {
            return Ok(None);
        }
        let name = &self.passes[pass];
        let is_examined = self.tallies[pass].different_count < EXAMINED;
        Ok(Some(PassDifference {
            pass: name.clone(),
            guilty: if is_examined { self.guilty(problem, name)? } else { name.clone() },
            script: self.syntax.script(problem, name),
            after: script.clone(),
            evidence: if is_examined { self.evidence(problem, name)? } else { DisagreementScript::NotSought },
            own: if is_examined { Some(self.own_answers(problem, &script)?) } else { None },
            truth,
            problem: problem.clone(),
        }))
    }

    /// Returns the first step of a pass that changes the truth, with the undecided steps before it.
    fn guilty(&self, problem: &PassProblem, pass: &str) -> Result<String, RunError> {
        let steps = self.syntax.steps(pass);
        let prefixes: Vec<String> = (0..=steps.len()).map(|n| self.syntax.pass_of(&steps[..n])).collect();
        let asker = PassAsker { solver: &self.solver, syntax: &self.syntax, limits: &self.limits };
        let replies = asker.ask(std::slice::from_ref(problem), &prefixes, &mut Duration::default())?;
        let mut right = None;
        for (n, reply) in replies.into_iter().flatten().enumerate() {
            match self.read(problem, &reply).map(|after| judge(problem, &after)) {
                Ok(PassVerdict::Kept { .. }) => right = Some(n),
                Ok(PassVerdict::Different) if n == 0 => return Ok(self.syntax.before_all_steps().to_string()),
                Ok(PassVerdict::Different) => return Ok(steps[right.unwrap_or(0)..n].join(" ")),
                _ => {}
            }
        }
        Ok(pass.to_string())
    }

    /// Returns a check that is wrong because of the pass.
    fn evidence(&self, problem: &PassProblem, pass: &str) -> Result<DisagreementScript, RunError> {
        let script = self.syntax.check(problem, pass);
        let wrong = match problem.truth {
            WorldTruth::Unsat => Answer::Sat,
            _ => Answer::Unsat,
        };
        match self.answers(&script)?.last() {
            Some(&answer) if answer == wrong => Ok(DisagreementScript::WrongCheck { script, said: wrong.word() }),
            _ => Ok(DisagreementScript::ValueOnly),
        }
    }

    /// Returns the solver's own answers to a problem, and to the goals.
    fn own_answers(&self, problem: &PassProblem, after: &str) -> Result<[&'static str; 2], RunError> {
        let before = self.answers(&format!("{}(check-sat)\n", problem.text()))?.last().map_or("nothing", |a| a.word());
        let goals = self.answers(after)?;
        let after = match &goals[..] {
            goals if goals.contains(&Answer::Sat) => "sat",
            goals if goals.iter().all(|answer| *answer == Answer::Unsat) => "unsat",
            _ => "unknown",
        };
        Ok([before, after])
    }

    fn answers(&self, script: &str) -> Result<Vec<Answer>, RunError> {
        let limits = ProcessLimits { wall: SHOWING_TIME, ..self.limits.clone() };
        let outcome = self.solver.check(script, SessionNeeds::INCREMENTAL, &limits)?;
        Ok(outcome.answers.iter().map(|check| check.answer).collect())
    }
}

/// Why a reply is skipped.
enum Skipped {
    /// The solver printed this message instead.
    RunFailure(String),
    /// Its answer cannot be read.
    Open(String),
}
