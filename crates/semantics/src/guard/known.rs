//! Facts about the value of a term: a list of values, bounds, lengths and languages.

use super::MAX_VALUES;
use crate::collections::{BagValue, SetValue};
use crate::order::Order;
use crate::value::Value;
use dashu_int::{IBig, UBig};
use smtlib::TermId;
use std::collections::BTreeSet;
use std::sync::Arc;

/// Facts about the subject's value; every member narrows it, and without members nothing is known.
#[derive(Clone, Default)]
pub(super) struct KnownValues {
    /// One of these.
    pub(super) values: Option<BTreeSet<Value>>,
    /// Within each of these bounds, at most one per order.
    pub(super) bounds: Vec<PlaceRange>,
    /// A string or sequence of at most this length, or a bag of at most this many elements.
    pub(super) longest: Option<u64>,
    /// A string in each of these languages, which are closed terms.
    pub(super) languages: Vec<TermId>,
}

/// The values between two places of an order.
#[derive(Clone)]
pub(super) struct PlaceRange {
    /// The order.
    pub(super) order: Order,
    /// Not below.
    pub(super) low: Option<IBig>,
    /// Not above.
    pub(super) high: Option<IBig>,
}

impl KnownValues {
    pub(super) fn within(bounds: PlaceRange) -> KnownValues {
        KnownValues { bounds: vec![bounds], ..KnownValues::default() }
    }

    pub(super) fn nothing_else(values: BTreeSet<Value>) -> KnownValues {
        KnownValues { values: Some(values), ..KnownValues::default() }
    }

    pub(super) fn impossible() -> KnownValues {
        KnownValues::nothing_else(BTreeSet::new())
    }

    pub(super) fn and(mut self, other: KnownValues) -> KnownValues {
        self.values = match (self.values, other.values) {
            // Different irrational values may denote one number.
            (Some(a), Some(b)) if !a.iter().chain(&b).all(Value::is_exact) => {
                Some(if a.len() <= b.len() { a } else { b })
            }
            (Some(a), Some(b)) => Some(a.intersection(&b).cloned().collect()),
            (a, b) => a.or(b),
        };
        for bounds in other.bounds {
            match self.bounds.iter_mut().find(|known| known.order == bounds.order) {
                Some(known) => {
                    known.low = stricter(known.low.take(), bounds.low, std::cmp::max);
                    known.high = stricter(known.high.take(), bounds.high, std::cmp::min);
                }
                None => self.bounds.push(bounds),
            }
        }
        self.longest = stricter(self.longest, other.longest, std::cmp::min);
        self.languages.extend(other.languages);
        self
    }

    /// Returns the widest bounds of two that hold in either case.
    pub(super) fn hull(&self, other: &KnownValues) -> Vec<PlaceRange> {
        let both = self.bounds.iter().filter_map(|a| Some((a, other.bounds.iter().find(|b| b.order == a.order)?)));
        let widest = |(a, b): (&PlaceRange, &PlaceRange)| PlaceRange {
            order: a.order,
            low: a.low.clone().zip(b.low.clone()).map(|(a, b)| a.min(b)),
            high: a.high.clone().zip(b.high.clone()).map(|(a, b)| a.max(b)),
        };
        both.map(widest).collect()
    }
}

pub(super) fn stricter<T>(a: Option<T>, b: Option<T>, choose: fn(T, T) -> T) -> Option<T> {
    match (a, b) {
        (Some(a), Some(b)) => Some(choose(a, b)),
        (a, b) => a.or(b),
    }
}

/// Returns the subsets of a set or the subbags of a bag, if they are few.
pub(super) fn parts(whole: &Value) -> KnownValues {
    match whole {
        Value::Set(whole) => subsets(whole),
        Value::Bag(whole) => subbags(whole),
        _ => KnownValues::default(),
    }
}

fn subbags(whole: &BagValue) -> KnownValues {
    let mut all: Vec<Vec<(Value, UBig)>> = vec![Vec::new()];
    for (element, most) in whole.entries() {
        let count = u64::try_from(most).ok().filter(|&most| most < MAX_VALUES as u64);
        let Some(most) = count.filter(|&most| all.len() as u64 * (most + 1) <= MAX_VALUES as u64) else {
            return KnownValues::default();
        };
        let with = |part: &Vec<(Value, UBig)>, n: u64| {
            part.iter().cloned().chain([(element.clone(), UBig::from(n))]).collect::<Vec<_>>()
        };
        all = all.iter().flat_map(|part| (0..=most).map(move |n| with(part, n))).collect();
    }
    let bag = |entries| BagValue::new(whole.sort(), entries).ok().map(|bag| Value::Bag(Arc::new(bag)));
    all.into_iter().map(bag).collect::<Option<_>>().map_or_else(KnownValues::default, KnownValues::nothing_else)
}

fn subsets(whole: &SetValue) -> KnownValues {
    let elements = whole.elements();
    let Some(count) = 1usize.checked_shl(elements.len() as u32).filter(|&n| n <= MAX_VALUES) else {
        return KnownValues::default();
    };
    let subset = |n: usize| {
        let part = elements.iter().enumerate().filter(|(k, _)| n >> k & 1 == 1).map(|(_, value)| value.clone());
        SetValue::new(part.collect()).ok().map(|set| Value::Set(Arc::new(set)))
    };
    (0..count).map(subset).collect::<Option<_>>().map_or_else(KnownValues::default, KnownValues::nothing_else)
}

/// Returns the values within bounds, in ascending order, if they are few.
pub(super) fn listed(bounds: &PlaceRange) -> Option<Vec<Value>> {
    let ends = bounds.order.ends();
    let low = stricter(bounds.low.clone(), ends.as_ref().map(|(first, _)| first.clone()), std::cmp::max)?;
    let high = stricter(bounds.high.clone(), ends.map(|(_, last)| last), std::cmp::min)?;
    if low > high {
        return Some(Vec::new());
    }
    let count = u64::try_from(&high - &low).ok().filter(|&n| n < MAX_VALUES as u64)?;
    let mut values: Vec<Value> = (0..=count).map(|n| bounds.order.at(&(&low + IBig::from(n)))).collect();
    values.sort();
    Some(values)
}
