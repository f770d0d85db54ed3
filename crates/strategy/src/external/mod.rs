//! `(solver SPEC)`: another program decides the goal; its model is read and judged, its `unsat` is trusted.

mod text;

use crate::incremental_process::{AskedGoal, How, IncrementalProcess, ProcessError, core_numbers};
use crate::outcome::{TacticFailure, TacticOutcome};
use crate::run::TacticRun;
use crate::solvers::{MOST_OUTPUT, SolverProgram, limits};
use crate::tactic::{Tactic, used_origins};
use rewrite::{Goal, complete::complete};
use semantics::judge::{AskValues, JudgeBounds, settle};
use semantics::{EvalLimits, Judgement};
use smtlib::{Instance, Store, TermId};
use solver::outcome::{Answer, SolverOutcome};
use solver::process::Ending;
use solver::response::SatResponse;
use std::fmt::Write;
use std::sync::Arc;
use std::time::{Duration, Instant};
use text::purpose;
pub use text::{add_fresh, declarations};

/// A solver program as a tactic.
pub struct External {
    /// The program.
    pub program: Arc<SolverProgram>,
    /// Options set in the script, as (key without colon, value).
    pub options: Vec<(String, String)>,
    /// The solver's own tactic for `(check-sat-using …)`.
    pub tactic: Option<String>,
}

/// The logic of the sent goal.
#[derive(Clone, Copy, PartialEq, Eq)]
enum GoalLogic {
    /// The input's if the goal is the input, else the smallest that fits.
    Named,
    /// `ALL`.
    All,
}

impl Tactic for External {
    fn apply(&self, store: &mut Store, goal: Goal, run: &mut TacticRun) -> TacticOutcome {
        let start = Instant::now();
        let outcome = self.outcome(store, goal, run);
        let gave_up = match &outcome {
            TacticOutcome::Fail(TacticFailure::Stopped(_)) => Some(match run.budget.left() {
                Some(Duration::ZERO) => "no answer before the time was up".to_string(),
                _ => "stopped".to_string(),
            }),
            TacticOutcome::Fail(failure) => Some(failure.to_string()),
            _ => None,
        };
        run.shared.note_asked(&self.program.label, start.elapsed(), gave_up);
        outcome
    }

    /// Returns all features: a program is asked about everything.
    fn takes(&self) -> u32 {
        u32::MAX
    }
}

impl External {
    fn outcome(&self, store: &mut Store, goal: Goal, run: &TacticRun) -> TacticOutcome {
        if let Some(outcome) = self.talked(store, &goal, run) {
            return outcome;
        }
        // Its exit is awaited once its model is judged.
        let (said, _ending) = match self.ask(store, &goal, run, &[]) {
            Ok(answered) => answered,
            Err(failure) => return TacticOutcome::Fail(failure),
        };
        let check = said.answers.last();
        match check.map_or(Answer::Missing, |check| check.answer) {
            Answer::Sat => {
                let response = check.and_then(|check| check.responses.first()).cloned();
                self.satisfied(store, &goal, run, response, &mut |store, asked| {
                    let (said, _ending) = self.ask(store, &goal, run, asked).ok()?;
                    let check = said.answers.into_iter().last().filter(|check| check.answer == Answer::Sat)?;
                    let mut responses = check.responses.into_iter();
                    Some((responses.next()?, responses.next()?))
                })
            }
            Answer::Unsat => {
                let core = check.and_then(|check| check.responses.iter().find_map(|r| core_numbers(r)));
                self.refuted(&goal, core.map(|numbers| numbers.into_iter().map(|n| n as usize).collect()))
            }
            other => TacticOutcome::Fail(self.why_not(other, &said, run)),
        }
    }
}

/// A goal as sent to an incremental process, and the process.
struct Exchange<'a> {
    asked: &'a AskedGoal,
    process: &'a mut IncrementalProcess,
}

impl External {
    /// Returns the outcome from an incremental process, if this goal shares formulas with the previous one. `None` if a fresh process
    /// must be used: for most goals, and whenever anything is unusual.
    fn talked(&self, store: &mut Store, goal: &Goal, run: &TacticRun) -> Option<TacticOutcome> {
        if self.tactic.is_some() || self.program.solver.is_builtin() {
            return None;
        }
        let processes = &self.program.processes;
        let logic = run.shared.logic.filter(|_| goal.depth == 0).map_or("ALL", |name| store.name(name)).to_string();
        let logic = self.logic(store, goal, run, &logic);
        let key = format!("{logic} {:?} {:?}", goal.wants, self.options);
        let asked = self.asked(store, goal, run);
        let (how, before) = processes.how(&key, &asked);
        let process = match how {
            How::Fresh => return None,
            How::Known(process) => Ok(*process),
            How::New => self.begin(goal, run, &logic),
        };
        let said = process.and_then(|mut process| {
            let said = process.check(&asked, &before, &run.budget)?;
            let outcome =
                self.outcome_there(store, goal, run, said, &mut Exchange { asked: &asked, process: &mut process })?;
            processes.keep(&key, process);
            Ok(outcome)
        });
        match (said, run.budget.check()) {
            (Ok(outcome), _) => outcome,
            (Err(_), Err(stopped)) => Some(TacticOutcome::Fail(stopped.into())),
            (Err(_), Ok(())) => {
                processes.failed(&key);
                None
            }
        }
    }

    /// Returns the outcome of an incremental process's answer. `None` for `unknown`: a fresh process may know more.
    fn outcome_there(
        &self,
        store: &mut Store,
        goal: &Goal,
        run: &TacticRun,
        said: SatResponse,
        exchange: &mut Exchange<'_>,
    ) -> Result<Option<TacticOutcome>, ProcessError> {
        let Exchange { asked, process } = exchange;
        Ok(match said {
            SatResponse::Unknown => None,
            SatResponse::Unsat if goal.wants.cores => Some(self.refuted(goal, process.core(asked, &run.budget)?)),
            SatResponse::Unsat => Some(self.refuted(goal, None)),
            SatResponse::Sat if !goal.wants.models => Some(TacticOutcome::sat(goal, None, &self.program.label, true)),
            SatResponse::Sat => {
                let model = process.say("(get-model)\n", &run.budget)?;
                let mut silent = None;
                let outcome = self.satisfied(store, goal, run, Some(model.clone()), &mut |store, terms| {
                    let mut text = String::new();
                    self.ask_values(store, terms, &mut text);
                    match process.say(&text, &run.budget) {
                        Ok(values) => Some((model.clone(), values)),
                        Err(error) => {
                            silent = Some(error);
                            None
                        }
                    }
                });
                match silent {
                    Some(error) => return Err(error),
                    None => Some(outcome),
                }
            }
        })
    }

    /// Starts an incremental process.
    fn begin(&self, goal: &Goal, run: &TacticRun, logic: &str) -> Result<IncrementalProcess, ProcessError> {
        let mut text = self.head(goal);
        let _ = writeln!(text, "(set-logic {logic})");
        let limits = limits(run.budget.left());
        // One that cannot be used interactively is waited for.
        let solver = self.program.with_cancel(run.budget.cancel.clone());
        let mut process =
            IncrementalProcess::start(&solver, purpose(goal), &limits).map_err(|_| ProcessError::Unusual)?;
        process.command(&text, &run.budget)?;
        Ok(process)
    }

    /// Returns `unsat`, by the formulas at these positions, or by all.
    fn refuted(&self, goal: &Goal, core: Option<Vec<usize>>) -> TacticOutcome {
        let all = || (0..goal.len()).collect();
        let mut positions: Vec<usize> = core.unwrap_or_else(all);
        positions.sort_unstable();
        positions.dedup();
        let (origins, used) = used_origins(goal, &positions);
        TacticOutcome::unsat(goal, origins, used, &self.program.label, true)
    }

    /// Asks about a goal, and for the values of some terms after the model.
    fn ask(
        &self,
        store: &Store,
        goal: &Goal,
        run: &TacticRun,
        values: &[TermId],
    ) -> Result<(SolverOutcome, Ending), TacticFailure> {
        let answered = self.ask_in(store, goal, run, values, GoalLogic::Named)?;
        match answered.0.answers.iter().any(|check| check.answer == Answer::Void) {
            // Some solvers do not know a logic, or not all of its features; a logic's name changes no meaning.
            true => self.ask_in(store, goal, run, values, GoalLogic::All),
            false => Ok(answered),
        }
    }

    fn ask_in(
        &self,
        store: &Store,
        goal: &Goal,
        run: &TacticRun,
        values: &[TermId],
        logic: GoalLogic,
    ) -> Result<(SolverOutcome, Ending), TacticFailure> {
        run.budget.check()?;
        let text = self.text(store, goal, run, values, logic);
        let solver = self.program.with_cancel(run.budget.cancel.clone());
        solver
            .answer(&text, purpose(goal), &limits(run.budget.left()))
            .map_err(|error| TacticFailure::Trouble(format!("cannot ask {}: {error}", self.program.label)))
    }

    /// Judges the model of a `sat`; `values` asks for the model again with the values of some terms. A wrong model is a failure of the
    /// solver; if a model cannot be judged, only the answer remains.
    fn satisfied(
        &self,
        store: &mut Store,
        goal: &Goal,
        run: &TacticRun,
        response: Option<String>,
        values: &mut AskValues<'_>,
    ) -> TacticOutcome {
        let bare = || TacticOutcome::sat(goal, None, &self.program.label, true);
        let installed = self.program.solver.installed();
        let is_exact = |text: &String| installed.miswritten(text).is_none();
        let Some(text) = response.filter(is_exact) else { return bare() };
        let assertions: Vec<TermId> = goal.terms().collect();
        let declarations = declarations(store, goal, run);
        let instance = Instance { declarations, assertions, ..Instance::default() };
        let bounds = JudgeBounds { limits: EvalLimits::default(), stop: run.budget.checking() };
        let mut exact = |store: &mut Store, asked: &[TermId]| {
            values(store, asked).filter(|(model, said)| is_exact(model) && is_exact(said))
        };
        let Ok((judge, judgement)) = settle(store, &instance, &text, bounds, &mut exact) else {
            return bare();
        };
        match judgement {
            Judgement::Valid | Judgement::ValidCompleted => {
                let mut model = judge.into_model();
                complete(store, &mut model, instance.assertions.iter().copied());
                TacticOutcome::sat(goal, Some(model), &self.program.label, true)
            }
            Judgement::Invalid { assertion, .. } => {
                let why = format!("{} gives a model in which formula {assertion} is false", self.program.label);
                TacticOutcome::Fail(TacticFailure::Trouble(why))
            }
            Judgement::InvalidCompleted { .. } | Judgement::Unknown { .. } => bare(),
        }
    }

    fn why_not(&self, answer: Answer, said: &SolverOutcome, run: &TacticRun) -> TacticFailure {
        if let Err(stopped) = run.budget.check() {
            return TacticFailure::Stopped(stopped);
        }
        let label = &self.program.label;
        let first = said.errors.first().and_then(|error| error.message.lines().next());
        let stderr = String::from_utf8_lossy(&said.stderr);
        let line = first.or_else(|| stderr.lines().next()).map(|line| format!(": {line}")).unwrap_or_default();
        match answer {
            Answer::Unknown => TacticFailure::Undecided(format!("{label} says unknown")),
            Answer::Crashed => TacticFailure::Trouble(format!("{label} crashed{line}")),
            Answer::OutputOut => {
                TacticFailure::Undecided(format!("{label} printed more than {} MiB", MOST_OUTPUT >> 20))
            }
            other => TacticFailure::Undecided(format!("{label} gave no answer ({}){line}", other.word())),
        }
    }
}
