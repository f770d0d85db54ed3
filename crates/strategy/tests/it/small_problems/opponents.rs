//! The solvers for comparison.

use smtlib::{Dialect, Printer, Script, Store};
use solver::batch::MAX_BATCH;
use solver::install::Fleet;
use solver::outcome::Answer;
use solver::process::ProcessLimits;
use solver::session::{SessionNeeds, Solver};
use std::time::Duration;

/// The solvers, unless `SQUALL_AGAINST` names others.
const SOLVERS: &str = "z3@5.4.1,cvc5@1.4.2";

/// The options that make solvers accept everything, by name prefix. They are in the scripts, because cvc5 forgets those of its command
/// line at `(reset)`.
const OPTIONS: &[(&str, &str)] = &[("cvc5", "(set-option :fp-exp true)\n(set-option :arrays-exp true)\n")];

/// The time limit of a solver for one problem.
const TIME: Duration = Duration::from_secs(2);

/// A solver.
pub struct Opponent {
    pub name: String,
    pub solver: Solver,
    pub dialect: Dialect,
    options: &'static str,
}

/// The solvers that are installed.
///
/// # Panics
/// One is required and not there.
pub fn opponents() -> Vec<Opponent> {
    let fleet = Fleet::of_user().ok();
    let names = std::env::var("SQUALL_AGAINST").unwrap_or_else(|_| SOLVERS.to_string());
    let found = names.split(',').filter_map(|name| {
        let fleet = fleet.as_ref()?;
        let installed = name.parse().ok().and_then(|spec| fleet.resolve(&spec).ok());
        let installed = testing::require(name, installed)?;
        let dialect = Dialect::renamed(installed.profile.renames(installed.version.as_ref()));
        let options = OPTIONS.iter().find(|o| name.starts_with(o.0)).map_or("", |o| o.1);
        Some(Opponent { name: name.to_string(), solver: fleet.solver(installed), dialect, options })
    });
    found.collect()
}

impl Opponent {
    /// Returns a script in the solver's spelling.
    pub fn text(&self, store: &Store, script: &Script) -> String {
        let mut text = self.options.to_string();
        let mut printer = Printer::new(store, &self.dialect);
        for command in &script.commands {
            printer.command(command, &mut text);
            text.push('\n');
        }
        text
    }

    /// Returns the answers to scripts with one check each; `None` without an answer in time.
    pub fn ask(&self, texts: &[String]) -> Vec<Option<&'static str>> {
        let limits = ProcessLimits { wall: TIME, ..ProcessLimits::default() };
        let mut words = Vec::with_capacity(texts.len());
        while words.len() < texts.len() {
            let rest: Vec<&str> = texts[words.len()..].iter().take(MAX_BATCH).map(String::as_str).collect();
            let together = self.solver.ask_together(&rest, SessionNeeds::SINGLE, &limits).expect("the solver runs");
            if together.asked == 0 {
                words.push(self.alone(rest[0]));
                continue;
            }
            words.extend(together.told.iter().map(|told| word(told.outcome.last_answer()).filter(|_| told.smooth)));
            // The script at which the process ended has no answer here.
            if together.told.len() < together.asked {
                words.push(None);
            }
        }
        words
    }

    /// Returns the answer in its own process.
    pub fn alone(&self, text: &str) -> Option<&'static str> {
        let limits = ProcessLimits { wall: 5 * TIME, ..ProcessLimits::default() };
        let outcome = self.solver.check(text, SessionNeeds::SINGLE, &limits).expect("the solver runs");
        word(outcome.last_answer())
    }

    /// Returns its responses to a script that asks for a model, and then for values, one each.
    pub fn responses(&self, text: &str) -> Vec<String> {
        let limits = ProcessLimits { wall: 5 * TIME, ..ProcessLimits::default() };
        let outcome = self.solver.check(text, SessionNeeds::MODELS, &limits).expect("the solver runs");
        outcome.answers.into_iter().last().map(|check| check.responses).unwrap_or_default()
    }
}

fn word(answer: Answer) -> Option<&'static str> {
    match answer {
        Answer::Sat => Some("sat"),
        Answer::Unsat => Some("unsat"),
        _ => None,
    }
}
