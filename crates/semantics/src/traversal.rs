//! A function applied to the elements of a collection: the next application, and the use of the values.

use crate::collections::{BagValue, SetError, SetValue};
use crate::unknown::{Unknown, UnknownReason};
use crate::value::Value;
use dashu_int::{IBig, UBig};
use smtlib::{Kind, Sort, SortId, Store};
use std::sync::Arc;

/// All orders of a fold over a set or bag are tried up to this many elements, with their multiplicities.
const MAX_FOLDED: usize = 6;

/// A function applied to the elements of a collection.
#[derive(Debug)]
pub(crate) struct Traversal {
    kind: Kind,
    pub(crate) function: Value,
    /// The sorts of the function, of its value on one argument, and so on.
    sorts: Box<[SortId]>,
    /// The elements with their multiplicities; for a fold over a bag, each as often as it occurs.
    elements: Box<[(Value, UBig)]>,
    /// The number of the element under way.
    at: usize,
    /// The position of the first element, as `seq.mapi` and `seq.foldli` count.
    first: IBig,
    /// The values on the elements so far; for a fold over a sequence, the result so far.
    results: Vec<Value>,
    /// The value that decides `all` or `some` early.
    decided: Option<bool>,
    /// The first application without a value.
    unknown: Option<Unknown>,
    /// For a fold over a set or bag, the results by the set of elements taken so far, as a bit mask.
    reached: Vec<Vec<Value>>,
    /// The elements taken so far, and which of their results is in progress.
    taken: (usize, usize),
    /// The remaining arguments of the function, the last first.
    pub(crate) pending: Vec<Value>,
}

/// The use of the values on the elements.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Use {
    /// The result is built from them.
    Collect,
    /// The truth value that decides.
    Decide(bool),
    /// Each is an argument for the next element, in the order of a sequence.
    Sequential,
    /// Each is an argument for the next element, in any order.
    AnyOrder,
}

fn use_of(kind: Kind) -> Use {
    match kind {
        Kind::SetAll | Kind::BagAll => Use::Decide(false),
        Kind::SetSome | Kind::BagSome => Use::Decide(true),
        Kind::SetFold | Kind::BagFold => Use::AnyOrder,
        Kind::SeqFoldl | Kind::SeqFoldli => Use::Sequential,
        _ => Use::Collect,
    }
}

impl Traversal {
    /// Begins a traversal; `rest` are the arguments after the function, which is `None` if it is applied to nothing.
    pub(crate) fn new(
        store: &Store,
        kind: Kind,
        (sort, function): (SortId, Option<Value>),
        rest: &[Value],
    ) -> Result<Traversal, UnknownReason> {
        let arity = match kind {
            Kind::SetFold | Kind::BagFold | Kind::SeqFoldl | Kind::SeqMapi => 2,
            Kind::SeqFoldli => 3,
            _ => 1,
        };
        let mut sorts = vec![sort];
        for n in 0..arity {
            let (Sort::Map(_, to) | Sort::Array(_, to)) = *store.sorts.get(sorts[n]) else {
                return Err(UnknownReason::IllSorted);
            };
            sorts.push(to);
        }
        let (first, initial, collection) = match (kind, rest) {
            (Kind::SeqMapi, [Value::Int(first), collection]) => (first.clone(), None, collection),
            (Kind::SeqFoldli, [Value::Int(first), initial, collection]) => (first.clone(), Some(initial), collection),
            (_, [initial, collection]) => (IBig::ZERO, Some(initial), collection),
            (_, [collection]) => (IBig::ZERO, None, collection),
            _ => return Err(UnknownReason::IllSorted),
        };
        let once = |value: &Value| (value.clone(), UBig::ONE);
        let mut elements: Vec<(Value, UBig)> = match collection {
            Value::Set(set) => set.elements().iter().map(once).collect(),
            Value::Bag(bag) => bag.entries().to_vec(),
            Value::Seq(sequence) => sequence.elements().iter().map(once).collect(),
            _ => return Err(UnknownReason::IllSorted),
        };
        let (mut results, mut reached) = (Vec::new(), Vec::new());
        match use_of(kind) {
            Use::AnyOrder => {
                let many = |(_, count): &(Value, UBig)| usize::try_from(count).unwrap_or(usize::MAX);
                if elements.iter().map(many).fold(0, usize::saturating_add) > MAX_FOLDED {
                    return Err(UnknownReason::OpenOrder);
                }
                let each = |entry: &(Value, UBig)| vec![once(&entry.0); many(entry)];
                elements = elements.iter().flat_map(each).collect();
                reached = vec![Vec::new(); 1 << elements.len()];
                reached[0] = initial.cloned().into_iter().collect();
            }
            Use::Sequential => results.extend(initial.cloned()),
            _ => {}
        }
        Ok(Traversal {
            kind,
            // Without elements it is not evaluated.
            function: function.unwrap_or(Value::Bool(false)),
            sorts: sorts.into(),
            elements: elements.into(),
            at: 0,
            first,
            results,
            decided: None,
            unknown: None,
            reached,
            taken: (0, 0),
            pending: Vec::new(),
        })
    }

    /// Returns the sort of the function's value on the arguments that it has been given.
    pub(crate) fn sort(&self) -> SortId {
        self.sorts[self.sorts.len() - 1 - self.pending.len()]
    }

    /// Prepares the arguments of the next application; returns whether there is one.
    pub(crate) fn next(&mut self) -> bool {
        let of_use = use_of(self.kind);
        // An unknown value on one element may not matter if another one decides.
        if self.decided.is_some() || (self.unknown.is_some() && !matches!(of_use, Use::Decide(_))) {
            return false;
        }
        if of_use == Use::AnyOrder {
            return self.next_in_any_order();
        }
        let Some((element, _)) = self.elements.get(self.at) else { return false };
        self.pending.push(element.clone());
        if of_use == Use::Sequential {
            self.pending.extend(self.results.last().cloned());
        }
        if matches!(self.kind, Kind::SeqMapi | Kind::SeqFoldli) {
            self.pending.push(Value::Int(&self.first + IBig::from(self.at)));
        }
        true
    }

    fn next_in_any_order(&mut self) -> bool {
        while self.taken.0 + 1 < self.reached.len() {
            let (taken, which) = self.taken;
            let has = |n: usize| taken >> n & 1 == 1;
            let Some((element, _)) = self.elements.get(self.at) else {
                self.taken = (taken + 1, 0);
                self.at = 0;
                continue;
            };
            // Equal elements are taken in order.
            let waits = self.at > 0 && self.elements[self.at - 1].0 == *element && !has(self.at - 1);
            match self.reached[taken].get(which).filter(|_| !has(self.at) && !waits) {
                Some(result) => {
                    self.pending = vec![result.clone(), element.clone()];
                    return true;
                }
                None => {
                    self.taken.1 = 0;
                    self.at += 1;
                }
            }
        }
        false
    }

    /// Takes the value of the current application.
    pub(crate) fn take(&mut self, value: Value) {
        match use_of(self.kind) {
            Use::AnyOrder => {
                let results = &mut self.reached[self.taken.0 | 1 << self.at];
                if !results.iter().any(|known| known.same(&value) == Some(true)) {
                    results.push(value);
                }
                self.taken.1 += 1;
                return;
            }
            Use::Sequential => self.results = vec![value],
            Use::Decide(by) if value.as_bool() == Some(by) => self.decided = Some(by),
            Use::Decide(_) => {}
            Use::Collect => self.results.push(value),
        }
        self.at += 1;
    }

    /// Records that the current application has no value.
    pub(crate) fn take_unknown(&mut self, unknown: Unknown) {
        self.pending.clear();
        self.at += 1;
        self.unknown = self.unknown.or(Some(unknown));
    }

    /// Returns the result, of this sort, after all applications; or why it is unknown.
    pub(crate) fn finish(mut self, sort: SortId) -> Result<Value, Result<Unknown, UnknownReason>> {
        if let Some(decided) = self.decided {
            return Ok(Value::Bool(decided));
        }
        if let Some(unknown) = self.unknown {
            return Err(Ok(unknown));
        }
        match use_of(self.kind) {
            Use::Decide(by) => return Ok(Value::Bool(!by)),
            Use::Sequential => return self.results.pop().ok_or(Err(UnknownReason::IllSorted)),
            Use::AnyOrder => {
                let results = self.reached.pop().unwrap_or_default();
                return <[Value; 1]>::try_from(results).map(|[one]| one).map_err(|_| Err(UnknownReason::OpenOrder));
            }
            Use::Collect => {}
        }
        let keeps = matches!(self.kind, Kind::SetFilter | Kind::BagFilter);
        let entries = self.elements.into_iter().zip(self.results);
        let entries = entries.filter_map(|((element, count), result)| match keeps {
            true => (result.as_bool() == Some(true)).then_some((element, count)),
            false => Some((result, count)),
        });
        let made = match self.kind {
            Kind::SetMap | Kind::SetFilter => {
                SetValue::new(entries.map(|(value, _)| value).collect()).map(|set| Value::Set(Arc::new(set)))
            }
            Kind::BagMap | Kind::BagFilter => {
                BagValue::new(sort, entries.collect()).map(|bag| Value::Bag(Arc::new(bag)))
            }
            _ => Value::sequence(sort, entries.map(|(value, _)| value).collect()).ok_or(SetError::TooLarge),
        };
        made.map_err(|error| match error {
            SetError::Inexact => Err(UnknownReason::NoTable),
            SetError::TooLarge => Err(UnknownReason::TooLarge),
        })
    }
}
