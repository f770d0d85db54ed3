//! Relations: finite sets of tuples.

use super::sets;
use crate::open::OperatorContext;
use crate::unknown::UnknownReason;
use crate::value::{MAX_WEIGHT, Value};
use smtlib::{Kind, Op, Sort};
use std::collections::{BTreeMap, BTreeSet};

/// Applies an operator of relations to values.
pub fn apply(op: Op, args: &[&Value], cx: &mut OperatorContext<'_>) -> Result<Value, UnknownReason> {
    let Sort::Set(tuple) = *cx.store.sorts.get(cx.sort) else { return Err(UnknownReason::IllSorted) };
    let (first, second) = match *args {
        [first] => (rows(first)?, Vec::new()),
        [first, Value::Int(_)] => (rows(first)?, Vec::new()),
        [first, second] => (rows(first)?, rows(second)?),
        _ => return Err(UnknownReason::IllSorted),
    };
    // The elements of a set are exact, so that equal ones are the same.
    let made: Vec<Vec<Value>> = match (op.kind, args) {
        (Kind::RelTranspose, _) => first.iter().map(|row| row.iter().rev().cloned().collect()).collect(),
        (Kind::RelIden, _) => first.iter().map(|row| [*row, *row].concat()).collect(),
        (Kind::RelTclosure, _) => closure(&first)?,
        (Kind::RelProduct, _) => {
            let size = first.len().saturating_mul(second.len());
            if size > MAX_WEIGHT as usize {
                return Err(UnknownReason::TooLarge);
            }
            first.iter().flat_map(|left| second.iter().map(move |right| [*left, *right].concat())).collect()
        }
        (Kind::RelJoin, _) => {
            let mut by_first: BTreeMap<&Value, Vec<&[Value]>> = BTreeMap::new();
            for row in &second {
                let (key, rest) = row.split_first().ok_or(UnknownReason::IllSorted)?;
                by_first.entry(key).or_default().push(rest);
            }
            let mut made = Vec::new();
            for row in &first {
                let (key, left) = row.split_last().ok_or(UnknownReason::IllSorted)?;
                made.extend(by_first.get(key).into_iter().flatten().map(|right| [left, *right].concat()));
                if made.len() > MAX_WEIGHT as usize {
                    return Err(UnknownReason::TooLarge);
                }
            }
            made
        }
        // Cvc5 refuses negative bounds and leaves the image open for 0, in every model.
        (Kind::RelJoinImage, [_, Value::Int(least)]) if *least < 1.into() => return Err(UnknownReason::Extension),
        (Kind::RelJoinImage, [_, Value::Int(least)]) => {
            let mut counts: BTreeMap<&Value, u32> = BTreeMap::new();
            for row in &first {
                *counts.entry(row.first().ok_or(UnknownReason::IllSorted)?).or_default() += 1;
            }
            counts.into_iter().filter(|&(_, count)| *least <= count.into()).map(|(x, _)| vec![x.clone()]).collect()
        }
        _ => return Err(UnknownReason::IllSorted),
    };
    let tuples = made.into_iter().map(|row| Value::datatype(tuple, 0, row.into()));
    sets::of(tuples.collect::<Option<_>>().ok_or(UnknownReason::TooLarge)?)
}

/// Returns the fields of each tuple of a relation.
fn rows(value: &Value) -> Result<Vec<&[Value]>, UnknownReason> {
    fn row(tuple: &Value) -> Result<&[Value], UnknownReason> {
        if let Value::Datatype(tuple) = tuple { Ok(&tuple.fields) } else { Err(UnknownReason::IllSorted) }
    }
    sets::set(value)?.elements().iter().map(row).collect()
}

/// Returns the pairs of values of which the second can be reached from the first.
fn closure(pairs: &[&[Value]]) -> Result<Vec<Vec<Value>>, UnknownReason> {
    let mut next: BTreeMap<&Value, Vec<&Value>> = BTreeMap::new();
    let mut open = Vec::with_capacity(pairs.len());
    for pair in pairs {
        let [from, to] = pair else { return Err(UnknownReason::IllSorted) };
        next.entry(from).or_default().push(to);
        open.push((from, to));
    }
    let mut known: BTreeSet<(&Value, &Value)> = open.iter().copied().collect();
    while let Some((from, to)) = open.pop() {
        let reached = next.get(to).into_iter().flatten().map(|&further| (from, further));
        open.extend(reached.filter(|&pair| known.insert(pair)));
        if known.len() > MAX_WEIGHT as usize {
            return Err(UnknownReason::TooLarge);
        }
    }
    Ok(known.into_iter().map(|(from, to)| vec![from.clone(), to.clone()]).collect())
}
