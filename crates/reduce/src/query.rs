//! What another solver is asked about one check of a script: its assertions alone, without options and tactics.
//!
//! Invariant: what is carried as text and constrains the check is asked, too. So a solver that refuses it has no say.

use crate::model_text;
use crate::subject::{WitnessValues, is_evaluable};
use semantics::Model;
use smtlib::{Command, Dialect, Instance, Script, Store};
use solver::install::InstalledSolver;
use solver::outcome::{Answer, SolverOutcome};
use solver::process::{CancelToken, ProcessLimits};
use solver::session::{SessionNeeds, Solver};
use std::sync::Arc;

/// A solver whose word is taken.
#[derive(Clone, Debug)]
pub struct TrustedSolver {
    /// The solver.
    pub solver: Solver,
    /// How it wants its input spelled.
    pub dialect: Dialect,
    /// Its name in reports.
    pub label: String,
}

impl TrustedSolver {
    /// A solver at hand.
    pub fn new(solver: Solver) -> TrustedSolver {
        let (dialect, label) = (dialect(solver.installed()), label(solver.installed()));
        TrustedSolver { solver, dialect, label }
    }

    /// The same, stopped by `token`.
    pub fn with_cancel(self, token: CancelToken) -> TrustedSolver {
        TrustedSolver { solver: self.solver.with_cancel(token), ..self }
    }

    /// What it says of a check.
    pub fn answer(&self, store: &Store, asked: AskedCheck<'_>, limits: &ProcessLimits) -> Answer {
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

    /// A model of a check that our evaluator agrees with, as text and read, if it finds one.
    ///
    /// # Errors
    /// The answer it gave, when there is no such model.
    pub fn model(
        &self,
        store: &mut Store,
        asked: AskedCheck<'_>,
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

/// A model with the text it was read from.
pub struct FoundModel {
    /// The solver's response.
    pub text: String,
    /// The model, completed by defaults.
    pub model: Model,
}

/// The model of a response, if under it (what it leaves out given defaults) every assertion is true.
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

/// Gives the declared functions that a model says nothing of a default: whatever it is, it is looked at, not believed.
pub fn complete(store: &mut Store, declarations: &[Command], model: &mut Model) {
    for command in declarations {
        if let Command::DeclareFun(f) = command
            && model.interpretation(*f).is_none()
        {
            let func = store.func(*f).clone();
            let Some(value) = crate::passes::defaults::value(store, func.result) else { continue };
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

/// How a script begins that names a logic: the printer may do so for functions as values.
pub(crate) const SET_LOGIC: &str = "(set-logic ";

/// One check of a script.
#[derive(Clone, Copy, Debug)]
pub struct AskedCheck<'a> {
    /// The script.
    pub script: &'a Script,
    /// What the check asks.
    pub instance: &'a Instance,
}

impl AskedCheck<'_> {
    /// The check as a script of its own, with the logic `ALL` where none is needed to read it. With `models` it asks for a model too.
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

    /// Everything up to the check that declares, asserts and moves levels, understood or not.
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

/// How a solver wants its input spelled.
pub fn dialect(installed: &InstalledSolver) -> Dialect {
    // A name the printer does not know is the profile's own affair.
    Dialect::renamed(installed.profile.renames(installed.version.as_ref()))
}

/// The name of a solver in reports, with its version where that is known and not in the name.
pub fn label(installed: &InstalledSolver) -> String {
    installed.label()
}
