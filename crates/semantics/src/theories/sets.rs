//! Finite sets.

use crate::cardinality::Cardinality;
use crate::collections::{SetError, SetValue};
use crate::domain::Domains;
use crate::open::OperatorContext;
use crate::unknown::UnknownReason;
use crate::value::{MAX_WEIGHT, Value};
use dashu_int::IBig;
use smtlib::{Kind, Op, Sort};
use std::sync::Arc;

/// The maximum number of integers of a range; longer ones are unknown.
const MAX_RANGE: u32 = 1 << 12;

/// Applies an operator of sets to values.
pub fn apply(op: Op, args: &[&Value], cx: &mut OperatorContext<'_>) -> Result<Value, UnknownReason> {
    match (op.kind, args) {
        (Kind::SetEmpty, []) => of(Vec::new()),
        (Kind::SetUniverse, []) => of(universe(cx)?),
        (Kind::SetSingleton, [element]) => of(vec![(*element).clone()]),
        (Kind::SetUnion, _) => {
            let mut elements = Vec::new();
            for part in args {
                elements.extend_from_slice(set(part)?.elements());
            }
            of(elements)
        }
        (Kind::SetInter, [first, rest @ ..]) => {
            kept(first, rest, |rest, element| rest.iter().all(|s| s.contains(element)))
        }
        (Kind::SetMinus, [first, rest @ ..]) => {
            kept(first, rest, |rest, element| !rest.iter().any(|s| s.contains(element)))
        }
        (Kind::SetMember, [element, whole]) if element.is_exact() => Ok(Value::Bool(set(whole)?.contains(element))),
        (Kind::SetMember, [element, whole]) => member(element, set(whole)?),
        (Kind::SetSubset, [part, whole]) => Ok(Value::Bool(set(part)?.is_subset(set(whole)?))),
        (Kind::SetInsert, [new @ .., whole]) => {
            let mut elements = set(whole)?.elements().to_vec();
            elements.extend(new.iter().map(|&element| element.clone()));
            of(elements)
        }
        (Kind::SetCard, [whole]) => Ok(Value::Int(IBig::from(set(whole)?.elements().len()))),
        (Kind::SetIsEmpty, [whole]) => Ok(Value::Bool(set(whole)?.elements().is_empty())),
        (Kind::SetIsSingleton, [whole]) => Ok(Value::Bool(set(whole)?.elements().len() == 1)),
        (Kind::SetComplement, [whole]) => {
            let whole = set(whole)?;
            of(universe(cx)?.into_iter().filter(|element| !whole.contains(element)).collect())
        }
        (Kind::SetChoose, [whole]) => match set(whole)?.elements() {
            [only] => Ok(only.clone()),
            // The same value may be a set of several sorts, but a choice has one sort.
            [] | [Value::Set(_) | Value::Array(_) | Value::Map(_), ..] => Err(UnknownReason::OpenElement),
            _ => cx.chosen(op, args, UnknownReason::OpenElement),
        },
        (Kind::SetRange, [Value::Int(low), Value::Int(high)]) => range(low, high),
        _ => Err(UnknownReason::IllSorted),
    }
}

pub(super) fn set(value: &Value) -> Result<&SetValue, UnknownReason> {
    match value {
        Value::Set(set) => Ok(set),
        _ => Err(UnknownReason::IllSorted),
    }
}

/// Returns the set of some elements, as a value.
pub(super) fn of(elements: Vec<Value>) -> Result<Value, UnknownReason> {
    match SetValue::new(elements) {
        Ok(set) => Ok(Value::Set(Arc::new(set))),
        Err(SetError::Inexact) => Err(UnknownReason::NoTable),
        Err(SetError::TooLarge) => Err(UnknownReason::TooLarge),
    }
}

/// Returns the elements of the first set that pass a test, which sees the other sets.
fn kept(first: &Value, rest: &[&Value], keeps: impl Fn(&[&SetValue], &Value) -> bool) -> Result<Value, UnknownReason> {
    let rest: Vec<&SetValue> = rest.iter().map(|&value| set(value)).collect::<Result<_, _>>()?;
    of(set(first)?.elements().iter().filter(|element| keeps(&rest, element)).cloned().collect())
}

/// Membership of a value that may have other spellings.
fn member(element: &Value, whole: &SetValue) -> Result<Value, UnknownReason> {
    let mut is_open = false;
    for known in whole.elements() {
        match known.same(element) {
            Some(true) => return Ok(Value::Bool(true)),
            Some(false) => {}
            None => is_open = true,
        }
    }
    if is_open { Err(UnknownReason::NoTable) } else { Ok(Value::Bool(false)) }
}

/// All elements of the element sort. For an infinite sort there is no such finite set, and solvers differ.
fn universe(cx: &OperatorContext<'_>) -> Result<Vec<Value>, UnknownReason> {
    let Sort::Set(element) = *cx.store.sorts.get(cx.sort) else { return Err(UnknownReason::IllSorted) };
    let domains = Domains { store: cx.store, model: cx.model };
    match domains.cardinality(element) {
        Cardinality::Finite(size) if size <= u64::from(MAX_WEIGHT) => {
            (0..size).map(|n| domains.nth(element, n)).collect::<Option<_>>().ok_or(UnknownReason::Opaque)
        }
        Cardinality::Finite(_) | Cardinality::Huge => Err(UnknownReason::TooLarge),
        Cardinality::Infinite | Cardinality::Unknown => Err(UnknownReason::Extension),
    }
}

/// Returns the integers from one to another.
fn range(low: &IBig, high: &IBig) -> Result<Value, UnknownReason> {
    if low > high {
        return of(Vec::new());
    }
    let last = u32::try_from(high - low).ok().filter(|&last| last < MAX_RANGE).ok_or(UnknownReason::TooLarge)?;
    of((0..=last).map(|n| Value::Int(low + IBig::from(n))).collect())
}
