//! Solvers as judges of goals: many small questions to one process, each distinct one asked once.

use rewrite::complete::complete;
use semantics::{Model, read_model};
use smtlib::{Command, Instance, Printer, Store, TermId};
use solver::outcome::Answer;
use solver::process::ProcessLimits;
use solver::response::{Response, SatResponse, responses};
use solver::series::ScriptSeries;
use solver::session::SessionNeeds;
use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;
use strategy::external::add_fresh;
use strategy::solvers::SolverProgram;

/// A solver's verdict on a goal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Truth {
    /// Satisfiable, with the model as it was printed.
    Sat(String),
    Unsat,
    Unknown,
}

impl Truth {
    pub fn word(&self) -> &'static str {
        match self {
            Truth::Sat(_) => "sat",
            Truth::Unsat => "unsat",
            Truth::Unknown => "unknown",
        }
    }
}

/// The time limit of a solver for one goal.
const PATIENCE: Duration = Duration::from_secs(10);

/// A solver that remembers what it was asked.
pub struct Oracle {
    pub program: Arc<SolverProgram>,
    series: ScriptSeries,
    known: HashMap<String, Truth>,
    /// The number of questions, and of repeated ones.
    pub asked: [usize; 2],
}

impl Oracle {
    pub fn new(program: Arc<SolverProgram>) -> Oracle {
        let limits = ProcessLimits { wall: PATIENCE, ..ProcessLimits::default() };
        let series = ScriptSeries::new(program.solver.clone(), SessionNeeds::MODELS, limits);
        Oracle { program, series, known: HashMap::new(), asked: [0; 2] }
    }

    /// Forgets what was asked.
    pub fn forget(&mut self) {
        self.known.clear();
    }

    /// Returns the truth of a conjunction. If a shared process does not decide it, it is asked again, alone.
    pub fn truth(&mut self, store: &Store, instance: &Instance, formulas: &[TermId]) -> Truth {
        let text = self.script(store, instance, formulas);
        self.asked[0] += 1;
        if let Some(known) = self.known.get(&text) {
            self.asked[1] += 1;
            return known.clone();
        }
        let truth = match self.in_series(&text) {
            Truth::Unknown => self.alone(&text),
            truth => truth,
        };
        self.known.insert(text, truth.clone());
        truth
    }

    /// Returns the truth by a fresh process, for contradictory answers.
    pub fn truth_alone(&self, store: &Store, instance: &Instance, formulas: &[TermId]) -> Truth {
        self.alone(&self.script(store, instance, formulas))
    }

    /// The model behind a `sat`; none if it cannot be read.
    pub fn model(store: &mut Store, instance: &Instance, formulas: &[TermId], text: &str) -> Option<Model> {
        let declarations = declarations(store, instance, formulas);
        let instance = Instance { declarations, assertions: formulas.to_vec(), ..Instance::default() };
        let mut model = read_model(store, &instance, text).ok()?;
        complete(store, &mut model, formulas.iter().copied());
        Some(model)
    }

    fn in_series(&mut self, text: &str) -> Truth {
        let Ok(said) = self.series.script(&format!("{text}(check-sat)\n")) else { return Truth::Unknown };
        let said: Vec<Response<'_>> = responses(&said).filter(|r| *r != Response::Success).collect();
        match said[..] {
            [Response::Answer(SatResponse::Unsat)] => Truth::Unsat,
            [Response::Answer(SatResponse::Sat)] => match self.series.more("(get-model)") {
                Ok(model) => Truth::Sat(model),
                Err(_) => Truth::Unknown,
            },
            _ => Truth::Unknown,
        }
    }

    fn alone(&self, text: &str) -> Truth {
        let limits = ProcessLimits { wall: PATIENCE, ..ProcessLimits::default() };
        let text = format!("{text}(check-sat)\n(get-model)\n");
        let outcome = self.program.solver.check(&text, SessionNeeds::MODELS, &limits).expect("it was there");
        let check = outcome.answers.into_iter().next();
        match check.as_ref().map(|check| check.answer) {
            Some(Answer::Unsat) => Truth::Unsat,
            Some(Answer::Sat) => {
                check.and_then(|check| check.responses.into_iter().next()).map_or(Truth::Unknown, Truth::Sat)
            }
            _ => Truth::Unknown,
        }
    }

    fn script(&self, store: &Store, instance: &Instance, formulas: &[TermId]) -> String {
        let mut text = String::from("(set-option :produce-models true)\n(set-logic ALL)\n");
        let mut printer = Printer::new(store, &self.program.dialect);
        for command in declarations(store, instance, formulas) {
            printer.command(&command, &mut text);
            text.push('\n');
        }
        for &t in formulas {
            text.push_str("(assert ");
            printer.term(t, &mut text);
            text.push_str(")\n");
        }
        text
    }
}

fn declarations(store: &Store, instance: &Instance, formulas: &[TermId]) -> Vec<Command> {
    let mut all = instance.declarations.clone();
    add_fresh(store, formulas.iter().copied(), &mut all);
    all
}
