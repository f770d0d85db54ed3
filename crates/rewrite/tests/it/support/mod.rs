//! Random goals, and the required properties of a pass on them.

pub mod grammar;
#[path = "../../../../smtlib/tests/it/support/random.rs"]
mod random;
pub mod z3;

pub use random::Random;

use rewrite::{Goal, PassResult, PassSettings, Precision, Wants};
use semantics::cardinality::Cardinality;
use semantics::domain::Domains;
use semantics::truth::{CheckTruth, ExhaustLimits, Search, TruthQuery, of_formulas};
use semantics::{EvalLimits, Evaluator, Interpretation, Model, Stop, Verdict, validate};
use smtlib::{Command, FuncId, Instance, Store, TermId};

/// A script read.
pub struct Read {
    pub store: Store,
    pub instance: Instance,
}

/// Reads declarations and assertions that must be well-formed.
pub fn read(text: &str) -> Read {
    let mut store = Store::new();
    let parsed = smtlib::parse(&mut store, &format!("{text}(check-sat)"));
    assert!(parsed.errors.is_empty(), "{text}: {:?}", parsed.errors);
    let instance = parsed.script.instances().remove(0);
    Read { store, instance }
}

/// The goal of a script's assertions.
pub fn goal_of(read: &mut Read) -> Goal {
    match Goal::of(&mut read.store, &read.instance.assertions, Wants::ALL, &PassSettings::default()) {
        Ok(goal) => goal,
        Err(error) => panic!("{error}"),
    }
}

/// The formulas as text.
pub fn texts(store: &Store, goal: &Goal) -> Vec<String> {
    goal.terms().map(|t| store.term_text(t)).collect()
}

/// The declared symbols that occur in some terms, ascending.
pub fn symbols(store: &Store, terms: impl IntoIterator<Item = TermId>) -> Vec<FuncId> {
    let mut found = Vec::new();
    rewrite::walk::visit(store, terms, |t| found.extend(store.op(t).func()));
    found.sort_unstable();
    found.dedup();
    found
}

/// The maximum number of models tried.
const MAX_MODELS: u64 = 1 << 13;

/// Returns the first model of some formulas over finite sorts, by trying all: `Ok(None)` if there is none, `Err` if there are too many or
/// a formula's value is unknown.
pub fn brute_force(store: &Store, formulas: &[TermId]) -> Result<Option<Model>, ()> {
    let empty = Model::new();
    let domains = Domains { store, model: &empty };
    let mut total: u64 = 1;
    let mut places = Vec::new();
    for f in symbols(store, formulas.iter().copied()) {
        let Cardinality::Finite(size) = domains.cardinality(store.func(f).result) else { return Err(()) };
        if !store.func(f).params.is_empty() || size > 4096 {
            return Err(());
        }
        total = total.checked_mul(size).filter(|&n| n <= MAX_MODELS).ok_or(())?;
        places.push((f, size));
    }
    let mut open = false;
    for mut number in 0..total {
        let mut model = Model::new();
        for &(f, size) in &places {
            let value = domains.nth(store.func(f).result, number % size).ok_or(())?;
            model.assign(store, f, value).map_err(|_| ())?;
            number /= size;
        }
        let mut evaluator = Evaluator::new(model.clone(), EvalLimits::default());
        let mut unknown = false;
        let refuted = formulas.iter().any(|&t| {
            let truth = evaluator.truth(store, t);
            unknown |= truth.is_none();
            truth == Some(false)
        });
        match (refuted, unknown) {
            (true, _) => {}
            (false, true) => open = true,
            (false, false) => return Ok(Some(model)),
        }
    }
    if open { Err(()) } else { Ok(None) }
}

/// A decision procedure's answer: a model, none, or unknown.
pub fn decide(store: &mut Store, formulas: &[TermId], z3: &mut Option<z3::Z3>) -> Option<Option<Model>> {
    if let Ok(answer) = brute_force(store, formulas) {
        return Some(answer);
    }
    confined(store, formulas).or_else(|| z3.as_mut()?.decide(store, formulas))
}

/// Decides by exhaustion if guards confine every symbol.
fn confined(store: &mut Store, formulas: &[TermId]) -> Option<Option<Model>> {
    let limits = ExhaustLimits { evaluations: 1 << 12, ..ExhaustLimits::default() };
    let query = TruthQuery { limits: &limits, stop: &Stop::default(), search: Search::Quick };
    match of_formulas(store, formulas, query).ok()? {
        CheckTruth::Sat(model) => Some(Some(*model)),
        CheckTruth::Unsat(_) => Some(None),
    }
}

/// Checks that the steps' goals relate to the input according to their precision, where `expect` says whether the input is satisfiable,
/// and that their models convert to models of the input. Returns whether anything was decided.
pub fn check_step(
    text: &str,
    store: &mut Store,
    input: &[TermId],
    expect: bool,
    steps: &[PassResult],
    z3: &mut Option<z3::Z3>,
) -> bool {
    let shown = |store: &Store| {
        let goals: Vec<String> = steps.iter().map(|s| texts(store, &s.goal).join("\n    ")).collect();
        format!("{text}\n=>  {}", goals.join("\nor  "))
    };
    let mut satisfiable = false;
    for step in steps {
        let formulas: Vec<TermId> = step.goal.terms().collect();
        match decide(store, &formulas, z3) {
            None => return false,
            Some(None) => {}
            Some(Some(model)) => {
                satisfiable = true;
                if !step.goal.precision.keeps_sat() {
                    continue;
                }
                let left = model.clone();
                let model = match step.converter.convert(store, model, &rewrite::Stop::default()) {
                    Ok(model) => model,
                    Err(error) => panic!("{}\nthe model does not convert: {error}", shown(store)),
                };
                // Others' facts about the input may be added to the goal: so its symbols keep their values.
                for f in symbols(store, formulas.iter().copied()) {
                    if let (Some(Interpretation::Value(before)), Some(after)) =
                        (left.interpretation(f), model.interpretation(f))
                    {
                        let kept = Interpretation::Value(before.clone());
                        assert_eq!(*after, kept, "{}\nthe model converted has another value", shown(store));
                    }
                }
                let mut completed = model;
                rewrite::complete::complete(store, &mut completed, input.iter().copied());
                let verdict = validate(store, input, completed.clone());
                assert!(
                    !matches!(verdict, Verdict::Invalid { .. }),
                    "{}\nthe model converted does not satisfy the input: {completed:?}",
                    shown(store)
                );
            }
        }
    }
    let precision = steps.first().map_or(Precision::Exact, |s| s.goal.precision);
    if precision.keeps_sat() && satisfiable {
        assert!(expect, "{}\nthe result is satisfiable, the input is not", shown(store));
    }
    if precision.keeps_unsat() && !satisfiable {
        assert!(!expect, "{}\nthe input is satisfiable, the result is not", shown(store));
    }
    true
}

/// The declarations a script's text needs for a store's symbols that occur in terms.
pub fn declarations(store: &Store, formulas: &[TermId]) -> Vec<Command> {
    symbols(store, formulas.iter().copied())
        .into_iter()
        .filter(|&f| store.func(f).is_declared())
        .map(Command::DeclareFun)
        .collect()
}
