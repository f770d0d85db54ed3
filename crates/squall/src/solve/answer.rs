//! The walk over a script: every check is answered, and what is asked about the answer after it.

use super::{Answer, Decider};
use anyhow::{Context, Result};
use semantics::domain::Domains;
use semantics::{Evaluator, Limits, Model, Verdict, validate};
use smtlib::printer::escape_string;
use smtlib::{Command, Instance, Script, Store, TermId};
use std::time::{Duration, Instant};

/// A script being answered.
pub struct Walk<'w> {
    store: &'w mut Store,
    decider: &'w dyn Decider,
    timeout: Option<Duration>,
    stats: bool,
    /// The model of the last check, as long as nothing was asserted, pushed or popped since.
    model: Option<Model>,
    /// Whether every check so far was answered `sat` or `unsat`.
    pub decided: bool,
}

impl<'w> Walk<'w> {
    /// A walk. `timeout` is for each check.
    pub fn new(store: &'w mut Store, decider: &'w dyn Decider, timeout: Option<Duration>, stats: bool) -> Walk<'w> {
        Walk { store, decider, timeout, stats, model: None, decided: true }
    }

    /// Answers all commands in order; `instances` are those of the checks among them.
    ///
    /// # Errors
    /// A model that cannot be printed.
    pub fn run(&mut self, commands: &[Command], instances: &[Instance], show_models: bool) -> Result<()> {
        let mut checks = instances.iter();
        let mut current = None;
        for command in commands {
            match command {
                Command::CheckSat | Command::CheckSatAssuming(_) | Command::CheckSatUsing(_) => {
                    current = checks.next();
                    let Some(instance) = current else { continue };
                    self.check(instance);
                    if show_models && self.model.is_some() {
                        self.show_model(instance)?;
                    }
                }
                Command::GetModel => match current.filter(|_| self.model.is_some()) {
                    Some(instance) => self.show_model(instance)?,
                    None => println!("(error \"there is no model: the last check was not answered sat\")"),
                },
                Command::GetValue(terms) => match current.filter(|_| self.model.is_some()) {
                    Some(instance) => self.show_values(instance, terms)?,
                    None => println!("(error \"there are no values: the last check was not answered sat\")"),
                },
                Command::Echo(text) => {
                    let mut line = String::new();
                    escape_string(text, &mut line);
                    println!("{line}");
                }
                Command::Exit => break,
                Command::SetInfo(..) | Command::SetOption(..) | Command::SetLogic(_) | Command::Query(_) => {}
                _ => self.model = None,
            }
        }
        Ok(())
    }

    fn check(&mut self, instance: &Instance) {
        self.model = None;
        let deadline = self.timeout.and_then(|t| Instant::now().checked_add(t));
        let mut lines = Vec::new();
        let answer = if instance.incomplete {
            Answer::Unknown("a command before this check is a solver's own and not understood".to_string())
        } else {
            self.decider.decide(self.store, &instance.assertions, deadline, &mut lines)
        };
        let (word, why) = match answer {
            // Whoever found the model: `sat` is said only of what the exact evaluator has found true.
            Answer::Sat(model) => match validate(self.store, &instance.assertions, model.clone()) {
                Verdict::Valid => {
                    self.model = Some(model);
                    ("sat", None)
                }
                verdict => ("unknown", Some(format!("the model found is not valid: {verdict:?}"))),
            },
            Answer::Unsat(why) => ("unsat", Some(why)),
            Answer::Unknown(why) => ("unknown", Some(why)),
        };
        self.decided &= word != "unknown";
        println!("{word}");
        if let Some(why) = why
            && (self.stats || word == "unknown")
        {
            eprintln!("squall: {word}: {why}");
        }
        if self.stats {
            lines.iter().for_each(|line| eprintln!("{line}"));
        }
    }

    /// The model with a value for every declared symbol, those that do not matter too.
    fn completed(&self, instance: &Instance) -> Model {
        let mut model = self.model.clone().unwrap_or_default();
        for command in &instance.declarations {
            let Command::DeclareFun(f) = command else { continue };
            if model.interpretation(*f).is_some() {
                continue;
            }
            let func = self.store.func(*f);
            let Some(value) = Domains { store: self.store, model: &model }.any(func.result) else { continue };
            let _ = match func.params.is_empty() {
                true => model.assign(self.store, *f, value),
                false => model.assign_table(self.store, *f, semantics::Table::new(Some(value))),
            };
        }
        model
    }

    fn show_model(&mut self, instance: &Instance) -> Result<()> {
        let model = self.completed(instance);
        let definitions = model.definitions(self.store, &instance.declarations).context("cannot print the model")?;
        let declared: Vec<_> = instance.declarations.iter().filter_map(|c| declared_name(self.store, c)).collect();
        let shown = definitions.into_iter().filter(|c| match c {
            Command::DefineFun(f) => declared.contains(&self.store.func(*f).name),
            _ => false,
        });
        let script = Script { commands: shown.collect() };
        println!("(\n{})", self.store.script_text(&script));
        Ok(())
    }

    fn show_values(&mut self, instance: &Instance, terms: &[TermId]) -> Result<()> {
        let mut evaluator = Evaluator::new(self.completed(instance), Limits::default());
        let mut pairs = Vec::with_capacity(terms.len());
        for &term in terms {
            let sort = self.store.sort(term);
            let value = evaluator.eval(self.store, term).ok().and_then(|v| v.to_term(self.store, sort));
            let Some(value) = value else {
                println!("(error \"the standard leaves the value of a term open\")");
                return Ok(());
            };
            pairs.push(format!("({} {})", self.store.term_text(term), self.store.term_text(value)));
        }
        println!("({})", pairs.join("\n "));
        Ok(())
    }
}

/// The name a command declares for a model to interpret.
fn declared_name(store: &Store, command: &Command) -> Option<smtlib::Symbol> {
    match command {
        Command::DeclareFun(f) => Some(store.func(*f).name),
        _ => None,
    }
}
