//! Questions to other solvers about one check of a script: its assertions alone, without options and tactics.
//!
//! Invariant: text that is carried without being parsed is included if it constrains the check. So a solver that rejects it has no say.

use crate::model_text;
use crate::subject::{WitnessValues, is_evaluable};
use oracle::model_oracle::{ScriptVerdict, examine};
use oracle::tested::{ModelQuery, misreads};
use semantics::Model;
use smtlib::{Command, Dialect, Instance, Script, Store};
use solver::install::InstalledSolver;
use solver::outcome::{Answer, SolverOutcome};
use solver::process::{CancelToken, ProcessLimits};
use solver::session::{SessionNeeds, Solver};
use std::sync::Arc;

/// A solver whose answers are trusted.
#[derive(Clone, Debug)]
pub struct TrustedSolver {
    /// The solver.
    pub solver: Solver,
    /// The spelling of its input.
    pub dialect: Dialect,
    /// Its name in reports.
    pub label: String,
}

impl TrustedSolver {
    /// Makes a trusted solver.
    pub fn new(solver: Solver) -> TrustedSolver {
        let (dialect, label) = (dialect(solver.installed()), label(solver.installed()));
        TrustedSolver { solver, dialect, label }
    }

    /// Makes the solver stop with `token`.
    pub fn with_cancel(self, token: CancelToken) -> TrustedSolver {
        TrustedSolver { solver: self.solver.with_cancel(token), ..self }
    }

    /// Returns its answer to a check.
    pub fn answer(&self, store: &Store, asked: CheckQuery<'_>, limits: &ProcessLimits) -> Answer {
        self.ask(&asked.text(store, &self.dialect, false), SessionNeeds::SINGLE, limits)
            .map_or_else(|answer| answer, |outcome| outcome.last_answer())
    }

    fn ask(&self, text: &str, needs: SessionNeeds, limits: &ProcessLimits) -> Result<SolverOutcome, Answer> {
        let installed = self.solver.installed();
        if installed.profile.misread(installed.version.as_ref(), text).is_some() {
            return Err(Answer::Void);
        }
        self.solver.check(text, needs | SessionNeeds::of_script(1, text), limits).map_err(|_| Answer::Missing)
    }

    /// Returns its answer to a check, and whether it gives a model that our evaluator accepts, computed irrational values included.
    pub fn judged_answer(&self, store: &Store, asked: CheckQuery<'_>, limits: &ProcessLimits) -> (Answer, bool) {
        let text = asked.text(store, &self.dialect, true);
        let installed = self.solver.installed();
        if installed.profile.misread(installed.version.as_ref(), &text).is_some() {
            return (Answer::Void, false);
        }
        let query = ModelQuery { solver: &self.solver, dialect: &self.dialect, misreads: &misreads(installed) };
        match examine(query, &text, SessionNeeds::of_script(1, &text), limits) {
            Ok(examined) => (examined.outcome.last_answer(), examined.verdict == ScriptVerdict::Valid),
            Err(_) => (Answer::Missing, false),
        }
    }

    /// Asks for a model of a check and validates it with our evaluator.
    /// Errors: the solver's answer, if there is no valid model.
    pub fn model(
        &self,
        store: &mut Store,
        asked: CheckQuery<'_>,
        limits: &ProcessLimits,
    ) -> Result<FoundModel, Answer> {
        let outcome = self.ask(&asked.text(store, &self.dialect, true), SessionNeeds::MODELS, limits)?;
        let answer = outcome.last_answer();
        let response = outcome.answers.into_iter().next().and_then(|check| check.responses.into_iter().next());
        let (Answer::Sat, Some(text)) = (answer, response) else { return Err(answer) };
        match validated(store, asked.instance, &text) {
            Some(model) => Ok(FoundModel { text, model }),
            None => Err(Answer::Sat),
        }
    }
}

/// A model with its source text.
pub struct FoundModel {
    /// The solver's response.
    pub text: String,
    /// The model, completed with defaults.
    pub model: Model,
}

/// Returns the model of a response if it makes every assertion true, after completion with defaults.
pub fn validated(store: &mut Store, instance: &Instance, response: &str) -> Option<Model> {
    if !is_evaluable(store, instance) {
        return None;
    }
    let mut model = model_text::read(store, &instance.declarations, response)?;
    complete(store, &instance.declarations, &mut model);
    let model = Arc::new(model);
    let holds = WitnessValues::new(Arc::clone(&model)).satisfy(store, instance);
    holds.then(|| Model::clone(&model))
}

/// Completes a model with defaults for missing functions; the result is checked, not believed.
pub fn complete(store: &mut Store, declarations: &[Command], model: &mut Model) {
    for command in declarations {
        if let Command::DeclareFun(f) = command
            && model.interpretation(*f).is_none()
        {
            let func = store.func(*f).clone();
            let Some(value) = crate::passes::values::plainest_value(store, func.result) else { continue };
            let assigned = match func.params.is_empty() {
                true => model.assign(store, *f, value),
                false => model.assign_table(store, *f, semantics::FunctionTable::new(Some(value))),
            };
            if assigned.is_ok() {
                model.mark_completed(*f);
            }
        }
    }
}

/// The beginning of a logic command: the printer may add one for functions as values.
pub(crate) const SET_LOGIC: &str = "(set-logic ";

/// One check of a script.
#[derive(Clone, Copy, Debug)]
pub struct CheckQuery<'a> {
    /// The script.
    pub script: &'a Script,
    /// The assertions of the check.
    pub instance: &'a Instance,
}

impl CheckQuery<'_> {
    /// Prints the check as a script of its own, with the logic `ALL` if no specific one is needed. `models` adds a request for a model.
    pub fn text(&self, store: &Store, dialect: &Dialect, models: bool) -> String {
        let mut script = Script::default();
        if models {
            script.commands.push(Command::SetOption(":produce-models".into(), "true".into()));
        }
        match self.instance.incomplete {
            true => self.carry(&mut script.commands),
            false => {
                script.commands.extend(self.instance.declarations.iter().cloned());
                script.commands.extend(self.instance.assertions.iter().map(|&t| Command::Assert(t, None)));
                script.commands.push(Command::CheckSat);
            }
        }
        if models {
            script.commands.push(Command::GetModel);
        }
        let body = crate::subject::text(store, &script, dialect);
        let has_logic = script.commands.iter().any(|command| matches!(command, Command::SetLogic(_)));
        if has_logic || body.starts_with(SET_LOGIC) { body } else { format!("{SET_LOGIC}ALL)\n{body}") }
    }

    /// Returns all commands up to the check that declare, assert or change levels, parsed or not.
    fn carry(&self, commands: &mut Vec<Command>) {
        let mut checks = 0;
        for command in &self.script.commands {
            let kept = match command {
                check if check.is_check() && checks == self.instance.check => {
                    let is_plain = matches!(check, Command::CheckSatUsing(_));
                    return commands.push(if is_plain { Command::CheckSat } else { check.clone() });
                }
                check if check.is_check() => {
                    checks += 1;
                    false
                }
                Command::Opaque(..) => !command.is_needless(),
                Command::SetLogic(_) | Command::Assert(..) | Command::Push(_) | Command::Pop(_) => true,
                Command::Reset | Command::ResetAssertions => true,
                Command::SetOption(key, _) => &**key == ":global-declarations",
                other => other.is_declaration(),
            };
            if kept {
                commands.push(command.clone());
            }
        }
    }
}

/// Returns the solver's input dialect.
pub fn dialect(installed: &InstalledSolver) -> Dialect {
    // Dialects unknown to the printer are handled by the profile.
    Dialect::renamed(installed.profile.renames(installed.version.as_ref())).of_solver(&installed.profile.name)
}

/// Returns a solver's label in reports: its name, with the version if known.
pub fn label(installed: &InstalledSolver) -> String {
    installed.label()
}
