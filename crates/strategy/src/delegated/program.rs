//! `(exec "COMMAND")`: a user's program as a step. It reads a goal and writes subgoals, with definitions for the model conversion.
//!
//! It is trusted that one of the subgoals is satisfiable if and only if the goal is, which every refutation through the step records; a
//! model is converted back by the definitions and must make the goal true.

use super::WayBack;
use super::reader::AppliedReader;
use super::steps::ExecGoals;
use crate::external::declarations;
use crate::outcome::{Subgoals, TacticFailure, TacticOutcome};
use crate::run::TacticRun;
use crate::solvers::{MOST_OUTPUT, limits};
use crate::tactic::Tactic;
use rewrite::{Conversion, Goal, GoalFormula, ModelConverter, PassResult};
use smtlib::{Command, Store};
use solver::frames::telling_line;
use solver::process::{self, MemoryGuard, ProcessJob, RunStatus};
use std::ffi::OsString;
use std::sync::Arc;

/// A user's program as a tactic.
pub struct ExecTactic {
    /// The program with its arguments, interpreted by `sh -c`.
    command: String,
    /// Its name in traces and proofs.
    name: Arc<str>,
}

impl ExecTactic {
    /// Makes the step without starting the program.
    pub fn new(command: &str) -> ExecTactic {
        ExecTactic { command: command.to_string(), name: format!("exec:{command}").into() }
    }

    /// Returns its name in traces and proofs.
    pub fn name(&self) -> Arc<str> {
        Arc::clone(&self.name)
    }

    fn steps(&self, store: &mut Store, goal: Goal, run: &TacticRun) -> Result<Vec<PassResult>, TacticFailure> {
        let declarations = declarations(store, &goal, run);
        let said = self.ask(&script(store, &goal, &declarations), run)?;
        let unread = |why: String| TacticFailure::Undecided(format!("{} wrote no goals: {why}", self.name));
        let ExecGoals { goals, definitions } =
            AppliedReader::over(store, &declarations).read_steps(&said).map_err(unread)?;
        let limit = run.budget.limits.goals;
        if goals.len() > limit {
            return Err(TacticFailure::TooLarge(format!("{} wrote more than {limit} subgoals", self.name)));
        }
        let way_back: Arc<WayBack> = Arc::new(WayBack {
            by: self.name(),
            converter: Some(ModelConverter::new(definitions)),
            goal: goal.terms().collect(),
        });
        // The origin of a subgoal's formulas is not reported, so it is all formulas.
        let origins = goal.origins();
        let steps = goals.into_iter().map(|(formulas, precision)| {
            let formulas = formulas.into_iter().map(|term| GoalFormula::new(term, origins.clone()));
            let mut subgoal = goal.clone().with(store, formulas);
            subgoal.precision = goal.precision.then(precision);
            PassResult::with(subgoal, ModelConverter::new(vec![Conversion::Custom(way_back.clone())]))
        });
        Ok(steps.collect())
    }

    /// Returns the program's output.
    fn ask(&self, script: &str, run: &TacticRun) -> Result<String, TacticFailure> {
        run.budget.check()?;
        let command = ["sh", "-c", &self.command].map(OsString::from);
        let limits = limits(run.budget.left());
        let job = ProcessJob {
            memory_guard: MemoryGuard::WatchedRss,
            cancel: Some(&run.budget.cancel),
            ..ProcessJob::new(&command, script.as_bytes(), &limits)
        };
        let name = &self.name;
        let ran = process::run(&job).map_err(|error| TacticFailure::Trouble(format!("{name}: {error}")))?;
        let how = match ran.status {
            RunStatus::Exited(0) => {
                let unread = |_| TacticFailure::Undecided(format!("{name} wrote no goals: it is not UTF-8"));
                return String::from_utf8(ran.stdout).map_err(unread);
            }
            RunStatus::OutputOut => {
                return Err(TacticFailure::TooLarge(format!("{name} wrote more than {} MiB", MOST_OUTPUT >> 20)));
            }
            RunStatus::TimedOut | RunStatus::CpuOut | RunStatus::Cancelled => {
                run.budget.check()?;
                RunStatus::Cancelled.to_string()
            }
            other => other.to_string(),
        };
        let line = telling_line(&ran.stderr);
        let line = if line.is_empty() { line } else { format!(": {line}") };
        Err(TacticFailure::Trouble(format!("{name} {how}{line}")))
    }
}

impl Tactic for ExecTactic {
    fn apply(&self, store: &mut Store, goal: Goal, run: &mut TacticRun) -> TacticOutcome {
        let formulas = goal.len();
        match self.steps(store, goal, run) {
            Ok(steps) => TacticOutcome::Open(Subgoals::trusted_step(&self.name, &self.name, formulas, steps)),
            Err(failure) => TacticOutcome::Fail(failure),
        }
    }

    /// Returns all features: a program is asked about everything.
    fn takes(&self) -> u32 {
        u32::MAX
    }
}

/// Prints a goal as a script: declarations, and an assertion for every formula.
fn script(store: &Store, goal: &Goal, declarations: &[Command]) -> String {
    let mut commands = declarations.to_vec();
    commands.extend(goal.terms().map(|term| Command::Assert(term, None)));
    store.script_text(&smtlib::Script { commands })
}
