//! The truth of a check: the only way to call exhaustion.
//!
//! [`of_instance`] and [`of_check`] own the side conditions of a certificate. Unknown commands leave a check open, and so does a live
//! recursive definition that is not proven total, whether an assertion mentions it or not: by SMT-LIB (2.7, 4.2.3) a definition is an
//! assertion over all its parameters, which may be unsatisfiable. Such a check is never `sat`. It is `unsat` if the other assertions are
//! refuted, or instances of the definitions refute each other. A definition may also certify `unsat`, as the module `identity` says.

mod definitions;
mod heaps;
mod hidden;
mod identity;
mod instances;
mod known;
pub mod optimum;
mod orders;
pub mod witness;

pub use crate::exhaust::{ExhaustLimits, Exhaustion, NotFinite, Unresolved};
pub use hidden::{mentions_hidden, without_hidden};
pub use known::{CheckRefutation, CheckTruth, OpenTruth};

use crate::eval::Evaluator;
use crate::exhaust::horn::{self, Fixpoint};
use crate::exhaust::{ExhaustiveAnswer, World, decide, exhaust, proper_parts};
use crate::meter::Stop;
use crate::symbols::mentioned_deeply;
use crate::totality::Totality;
use crate::value::Value;
use smtlib::{Command, FuncBody, FuncId, Instance, Store, TermId};

/// Horn clauses whose relations have at most this many points are decided like other formulas, by trying all relations.
const FEW_POINTS: u64 = 12;

/// How all assignments are tried.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Search {
    /// By compiled code; the plain evaluator decides open assignments, and checks a model.
    Quick,
    /// Like [`Quick`](Self::Quick). If there are too many assignments, by the plain evaluator without that bound, since a partial
    /// assignment may refute many at once.
    Patient,
    /// By the plain evaluator alone, with a record of what it refuted.
    Recorded,
}

/// The limits and method of a query.
#[derive(Clone, Copy, Debug)]
pub struct TruthQuery<'a> {
    /// The bounds of one exhaustion.
    pub limits: &'a ExhaustLimits,
    /// When to stop.
    pub stop: &'a Stop,
    /// How assignments are tried.
    pub search: Search,
}

/// Decides a check of a script.
/// Errors: [`OpenTruth`] says why it is not decided.
pub fn of_instance(store: &mut Store, instance: &Instance, query: TruthQuery<'_>) -> Result<CheckTruth, OpenTruth> {
    if let Some(rules) = &instance.rules {
        return of_rules(store, rules, instance, query);
    }
    if instance.may_be_weaker {
        return Err(OpenTruth::Incomplete);
    }
    match of_understood(store, instance, query) {
        // Commands carried as text may be false; a contradiction holds regardless.
        Ok(CheckTruth::Sat(_)) if instance.incomplete => Err(OpenTruth::Incomplete),
        truth => truth,
    }
}

/// Decides a query of rules by the least relations that satisfy them: `sat` if they contain a fact of the asked one.
fn of_rules(
    store: &mut Store,
    rules: &[TermId],
    instance: &Instance,
    query: TruthQuery<'_>,
) -> Result<CheckTruth, OpenTruth> {
    let goal = *instance.assertions.first().ok_or(OpenTruth::Rules)?;
    let relation = store.relation_of(goal).ok_or(OpenTruth::Rules)?;
    if let Some(name) = unproven(store, &instance.declarations) {
        return Err(OpenTruth::NotTotal(name.to_string()));
    }
    if !horn::are_rules(store, rules) {
        return Err(OpenTruth::Rules);
    }
    let Some(Fixpoint::Sat(model)) = horn::fixpoint(store, rules, query.limits, query.stop) else {
        return Err(OpenTruth::Rules);
    };
    // No rule mentions it otherwise.
    let is_known = mentioned_deeply(store, rules).contains(&relation);
    let holds = is_known.then(|| Evaluator::new(model.clone(), query.limits.each).eval(store, goal));
    match holds {
        Some(Ok(Value::Bool(true))) => Ok(CheckTruth::Sat(Box::new(model))),
        Some(Ok(Value::Bool(false))) | None => {
            let underived = Some(store.name(store.func(relation).name).into());
            Ok(CheckTruth::Unsat(CheckRefutation { underived, ..CheckRefutation::default() }))
        }
        Some(_) => Err(OpenTruth::Rules),
    }
}

fn of_understood(store: &mut Store, instance: &Instance, query: TruthQuery<'_>) -> Result<CheckTruth, OpenTruth> {
    if let Some(f) = identity::refuting(store, instance, query.limits.each, query.stop) {
        let identity = Some(store.name(store.func(f).name).into());
        return Ok(CheckTruth::Unsat(CheckRefutation { identity, ..CheckRefutation::default() }));
    }
    let unproven = all_unproven(store, &instance.declarations);
    let plain = without_hidden(store, &instance.assertions).or_else(|reason| {
        // The other assertions may be refuted.
        let rest: Vec<TermId> = instance.assertions.iter().copied().filter(|&t| !mentions_hidden(store, t)).collect();
        of_parts(store, &rest, query).ok().filter(|truth| truth.model().is_none()).map(|_| rest.into()).ok_or(reason)
    })?;
    let assertions = &plain[..];
    let Some(&first) = unproven.first() else { return of_parts(store, assertions, query) };
    if let Ok(CheckTruth::Unsat(refutation)) = of_parts(store, assertions, query) {
        return Ok(CheckTruth::Unsat(refutation));
    }
    // A definition may mention a name that stands for a part of the heap here.
    let names = instance.assertions.iter().all(|&t| !mentions_hidden(store, t)).then_some(&unproven[..]);
    match definitions::refute(store, assertions, names.unwrap_or_default(), query) {
        Some(refutation) => Ok(CheckTruth::Unsat(refutation)),
        None => Err(OpenTruth::NotTotal(store.name(store.func(first).name).to_string())),
    }
}

/// Reads a text and decides its check with this number, from 0.
/// Errors: as [`of_instance`], or the text does not parse or has no such check.
pub fn of_check(text: &str, check: usize, query: TruthQuery<'_>) -> Result<CheckTruth, OpenTruth> {
    let mut store = Store::new();
    let instances = read(&mut store, text)?;
    let instance = instances.get(check).ok_or(OpenTruth::NoCheck(check))?;
    of_instance(&mut store, instance, query)
}

/// Returns the checks of a text, read into a store.
/// Errors: [`OpenTruth::Unreadable`] names the first error.
pub fn read(store: &mut Store, text: &str) -> Result<Vec<Instance>, OpenTruth> {
    let parsed = smtlib::parse(store, text);
    match parsed.errors.first() {
        Some(error) => Err(OpenTruth::Unreadable(error.to_string())),
        None => Ok(parsed.script.instances()),
    }
}

/// Decides formulas without a script, with the definitions they mention.
/// Errors: [`OpenTruth`] says why it is not decided.
pub fn of_formulas(store: &mut Store, formulas: &[TermId], query: TruthQuery<'_>) -> Result<CheckTruth, OpenTruth> {
    let plain = without_hidden(store, formulas)?;
    let truth = whole(store, &plain, query)?;
    if let CheckTruth::Sat(_) = truth {
        // An assertion may be true whatever the value of such a function.
        let mut totality = Totality::default();
        let is_unproven =
            |f: &FuncId| matches!(store.func(*f).body, FuncBody::Recursive { .. }) && !totality.is_total(store, *f);
        if let Some(f) = mentioned_deeply(store, formulas).into_iter().find(is_unproven) {
            return Err(OpenTruth::NotTotal(store.name(store.func(f).name).to_string()));
        }
    }
    Ok(truth)
}

/// Returns the first function among declarations whose recursive definition is not proven total; `None` if all are.
pub fn unproven<'s>(store: &'s Store, declarations: &[Command]) -> Option<&'s str> {
    all_unproven(store, declarations).first().map(|&f| store.name(store.func(f).name))
}

fn all_unproven(store: &Store, declarations: &[Command]) -> Vec<FuncId> {
    let mut totality = Totality::default();
    let recursive = declarations.iter().filter_map(|command| match command {
        Command::DefineFunsRec(funcs) => Some(&**funcs),
        _ => None,
    });
    recursive.flatten().copied().filter(|&f| !totality.is_total(store, f)).collect()
}

/// The same, but a subset of the assertions that is a small world may refute all.
fn of_parts(store: &mut Store, assertions: &[TermId], query: TruthQuery<'_>) -> Result<CheckTruth, OpenTruth> {
    if query.stop.is_over() {
        return Err(OpenTruth::Unresolved { reason: Unresolved::Stopped, record: None });
    }
    for world in proper_parts(store, assertions, query.limits, query.stop) {
        if let Ok(CheckTruth::Unsat(refutation)) = of_world(store, &world, query) {
            return Ok(CheckTruth::Unsat(refutation));
        }
    }
    whole(store, assertions, query)
}

fn whole(store: &mut Store, assertions: &[TermId], query: TruthQuery<'_>) -> Result<CheckTruth, OpenTruth> {
    // Clauses quickly have too many relations to try.
    if horn::has_more_points(store, assertions, FEW_POINTS)
        && let Some(truth) = of_clauses(store, assertions, query)
    {
        return Ok(truth);
    }
    match World::of(store, assertions, query.limits, query.stop) {
        Ok(world) => of_world(store, &world, query),
        Err(NotFinite::TooLarge { .. }) if query.search == Search::Patient => {
            let limits = ExhaustLimits { assignments: u64::MAX, ..*query.limits };
            let world = World::of(store, assertions, &limits, query.stop)?;
            of_world(store, &world, TruthQuery { limits: &limits, search: Search::Recorded, ..query })
        }
        Err(NotFinite::Stopped) => Err(OpenTruth::Unresolved { reason: Unresolved::Stopped, record: None }),
        Err(reason) => Err(reason.into()),
    }
}

/// Decides Horn clauses by their least fixpoint alone, without trying relations; `None` if an assertion is not such a clause, a variable
/// of an infinite sort is left and nothing refutes them, or they have more ground instances than [`ExhaustLimits::evaluations`].
pub fn of_clauses(store: &mut Store, clauses: &[TermId], query: TruthQuery<'_>) -> Option<CheckTruth> {
    Some(match horn::fixpoint(store, clauses, query.limits, query.stop)? {
        Fixpoint::Sat(model) => CheckTruth::Sat(Box::new(model)),
        Fixpoint::Unsat(derivation) => {
            let derivation = derivation.into_iter().map(Box::from).collect();
            CheckTruth::Unsat(CheckRefutation { derivation, ..CheckRefutation::default() })
        }
    })
}

/// Whether all assertions are constrained Horn clauses.
pub fn are_clauses(store: &Store, assertions: &[TermId]) -> bool {
    horn::are_clauses(store, assertions)
}

fn of_world(store: &mut Store, world: &World, query: TruthQuery<'_>) -> Result<CheckTruth, OpenTruth> {
    let (answer, record) = match query.search {
        Search::Quick | Search::Patient => (decide(store, world, query.limits, query.stop), None),
        Search::Recorded => {
            let (answer, record) = exhaust(store, world, query.limits, query.stop);
            (answer, Some(Box::new(record)))
        }
    };
    match answer {
        ExhaustiveAnswer::Sat(model) => Ok(CheckTruth::Sat(Box::new(model))),
        ExhaustiveAnswer::Unsat => Ok(CheckTruth::Unsat(CheckRefutation { record, ..CheckRefutation::default() })),
        ExhaustiveAnswer::Unknown(reason) => Err(OpenTruth::Unresolved { reason, record }),
    }
}
