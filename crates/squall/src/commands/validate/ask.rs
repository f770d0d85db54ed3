//! Gets the models of a script's checks, and values in them, from a solver.

use anyhow::{Context, Result};
use oracle::tested::spelling;
use smtlib::{Command, Dialect, Printer, Script, Store, TermId};
use solver::outcome::{Answer, SolverOutcome};
use solver::process::ProcessLimits;
use solver::session::{SessionNeeds, Solver};

/// A solver that gives models.
pub struct Asker {
    /// The solver.
    pub solver: Solver,
    /// Its dialect.
    pub dialect: Dialect,
    /// The limits of its processes.
    pub limits: ProcessLimits,
}

/// A solver's output for one check.
#[derive(Clone, Debug)]
pub struct ModelOfCheck {
    /// Its answer.
    pub answer: Answer,
    /// Its model, as printed.
    pub model: Option<String>,
    /// The message instead of a model.
    pub complaint: Option<String>,
}

/// The questions after the checks.
enum After<'a> {
    /// The model, after these checks.
    Models(&'a [bool]),
    /// The model and values of terms after this check, where the script ends.
    Values(usize, &'a [TermId]),
}

/// The logic of the sent script.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ScriptLogic {
    AsWritten,
    All,
}

impl Asker {
    /// Gets the models of all checks of a script.
    ///
    /// A script with several checks is first run for its answers: some solvers end at a `get-model` after `unsat`.
    /// Errors: the solver cannot run.
    pub fn models(&self, store: &Store, script: &Script) -> Result<Vec<ModelOfCheck>> {
        for command in &script.commands {
            if let Command::SetOption(key, value) = command
                && !self.keeps(key, value)
            {
                eprintln!("not sent to {}: (set-option {key} {value})", self.solver.installed().label());
            }
        }
        let checks = script.commands.iter().filter(|c| c.is_check()).count();
        let mut wanted = vec![true; checks];
        if checks > 1 {
            let outcome = self.run(store, script, &After::Models(&vec![false; checks]))?;
            wanted = outcome.answers.iter().map(|check| check.answer == Answer::Sat).collect();
        }
        let outcome = self.run(store, script, &After::Models(&wanted))?;
        let complaint = outcome.errors.first().map(|error| error.message.clone());
        let models = outcome.answers.into_iter().map(|check| ModelOfCheck {
            model: check.responses.into_iter().next().filter(|_| check.answer == Answer::Sat),
            answer: check.answer,
            complaint: complaint.clone(),
        });
        Ok(models.collect())
    }

    /// Gets the model of one check again, with the values of some terms; `None` if the solver does not give both, or misprints one.
    /// Errors: the solver cannot run.
    pub fn values(
        &self,
        store: &Store,
        script: &Script,
        check: usize,
        terms: &[TermId],
    ) -> Result<Option<(String, String)>> {
        let outcome = self.run(store, script, &After::Values(check, terms))?;
        let Some(answered) = outcome.answers.into_iter().nth(check) else { return Ok(None) };
        let is_exact = |text: &String| self.solver.installed().miswritten(text).is_none();
        let mut responses = answered.responses.into_iter().take_while(is_exact);
        Ok(match (answered.answer, responses.next(), responses.next()) {
            (Answer::Sat, Some(model), Some(values)) => Some((model, values)),
            _ => None,
        })
    }

    /// Runs the script, and again in the logic ALL after an error: some solvers lack operators in logics that they do not know,
    /// and a logic's name changes no formula's meaning.
    fn run(&self, store: &Store, script: &Script, after: &After<'_>) -> Result<SolverOutcome> {
        let incremental = |c: &Command| matches!(c, Command::Push(_) | Command::Pop(_) | Command::CheckSatAssuming(_));
        let checks = script.commands.iter().filter(|c| c.is_check()).count();
        let purpose = match checks > 1 || script.commands.iter().any(incremental) {
            true => SessionNeeds::MODELS | SessionNeeds::INCREMENTAL,
            false => SessionNeeds::MODELS,
        };
        let ask = |logic| {
            let name = self.solver.installed().spec.label();
            let text = self.text(store, script, after, logic);
            self.solver.check(&text, purpose, &self.limits).with_context(|| format!("cannot run {name}"))
        };
        let outcome = ask(ScriptLogic::AsWritten)?;
        match outcome.answers.iter().any(|check| check.answer == Answer::Void) {
            true => ask(ScriptLogic::All),
            false => Ok(outcome),
        }
    }

    /// Whether an option is sent: if it changes the meaning of a script, or this solver is known to have it.
    fn keeps(&self, key: &str, value: &str) -> bool {
        key == ":global-declarations" || spelling(self.solver.installed()).keeps_option(key, value)
    }

    fn text(&self, store: &Store, script: &Script, after: &After<'_>, logic: ScriptLogic) -> String {
        let mut text = String::from("(set-option :produce-models true)\n");
        let mut printer = Printer::new(store, &self.dialect);
        let mut check = 0;
        let named = script.commands.iter().find_map(|command| match (command, logic) {
            (Command::SetLogic(_), ScriptLogic::All) => Some("ALL"),
            (Command::SetLogic(named), ScriptLogic::AsWritten) => Some(store.name(*named)),
            _ => None,
        });
        if let Some(logic) = self.dialect.logic(named, || smtlib::logic::of_script(store, script)) {
            text.push_str("(set-logic ");
            smtlib::printer::quote_symbol(&logic, &mut text);
            text.push_str(")\n");
        }
        for command in &script.commands {
            match command {
                Command::SetLogic(_) => continue,
                Command::Exit => break,
                Command::GetModel | Command::GetValue(_) | Command::Echo(_) | Command::Query(_) => continue,
                Command::SetOption(key, value) if !self.keeps(key, value) => continue,
                Command::SetInfo(..) | Command::Erroneous(_) => continue,
                _ => {}
            }
            printer.command(command, &mut text);
            text.push('\n');
            if !command.is_check() {
                continue;
            }
            match after {
                After::Models(wanted) if wanted.get(check) == Some(&true) => text.push_str("(get-model)\n"),
                After::Values(number, terms) if *number == check => {
                    text.push_str("(get-model)\n(get-value (");
                    for &term in *terms {
                        text.push('\n');
                        printer.term(term, &mut text);
                    }
                    text.push_str("))\n");
                    break;
                }
                _ => {}
            }
            check += 1;
        }
        text
    }
}
