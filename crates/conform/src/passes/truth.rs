//! Decides by exhaustion whether the checks of a text are satisfiable.

use dashu_int::IBig;
use dashu_ratio::RBig;
use semantics::domain::Domains;
use semantics::truth::{self, CheckRefutation, CheckTruth, ExhaustLimits, NotFinite, OpenTruth, Search, TruthQuery};
use semantics::{EvalLimits, Evaluator, Model, Stop, Value};
use smtlib::{FuncId, Instance, Store, TermId};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The time limit of one check.
const TIME: Duration = Duration::from_millis(300);

/// The time limit of one check on which a disagreement depends.
const CONFIRM_TIME: Duration = Duration::from_secs(20);

/// The maximum number of symbols of infinite sorts that are given a few values.
const MAX_SAMPLED: usize = 8;

/// The verdict of exhaustion on a check.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum WorldTruth {
    /// An assignment satisfies the assertions.
    Sat {
        /// Satisfiable, depending on a value that the standard leaves open.
        by_choice: bool,
    },
    /// No assignment does, whatever values the standard leaves open.
    Unsat,
    /// Unknown, for this reason.
    Open(String),
}

impl WorldTruth {
    /// Returns the verdict in the spelling of an answer.
    pub fn word(&self) -> &'static str {
        match self {
            WorldTruth::Sat { .. } => "sat",
            WorldTruth::Unsat => "unsat",
            WorldTruth::Open(_) => "unknown",
        }
    }

    fn of(truth: Result<CheckTruth, OpenTruth>) -> WorldTruth {
        match truth {
            // Solvers interpret such a definition differently.
            Ok(CheckTruth::Unsat(CheckRefutation { definition: Some(_), .. })) | Err(OpenTruth::NotTotal(_)) => {
                WorldTruth::Open("a recursive definition is not proven total".to_string())
            }
            Ok(CheckTruth::Unsat(_)) => WorldTruth::Unsat,
            Ok(truth) => WorldTruth::Sat { by_choice: truth.is_by_choice() },
            Err(OpenTruth::NotFinite(reason)) => WorldTruth::Open(kind(&reason)),
            Err(OpenTruth::Incomplete) => WorldTruth::Open("the text uses nonstandard features".to_string()),
            Err(reason) => WorldTruth::Open(reason.to_string()),
        }
    }
}

/// Quickly decides every check of a text, parsed again. An unparsable text is one open check.
pub fn decide(text: &str, limits: &ExhaustLimits) -> Vec<WorldTruth> {
    of_each(text, |store, instance| {
        let stop = Stop { deadline: Instant::now().checked_add(TIME), cancelled: None };
        let query = TruthQuery { limits, stop: &stop, search: Search::Patient };
        match truth::of_instance(store, instance, query) {
            Err(OpenTruth::NotFinite(NotFinite::Constant { .. })) => sampled(store, instance.assertions.clone(), query),
            known => WorldTruth::of(known),
        }
    })
}

/// Decides every check of a text, parsed again, by the plain evaluator alone.
pub fn confirm(text: &str) -> Vec<WorldTruth> {
    // If there are too many assignments to try each, as for the bits of bit-vectors, many may be refuted at once.
    let unbounded = ExhaustLimits { assignments: u64::MAX, ..ExhaustLimits::default() };
    of_each(text, |store, instance| {
        let stop = Stop { deadline: Instant::now().checked_add(CONFIRM_TIME), cancelled: None };
        let query = TruthQuery { limits: &unbounded, stop: &stop, search: Search::Recorded };
        match truth::of_instance(store, instance, query) {
            Err(OpenTruth::NotFinite(_) | OpenTruth::Unresolved { .. }) => {
                let query = TruthQuery { limits: &ExhaustLimits::default(), search: Search::Quick, ..query };
                sampled(store, instance.assertions.clone(), query)
            }
            known => WorldTruth::of(known),
        }
    })
}

fn of_each(text: &str, mut truth: impl FnMut(&mut Store, &Instance) -> WorldTruth) -> Vec<WorldTruth> {
    let mut store = Store::new();
    let parsed = smtlib::parse(&mut store, text);
    if let Some(error) = parsed.errors.first() {
        return vec![WorldTruth::Open(format!("the text cannot be read: {}", error.message))];
    }
    parsed.script.each_instance().map(|instance| truth(&mut store, &instance)).collect()
}

/// Tries a few values of symbols that may have infinitely many: a satisfying assignment is a proof, but a failure proves nothing.
fn sampled(store: &mut Store, mut assertions: Vec<TermId>, query: TruthQuery<'_>) -> WorldTruth {
    let lost = || WorldTruth::Open("symbols are no longer confined to finite sets".to_string());
    for _ in 0..MAX_SAMPLED {
        match truth::of_formulas(store, &assertions, query) {
            Err(OpenTruth::NotFinite(NotFinite::Constant { symbol, sort, .. })) => {
                match infinite(store, &assertions, &symbol).and_then(|f| some_values(store, &assertions, f)) {
                    Some(guard) => assertions.push(guard),
                    None => return WorldTruth::Open(format!("a symbol of sort {sort} is not confined")),
                }
            }
            Err(reason @ OpenTruth::NotFinite(_)) => return WorldTruth::of(Err(reason)),
            Ok(sat @ CheckTruth::Sat(_)) => return WorldTruth::of(Ok(sat)),
            _ => break,
        }
    }
    lost()
}

/// Returns the symbol with this name in the assertions.
fn infinite(store: &Store, assertions: &[TermId], name: &str) -> Option<FuncId> {
    subterms(store, assertions).into_iter().find_map(|t| {
        let f = store.applied(t)?;
        (store.args(t).is_empty() && store.func(f).is_declared() && store.name(store.func(f).name) == name).then_some(f)
    })
}

/// Returns the constraint that a symbol has one of the values that terms without symbols have in the assertions, or any single value.
fn some_values(store: &mut Store, assertions: &[TermId], symbol: FuncId) -> Option<TermId> {
    const MOST: usize = 16;
    let sort = store.func(symbol).result;
    let constant = store.constant_of(symbol).ok()?;
    let any = Domains { store, model: &Model::new() }.any(sort).and_then(|value| value.to_term(store, sort));
    let mut values: Vec<TermId> = any.into_iter().collect();
    let mut evaluator = Evaluator::new(Model::new(), EvalLimits { steps: 64, ..EvalLimits::default() });
    for t in subterms(store, assertions) {
        if values.len() >= MOST || store.sort(t) != sort {
            continue;
        }
        let Ok(value) = evaluator.eval(store, t) else { continue };
        for value in near(value) {
            if let Some(value) = value.to_term(store, sort)
                && !values.contains(&value)
            {
                values.push(value);
            }
        }
    }
    let cases = values.into_iter().map(|value| store.eq(constant, value)).collect::<Result<Vec<_>, _>>().ok()?;
    (!cases.is_empty()).then(|| store.or(&cases))
}

/// Returns a value and neighbouring numbers.
fn near(value: Value) -> Vec<Value> {
    match &value {
        Value::Int(n) => vec![Value::Int(n - IBig::ONE), Value::Int(n + IBig::ONE), value],
        Value::Real(r) => {
            let (below, above) = (&**r - RBig::ONE, &**r + RBig::ONE);
            vec![Value::Real(Arc::new(below)), Value::Real(Arc::new(above)), value]
        }
        _ => vec![value],
    }
}

fn subterms(store: &Store, roots: &[TermId]) -> Vec<TermId> {
    let mut seen: rustc_hash::FxHashSet<TermId> = roots.iter().copied().collect();
    let mut list = roots.to_vec();
    let mut at = 0;
    while let Some(&t) = list.get(at) {
        at += 1;
        list.extend(store.args(t).iter().copied().filter(|&arg| seen.insert(arg)));
    }
    list
}

/// Returns a reason without symbol names, for counting.
fn kind(reason: &NotFinite) -> String {
    match reason {
        NotFinite::Constant { sort, .. } => format!("a symbol of sort {sort} is not confined"),
        NotFinite::TooLarge { .. } => "too many assignments".to_string(),
        NotFinite::Stopped => "there was no time".to_string(),
        NotFinite::Universe(_) => "an uninterpreted sort is not confined".to_string(),
    }
}
