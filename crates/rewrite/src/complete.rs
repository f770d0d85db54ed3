//! Completes models: gives a value to every open symbol and choice.

use crate::walk::visit;
use semantics::domain::Domains;
use semantics::{EvalLimits, Evaluator, Stop};
use semantics::{FunctionTable, Interpretation, Model, Unknown, UnknownReason, Value};
use smtlib::{FuncId, Kind, Op, Sort, SortId, Store, TermId};

/// The maximum number of single choices for one term.
const MAX_CHOICES: usize = 10_000;

/// Returns some element of a sort in a model, such as 0. An uninterpreted sort without a universe gets one with a single element.
pub fn any_value(store: &Store, model: &mut Model, sort: SortId) -> Option<Value> {
    for s in parts(store, sort) {
        if matches!(store.sorts.get(s), Sort::Uninterpreted(..)) && model.universe(s).is_none() {
            model.set_universe(s, 1);
        }
    }
    Domains { store, model }.any(sort)
}

/// Returns a sort and all its component sorts.
fn parts(store: &Store, sort: SortId) -> Vec<SortId> {
    let mut all = vec![sort];
    let mut next = 0;
    while let Some(&s) = all.get(next) {
        next += 1;
        let mut inside = store.sorts.children(s);
        if let Sort::Datatype(d, _) = store.sorts.get(s) {
            inside.extend(store.datatype(*d).constructors.iter().flat_map(|c| c.fields.iter().map(|f| f.1)));
        }
        inside.retain(|s| !all.contains(s));
        all.extend(inside);
    }
    all
}

/// Gives some value to every declared symbol of the terms that the model lacks.
pub fn complete(store: &Store, model: &mut Model, terms: impl IntoIterator<Item = TermId>) {
    let mut open = Vec::new();
    visit(store, terms, |t| {
        if let Some(f) = store.op(t).func()
            && store.func(f).is_declared()
            && model.interpretation(f).is_none()
        {
            open.push(f);
        }
    });
    for f in open {
        if model.interpretation(f).is_none() {
            give_default(store, model, f);
        }
    }
}

/// Gives a symbol some value, a constant one for a function.
pub fn give_default(store: &Store, model: &mut Model, f: FuncId) {
    let func = store.func(f);
    let Some(value) = any_value(store, model, func.result) else { return };
    // A default fits its sort by construction; a sort without known values has none, and the symbol stays open.
    let _ = match func.params.is_empty() {
        true => model.assign(store, f, value),
        false => model.assign_table(store, f, FunctionTable::new(Some(value))),
    };
}

/// Returns the value of a closed term, completing the model where the term depends on it: open parts get some value, which belongs to the
/// model from then on.
/// Errors: [`Unknown`] if the value depends on something that the model cannot choose, or on too many choices, or if
/// the time is up.
pub fn eval_completing(store: &Store, model: &mut Model, t: TermId, stop: &Stop) -> Result<Value, Unknown> {
    let mut evaluator = Evaluator::new(std::mem::take(model), EvalLimits::default()).heeding(stop);
    let result = eval_with(store, &mut evaluator, t);
    *model = std::sync::Arc::unwrap_or_clone(evaluator.model().clone());
    result
}

/// Like [`eval_completing`], with an evaluator that is replaced whenever its model grows.
/// Errors: as [`eval_completing`].
pub fn eval_with(store: &Store, evaluator: &mut Evaluator, t: TermId) -> Result<Value, Unknown> {
    for _ in 0..MAX_CHOICES {
        let unknown = match evaluator.eval(store, t) {
            Ok(value) => return Ok(value),
            Err(unknown) => unknown,
        };
        let mut model = (**evaluator.model()).clone();
        if !settle(store, &mut model, evaluator, unknown) {
            return Err(unknown);
        }
        let stop = evaluator.stop().clone();
        if stop.is_over() {
            return Err(Unknown { term: t, reason: UnknownReason::Stopped });
        }
        *evaluator = Evaluator::new(model, evaluator.limits()).heeding(&stop);
    }
    evaluator.eval(store, t)
}

/// Makes the choice that a term's value needs; returns whether that was possible.
fn settle(store: &Store, model: &mut Model, evaluator: &mut Evaluator, unknown: Unknown) -> bool {
    let (t, op) = (unknown.term, store.op(unknown.term));
    match unknown.reason {
        UnknownReason::Unassigned => match op.func() {
            Some(f) if model.interpretation(f).is_none() => {
                give_default(store, model, f);
                model.interpretation(f).is_some()
            }
            _ => false,
        },
        UnknownReason::OutsideTable => {
            let Some(f) = op.func() else { return false };
            let Some(Interpretation::Table(table)) = model.interpretation(f) else { return false };
            let rows: Vec<(Box<[Value]>, Value)> =
                table.rows().into_iter().map(|(a, v)| (a.into(), v.clone())).collect();
            let Some(value) = any_value(store, model, store.func(f).result) else { return false };
            let mut full = FunctionTable::new(Some(value));
            let all = rows.into_iter().all(|(args, value)| full.insert(args, value));
            all && model.assign_table(store, f, full).is_ok()
        }
        // Any total extension is a model of the theory (SMT-LIB, theories Ints and Reals), including this one.
        UnknownReason::DivisionByZero => match op.kind {
            Kind::RealDiv | Kind::IntDiv | Kind::IntMod | Kind::IntRem => choose_zero(store, model, op),
            _ => false,
        },
        UnknownReason::WrongConstructor | UnknownReason::OutsideSequence | UnknownReason::Float(_) => {
            let args: Option<Box<[Value]>> = store.args(t).iter().map(|&a| evaluator.eval(store, a).ok()).collect();
            let Some(args) = args.filter(|_| chosen_freely(op.kind)) else { return false };
            match any_value(store, model, store.sort(t)) {
                Some(value) => model.choose(op, args, value),
                None => false,
            }
        }
        UnknownReason::OpenElement => {
            let args: Option<Box<[Value]>> = store.args(t).iter().map(|&a| evaluator.eval(store, a).ok()).collect();
            let Some(args) = args else { return false };
            let some = match &*args {
                // Nothing can be chosen from the empty set: it does not determine its sort.
                [Value::Set(set)] if !set.elements().is_empty() => set.elements().first().cloned(),
                [Value::Bag(bag)] => bag.entries().first().map(|(element, _)| element.clone()),
                _ => return false,
            };
            match some.or_else(|| any_value(store, model, store.sort(t))) {
                Some(value) => model.choose(op, args, value),
                None => false,
            }
        }
        _ => false,
    }
}

/// Chooses 0 for all divisions by zero without a choice.
fn choose_zero(store: &Store, model: &mut Model, op: Op) -> bool {
    let sort = if op.kind == Kind::RealDiv { SortId::REAL } else { SortId::INT };
    if model.choices_of(op).is_some_and(|table| table.default_value().is_some()) {
        return false;
    }
    match any_value(store, model, sort) {
        Some(zero) => {
            model.choose_default(op, zero);
            true
        }
        None => false,
    }
}

/// Whether any value of the sort is a legal choice: `fp.min` and `fp.max` of two zeros must be a zero, which the first element of a float
/// sort is; a solver's extension may have its own rules.
fn chosen_freely(kind: Kind) -> bool {
    matches!(
        kind,
        Kind::Select | Kind::FpMin | Kind::FpMax | Kind::FpToUbv | Kind::FpToSbv | Kind::FpToReal | Kind::SeqNth
    )
}
