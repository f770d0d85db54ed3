//! Our answer to a script, as from `squall solve`, and whether its model holds for its readers.

use rewrite::passes::{PASSES, SPLITS};
use semantics::judge::settle;
use semantics::{EvalLimits, Judgement, UnknownReason};
use smtlib::Store;
use smtlib::strategy::{Strategy, parse_strategy};
use std::collections::BTreeMap;
use std::time::Duration;
use strategy::defaults::add_named_defaults;
use strategy::session::{ByStrategy, Session};
use strategy::{SolveAnswer, Solvers, vocabulary};

/// The time limit of one problem. Slower ones are undecided, and judge no answer.
const TIME: Duration = Duration::from_secs(2);

/// An answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answered {
    Sat,
    Unsat,
    Unknown(String),
}

impl Answered {
    /// The word, if it is `sat` or `unsat`.
    pub fn word(&self) -> Option<&'static str> {
        match self {
            Answered::Sat => Some("sat"),
            Answered::Unsat => Some("unsat"),
            Answered::Unknown(_) => None,
        }
    }
}

/// An answer, and what is wrong with it by itself.
pub struct Asked {
    pub answered: Answered,
    pub fault: Option<String>,
    /// Whether the model contains a choice that the standard leaves open.
    pub chosen: bool,
}

impl Asked {
    fn without_model(answered: Answered, fault: Option<String>) -> Asked {
        Asked { answered, fault, chosen: false }
    }
}

/// The other strategies for the problems, in turn: the default after each pass and each split, and the fuzzing solver for a while.
pub fn variants() -> Vec<Strategy> {
    let mut words = vocabulary();
    add_named_defaults(&mut words);
    let passes = PASSES.iter().map(|p| p.name).chain(SPLITS.iter().map(|s| s.name));
    let mut texts: Vec<String> = passes.map(|name| format!("(then {name} default)")).collect();
    texts.push("(using-params search :max-executions 20000)".to_string());
    texts.iter().map(|text| parse_strategy(text, &words).unwrap_or_else(|e| panic!("{text}: {e}"))).collect()
}

/// Answers a script with one check by a strategy, or by the default one of its logic. A panic counts as a fault.
pub fn answer(text: &str, strategy: Option<&Strategy>) -> Asked {
    std::panic::catch_unwind(|| answered(text, strategy)).unwrap_or_else(|_| {
        let why = "we panic".to_string();
        Asked::without_model(Answered::Unknown(why.clone()), Some(why))
    })
}

fn answered(text: &str, strategy: Option<&Strategy>) -> Asked {
    let mut decide = ByStrategy::new(Solvers::default(), &BTreeMap::new()).expect("no named strategies");
    decide.time = Some(TIME);
    if let Some(strategy) = strategy {
        decide.give(strategy).expect("the strategy names no solver");
    }
    let mut session = Session::new(&mut decide);
    let mut out = String::new();
    session.read(text, &mut out);
    let Some(report) = session.report() else {
        return Asked::without_model(Answered::Unknown(out.clone()), Some(format!("no check: {out}")));
    };
    let fault = report.internal_error.then(|| format!("internal error: {:?}", report.answer.reason()));
    let chosen = match &report.answer {
        SolveAnswer::Sat { model, .. } => model.as_ref().is_some_and(|m| !m.choices().is_empty()),
        SolveAnswer::Unsat { .. } => return Asked::without_model(Answered::Unsat, fault),
        SolveAnswer::Unknown(why) => return Asked::without_model(Answered::Unknown(why.clone()), fault),
    };
    let mut model = String::new();
    session.read("(get-model)", &mut model);
    Asked { answered: Answered::Sat, fault: fault.or_else(|| misjudged(text, &model)), chosen }
}

/// Returns what is wrong with a model's text for a reader without other information.
fn misjudged(text: &str, model: &str) -> Option<String> {
    let mut store = Store::new();
    let instance = smtlib::parse(&mut store, text).script.instances().remove(0);
    match settle(&mut store, &instance, model, EvalLimits::default(), &mut |_, _| None) {
        Ok((_, Judgement::Valid)) => None,
        // A quantifier over numbers: the engine refuted the negation under the model, which no reader can evaluate.
        Ok((_, Judgement::Unknown { reason: UnknownReason::Domain, .. })) => None,
        Ok((_, other)) => Some(format!("our model is judged {other:?}: {model}")),
        Err(error) => Some(format!("our model cannot be read: {error}: {model}")),
    }
}
