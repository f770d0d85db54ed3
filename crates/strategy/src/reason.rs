//! Why a strategy failed on a problem: its features that no engine of the strategy accepts.
//!
//! The last engine's message is about its own fragment ("not a linear constraint"), even for a problem about strings.

use crate::engines::ENGINES;
use crate::outcome::TacticFailure;
use crate::plan::StrategyPlan;
use crate::probes::Features;
use crate::run::AskedProgram;
use rewrite::{Goal, PassSettings, Wants};
use smtlib::{Command, Instance, Sort, Store, TermId, logic};
use std::time::Duration;

/// Descriptions of features. `FOREIGN` and binders other than quantifiers are described by [`describe`].
const WORDS: [(u32, &str); 10] = [
    (logic::ARRAYS, "arrays"),
    (logic::FUNCTIONS, "uninterpreted functions"),
    (logic::SORTS, "uninterpreted sorts"),
    (logic::BITVECTORS, "bit-vectors"),
    (logic::FLOATS, "floating point"),
    (logic::DATATYPES, "datatypes"),
    (logic::STRINGS, "strings"),
    (logic::INTEGERS, "integers"),
    (logic::REALS, "reals"),
    (logic::NONLINEAR, "nonlinear arithmetic"),
];

/// The advice if no engine accepts a problem.
const ADVICE: &str = "; a solver program may: (solver SPEC)";

/// Engines that accept all problems, and are useful for quantified ones.
const FOR_QUANTIFIERS: [&str; 2] = ["mbqi", "exhaust"];

/// Describes the features that no part of the strategy accepts, and the engines that do; `None` if each feature is accepted by some part,
/// or the failure is more informative.
pub fn of_failure(
    store: &mut Store,
    assertions: &[TermId],
    plan: &StrategyPlan,
    failure: &TacticFailure,
) -> Option<String> {
    if !matches!(failure, TacticFailure::Undecided(_) | TacticFailure::NotApplicable(_)) {
        return None;
    }
    let goal = Goal::of(store, assertions, Wants::MODELS, &PassSettings::default()).ok()?;
    let features = Features::of(store, &goal);
    let missing = features.needs() & !plan.takes();
    if missing == 0 {
        return None;
    }
    let is_for = |name: &str| missing & logic::QUANTIFIERS != 0 || !FOR_QUANTIFIERS.contains(&name);
    let able = ENGINES.iter().filter(|engine| engine.takes & missing == missing && is_for(engine.name));
    let mut able: Vec<&str> = able.map(|engine| engine.name).collect();
    able.dedup();
    let who = match able.is_empty() {
        false => format!("; {} does", able.join(" or ")),
        true => ADVICE.to_string(),
    };
    Some(format!("no engine of the strategy takes {}{who}", joined(&describe(&features, missing))))
}

/// Returns a reason with the programs asked, for how long, and why each gave up. `own` is the time of our own engines, before and in
/// parallel with these programs.
pub fn with_asked(why: &str, own: Option<Duration>, programs: &[AskedProgram]) -> String {
    if programs.is_empty() {
        return why.to_string();
    }
    let own = own.map(|time| format!("our own engines for {:.1} s", time.as_secs_f64()));
    let asked: Vec<String> = own.into_iter().chain(programs.iter().map(ToString::to_string)).collect();
    // Solver programs were asked already.
    let why = why.strip_suffix(ADVICE).unwrap_or(why);
    format!("{why}; asked: {}", asked.join(", "))
}

/// Describes why a check is not decided at all: unparsed text precedes it.
pub fn of_incomplete(store: &Store, instance: &Instance) -> String {
    let mut sorts: Vec<String> = Vec::new();
    let functions = instance.declarations.iter().filter_map(|command| match command {
        Command::DeclareFun(f) | Command::DefineFun(f) => Some(store.func(*f)),
        _ => None,
    });
    for sort in functions.flat_map(|f| f.params.iter().chain([&f.result])) {
        let mut stack = vec![*sort];
        while let Some(sort) = stack.pop() {
            if let Sort::Extension(..) = store.sorts.get(sort) {
                sorts.push(format!("`{}`", store.sort_text(sort)));
            }
            stack.extend(store.sorts.children(sort));
        }
    }
    sorts.sort_unstable();
    sorts.dedup();
    let what = match sorts.is_empty() {
        true => "commands or terms of a solver's own".to_string(),
        false => format!("terms of a solver's own theory, of sort {}", joined(&sorts)),
    };
    format!("{what} stand before this check and are not understood; no engine takes them")
}

/// Describes the features of a set.
fn describe(features: &Features, set: u32) -> Vec<String> {
    let mut words = Vec::new();
    if set & logic::QUANTIFIERS != 0 {
        words.push(if features.quantifiers { "quantifiers" } else { "lambda and match" }.to_string());
    }
    words.extend(WORDS.iter().filter(|(feature, _)| set & feature != 0).map(|(_, word)| word.to_string()));
    if set & logic::FOREIGN != 0 {
        words.push("maps, sequences or sorts of a solver's own".to_string());
    }
    words
}

/// Formats `a`, `a and b`, `a, b and c`.
fn joined(words: &[String]) -> String {
    match words {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}
