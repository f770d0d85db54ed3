//! Decides who is right if two answers contradict each other.

use crate::small_problems::opponents::Opponent;
use mutate::problems::{SolverProblem, SymbolRole};
use semantics::judge::settle as settle_model;
use semantics::{EvalLimits, Judgement, Model};
use serde::Deserialize;
use smtlib::{Instance, Printer, Store, TermId};
use std::collections::BTreeMap;
use std::fmt::{Display, Formatter};
use std::time::Duration;
use strategy::session::{ByStrategy, CheckQuestion, Decide};
use strategy::{SolveAnswer, Solvers};

/// The explanation of a contradiction.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reason {
    /// The solver answers `unsat`, and `sat` with our model's values instead of the symbols.
    TheirWitness,
    /// The solver answers `sat`, and its model makes an assertion false, or the problem is unsatisfiable by construction.
    TheirModel,
    /// The solver answers differently when asked alone.
    Alone,
    /// A row of the table: the solver's known error.
    Known(String),
    /// The solver's model is right: we are wrong.
    Ours,
    /// To be explained by hand.
    Open(String),
}

impl Display for Reason {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Reason::TheirWitness => "it refutes a problem and accepts its witness",
            Reason::TheirModel => "its model makes an assertion false",
            Reason::Alone => "it answers otherwise alone",
            Reason::Known(why) | Reason::Open(why) => why,
            Reason::Ours => "WE ARE WRONG: its model is right",
        })
    }
}

/// A disagreement traced manually to a clause of the standard.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Explained {
    #[serde(default)]
    explained: Vec<Row>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    /// The solver with its version.
    solver: String,
    /// Its answer.
    answer: String,
    /// Texts that all occur in the script.
    contains: Vec<String>,
    /// The clause that supports our answer, and the solver's behavior.
    why: String,
}

impl Explained {
    pub fn built_in() -> Explained {
        toml::from_str(include_str!("explained.toml")).expect("the table is well-formed")
    }
}

/// Decides who is right.
pub fn settle(opponent: &Opponent, problem: &SolverProblem, own: &str, theirs: &str, explained: &Explained) -> Reason {
    let text = opponent.text(&problem.store, &problem.script);
    if opponent.alone(&text).is_some_and(|word| word != theirs) {
        return Reason::Alone;
    }
    let reason = if own == "sat" { refuted(opponent, problem) } else { satisfied(opponent, problem) };
    let applies = |row: &&Row| {
        row.solver == opponent.name
            && row.answer == theirs
            && row.contains.iter().all(|part| text.contains(part.as_str()))
    };
    match (reason, explained.explained.iter().find(applies)) {
        (Reason::Open(_), Some(row)) => Reason::Known(row.why.clone()),
        (reason, _) => reason,
    }
}

/// We have a model, and the solver answers `unsat`: what does it answer with the witness?
fn refuted(opponent: &Opponent, problem: &SolverProblem) -> Reason {
    let (mut store, instance) = copy(problem);
    let Some(model) = our_model(&mut store, &instance) else { return Reason::Open("our model is gone".to_string()) };
    let witness = match model.witness(&mut store, &instance) {
        Ok(witness) => witness,
        Err(error) => return Reason::Open(error.to_string()),
    };
    match opponent.alone(&opponent.text(&store, &witness)) {
        Some("sat") => Reason::TheirWitness,
        other => Reason::Open(format!("it says {} to the witness", other.unwrap_or("nothing"))),
    }
}

/// We refute, and the solver answers `sat`: is its model right?
fn satisfied(opponent: &Opponent, problem: &SolverProblem) -> Reason {
    match judged(opponent, problem) {
        _ if problem.shape == SymbolRole::Twin => Reason::TheirModel,
        Some(Judgement::Invalid { .. }) => Reason::TheirModel,
        Some(Judgement::Valid | Judgement::ValidCompleted) => Reason::Ours,
        other => Reason::Open(format!("its model is judged {}", other.map_or("not at all".to_string(), |j| brief(&j)))),
    }
}

fn brief(judgement: &Judgement) -> String {
    match judgement {
        Judgement::Unknown { reason, .. } => format!("unknown: {reason}"),
        Judgement::InvalidCompleted { .. } => "invalid with defaults".to_string(),
        other => format!("{other:?}"),
    }
}

/// Returns the evidence for a solver's answer to a problem that we do not decide.
pub fn between(opponent: &Opponent, problem: &SolverProblem, word: &str) -> String {
    let why = match (word, judged(opponent, problem)) {
        ("sat", Some(judgement)) => match judgement {
            Judgement::Valid | Judgement::ValidCompleted => "with a right model".to_string(),
            Judgement::Invalid { .. } => "with a wrong model".to_string(),
            other => format!("with a model judged {}", brief(&other)),
        },
        ("sat", None) => "without a model".to_string(),
        _ => "refutes it".to_string(),
    };
    format!("{} says {word} {why}", opponent.name)
}

/// Returns the verdict on the solver's model.
fn judged(opponent: &Opponent, problem: &SolverProblem) -> Option<Judgement> {
    let (mut store, instance) = copy(problem);
    let script = opponent.text(&problem.store, &problem.script);
    let text = |store: &Store, asked: &[TermId]| {
        let mut text = format!("(set-option :produce-models true)\n{script}(get-model)\n");
        if !asked.is_empty() {
            let mut printer = Printer::new(store, &opponent.dialect);
            text.push_str("(get-value (");
            for &t in asked {
                printer.term(t, &mut text);
                text.push(' ');
            }
            text.push_str("))\n");
        }
        text
    };
    let model = opponent.responses(&text(&store, &[])).into_iter().next()?;
    let mut ask = |store: &mut Store, asked: &[TermId]| {
        let mut said = opponent.responses(&text(store, asked)).into_iter();
        Some((said.next()?, said.next()?))
    };
    settle_model(&mut store, &instance, &model, EvalLimits::default(), &mut ask).ok().map(|s| s.1)
}

/// Parses the problem again.
fn copy(problem: &SolverProblem) -> (Store, Instance) {
    let mut store = Store::new();
    let parsed = smtlib::parse(&mut store, &problem.store.script_text(&problem.script));
    let instance = parsed.script.instances().remove(0);
    (store, instance)
}

/// Returns the model of our `sat`.
fn our_model(store: &mut Store, instance: &Instance) -> Option<Model> {
    let mut decide = ByStrategy::new(Solvers::default(), &BTreeMap::new()).ok()?;
    decide.time = Some(Duration::from_secs(20));
    let question = CheckQuestion { instance, using: None, cores: false, time: None };
    match decide.decide(store, &question).ok()?.answer {
        SolveAnswer::Sat { model, .. } => model,
        _ => None,
    }
}
