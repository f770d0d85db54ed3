//! Bags, according to cvc5's theory reference: functions from elements to multiplicities.

use crate::collections::{BagValue, SetError};
use crate::open::OperatorContext;
use crate::unknown::UnknownReason;
use crate::value::Value;
use dashu_int::{IBig, UBig};
use smtlib::{Kind, Op};
use std::sync::Arc;

/// Applies an operator of bags to values.
pub fn apply(op: Op, args: &[&Value], cx: &mut OperatorContext<'_>) -> Result<Value, UnknownReason> {
    let truth = |b: bool| Ok(Value::Bool(b));
    let int = |n: UBig| Ok(Value::Int(IBig::from(n)));
    match (op.kind, args) {
        (Kind::BagEmpty, []) => of(cx, Vec::new()),
        (Kind::BagMake, [element, Value::Int(count)]) => {
            // Below 1 the element does not occur, whatever it is.
            let count = UBig::try_from(count.clone()).unwrap_or(UBig::ZERO);
            of(cx, vec![((*element).clone(), count)])
        }
        (Kind::BagUnionDisjoint, _) => {
            let mut entries = Vec::new();
            for part in args {
                entries.extend_from_slice(bag(part)?.entries());
            }
            of(cx, entries)
        }
        (Kind::BagUnionMax, _) => {
            // Adds the second bag's excess over the first.
            combined(cx, args, |first, second| {
                let more = second
                    .entries()
                    .iter()
                    .map(|(element, count)| (element.clone(), excess(count, &first.count(element))));
                first.entries().iter().cloned().chain(more).collect()
            })
        }
        (Kind::BagInterMin, _) => kept(cx, args, |count, other| count.min(other)),
        (Kind::BagDifferenceSubtract, _) => kept(cx, args, |count, other| excess(&count, &other)),
        (Kind::BagDifferenceRemove, _) => {
            kept(cx, args, |count, other| if other.is_zero() { count } else { UBig::ZERO })
        }
        (Kind::BagSubbag, [part, whole]) => truth(bag(part)?.is_subbag(bag(whole)?)),
        (Kind::BagCount, [element, whole]) => int(count(element, bag(whole)?)?),
        (Kind::BagMember, [element, whole]) => truth(!count(element, bag(whole)?)?.is_zero()),
        (Kind::BagSetof, [whole]) => {
            of(cx, bag(whole)?.entries().iter().map(|(element, _)| (element.clone(), UBig::ONE)).collect())
        }
        (Kind::BagCard, [whole]) => int(bag(whole)?.card()),
        (Kind::BagChoose, [whole]) => match bag(whole)?.entries() {
            [(only, _)] => Ok(only.clone()),
            _ => cx.chosen(op, args, UnknownReason::OpenElement),
        },
        _ => Err(UnknownReason::IllSorted),
    }
}

fn bag(value: &Value) -> Result<&BagValue, UnknownReason> {
    match value {
        Value::Bag(bag) => Ok(bag),
        _ => Err(UnknownReason::IllSorted),
    }
}

/// Returns a bag of the result's sort.
fn of(cx: &OperatorContext<'_>, entries: Vec<(Value, UBig)>) -> Result<Value, UnknownReason> {
    match BagValue::new(cx.sort, entries) {
        Ok(bag) => Ok(Value::Bag(Arc::new(bag))),
        Err(SetError::Inexact) => Err(UnknownReason::NoTable),
        Err(SetError::TooLarge) => Err(UnknownReason::TooLarge),
    }
}

/// Applies a left-associative operator of bags, two at a time.
fn combined(
    cx: &OperatorContext<'_>,
    args: &[&Value],
    of_two: impl Fn(&BagValue, &BagValue) -> Vec<(Value, UBig)>,
) -> Result<Value, UnknownReason> {
    let [first, rest @ ..] = args else { return Err(UnknownReason::IllSorted) };
    let mut all = (*first).clone();
    for second in rest {
        let entries = of_two(bag(&all)?, bag(second)?);
        all = of(cx, entries)?;
    }
    Ok(all)
}

/// Combines each multiplicity of the first bag with that in the second, and so on.
fn kept(
    cx: &OperatorContext<'_>,
    args: &[&Value],
    changed: impl Fn(UBig, UBig) -> UBig,
) -> Result<Value, UnknownReason> {
    combined(cx, args, |first, second| {
        let entries = first.entries().iter();
        entries.map(|(element, count)| (element.clone(), changed(count.clone(), second.count(element)))).collect()
    })
}

/// Returns the excess of the first number over the second.
fn excess(count: &UBig, other: &UBig) -> UBig {
    if count > other { count - other } else { UBig::ZERO }
}

/// How often a value is in a bag that may have other spellings of it.
fn count(element: &Value, whole: &BagValue) -> Result<UBig, UnknownReason> {
    if element.is_exact() {
        return Ok(whole.count(element));
    }
    let mut is_open = false;
    for (known, count) in whole.entries() {
        match known.same(element) {
            Some(true) => return Ok(count.clone()),
            Some(false) => {}
            None => is_open = true,
        }
    }
    if is_open { Err(UnknownReason::NoTable) } else { Ok(UBig::ZERO) }
}
