//! Values made of elements of one sort: finite sequences, sets and bags.

use crate::value::{Value, ValueShape};
use dashu_base::BitTest;
use dashu_int::UBig;
use smtlib::{SortId, Store};
use std::cmp::Ordering;
use std::sync::Arc;

/// A finite sequence of elements of one sort.
#[derive(Clone, Debug)]
pub struct SequenceValue {
    sort: SortId,
    elements: Box<[Value]>,
    shape: ValueShape,
}

impl SequenceValue {
    /// Returns the sort of the sequence, by which empty ones of different sorts differ.
    pub fn sort(&self) -> SortId {
        self.sort
    }

    /// Returns the elements in order.
    pub fn elements(&self) -> &[Value] {
        &self.elements
    }

    /// Depth, weight and exactness.
    pub fn shape(&self) -> ValueShape {
        self.shape
    }

    /// Whether two sequences of one sort are the same, if that is known.
    pub(crate) fn same(&self, other: &SequenceValue) -> Option<bool> {
        if self.elements.len() != other.elements.len() {
            return Some(false);
        }
        let mut all = Some(true);
        for (a, b) in self.elements.iter().zip(&other.elements) {
            match a.same(b) {
                Some(true) => {}
                Some(false) => return Some(false),
                None => all = None,
            }
        }
        all
    }

    /// Returns the sort key of sequences: everything that distinguishes two of them.
    pub(crate) fn key(&self) -> (SortId, &[Value]) {
        (self.sort, &self.elements)
    }
}

impl Value {
    /// Makes the sequence of a sort `(Seq T)` from elements of sort T; `None` if the value would exceed
    /// [`MAX_DEPTH`](crate::value::MAX_DEPTH) or [`MAX_WEIGHT`](crate::value::MAX_WEIGHT).
    pub fn sequence(sort: SortId, elements: Box<[Value]>) -> Option<Value> {
        let shape = ValueShape::over(elements.iter());
        shape.fits().then(|| Value::Seq(Arc::new(SequenceValue { sort, elements, shape })))
    }
}

impl PartialEq for SequenceValue {
    fn eq(&self, other: &SequenceValue) -> bool {
        self.key() == other.key()
    }
}

impl Eq for SequenceValue {}

impl std::hash::Hash for SequenceValue {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.key().hash(state);
    }
}

/// A finite set of values of one sort.
///
/// Invariant: the elements are exact, ascending and unique, so that two sets are the same exactly if they are equal.
#[derive(Clone, Debug)]
pub struct SetValue {
    elements: Box<[Value]>,
    shape: ValueShape,
}

impl PartialEq for SetValue {
    fn eq(&self, other: &SetValue) -> bool {
        self.elements == other.elements
    }
}

impl Eq for SetValue {}

impl std::hash::Hash for SetValue {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.elements.hash(state);
    }
}

impl Ord for SetValue {
    fn cmp(&self, other: &SetValue) -> Ordering {
        self.elements.cmp(&other.elements)
    }
}

impl PartialOrd for SetValue {
    fn partial_cmp(&self, other: &SetValue) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// Why some elements form no set or bag.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SetError {
    /// An element is not exact: it may be the same as another one.
    Inexact,
    /// The value would exceed [`MAX_DEPTH`](crate::value::MAX_DEPTH) or [`MAX_WEIGHT`](crate::value::MAX_WEIGHT).
    TooLarge,
}

impl SetValue {
    /// Makes the set of these elements, in any order and with repetitions.
    /// Errors: [`SetError`] if an element is not exact or the set is too large.
    pub fn new(mut elements: Vec<Value>) -> Result<SetValue, SetError> {
        if !elements.iter().all(Value::is_exact) {
            return Err(SetError::Inexact);
        }
        elements.sort_unstable();
        elements.dedup();
        let shape = ValueShape::over(&elements);
        if shape.fits() { Ok(SetValue { elements: elements.into(), shape }) } else { Err(SetError::TooLarge) }
    }

    /// Returns the elements, ascending.
    pub fn elements(&self) -> &[Value] {
        &self.elements
    }

    /// Whether an exact value is an element.
    pub fn contains(&self, element: &Value) -> bool {
        self.elements.binary_search(element).is_ok()
    }

    /// Whether every element is one of `other`, too.
    pub fn is_subset(&self, other: &SetValue) -> bool {
        self.elements.iter().all(|element| other.contains(element))
    }

    /// Depth, weight and exactness.
    pub fn shape(&self) -> ValueShape {
        self.shape
    }

    pub(crate) fn has_sort(&self, store: &Store, element: SortId) -> bool {
        self.elements.iter().all(|value| value.has_sort(store, element))
    }
}

/// A finite bag of values of one sort: how often each element is in it.
///
/// Invariant: the elements are exact, ascending and unique, and their multiplicities above 0, so that two bags are the same exactly
/// if they are equal.
#[derive(Clone, Debug)]
pub struct BagValue {
    sort: SortId,
    entries: Box<[(Value, UBig)]>,
    shape: ValueShape,
}

impl BagValue {
    /// Makes the bag of a sort `(Bag T)` from elements of sort T, in any order. Multiplicities of repeated elements are added;
    /// those of multiplicity 0 are left out.
    /// Errors: [`SetError`] if an element is not exact or the bag is too large.
    pub fn new(sort: SortId, mut entries: Vec<(Value, UBig)>) -> Result<BagValue, SetError> {
        entries.retain(|(_, count)| !count.is_zero());
        if !entries.iter().all(|(element, _)| element.is_exact()) {
            return Err(SetError::Inexact);
        }
        entries.sort_unstable_by(|a, b| a.0.cmp(&b.0));
        entries.dedup_by(|again, first| {
            let is_same = again.0 == first.0;
            if is_same {
                first.1 += &again.1;
            }
            is_same
        });
        let shape = ValueShape::over(entries.iter().map(|(element, _)| element));
        if shape.fits() { Ok(BagValue { sort, entries: entries.into(), shape }) } else { Err(SetError::TooLarge) }
    }

    /// Returns the sort of the bag, by which empty ones of different sorts differ.
    pub fn sort(&self) -> SortId {
        self.sort
    }

    /// Returns the elements, ascending, with their multiplicities, which are above 0.
    pub fn entries(&self) -> &[(Value, UBig)] {
        &self.entries
    }

    /// How often an exact value is in the bag.
    pub fn count(&self, element: &Value) -> UBig {
        match self.entries.binary_search_by(|(known, _)| known.cmp(element)) {
            Ok(at) => self.entries[at].1.clone(),
            Err(_) => UBig::ZERO,
        }
    }

    /// Returns the sum of all multiplicities.
    pub fn card(&self) -> UBig {
        self.entries.iter().fold(UBig::ZERO, |sum, (_, count)| sum + count)
    }

    /// Whether every element is in `other` at least as often.
    pub fn is_subbag(&self, other: &BagValue) -> bool {
        self.entries.iter().all(|(element, count)| *count <= other.count(element))
    }

    /// Depth, weight and exactness.
    pub fn shape(&self) -> ValueShape {
        self.shape
    }

    /// Returns the sort key of bags: everything that distinguishes two of them.
    pub(crate) fn key(&self) -> (SortId, &[(Value, UBig)]) {
        (self.sort, &self.entries)
    }

    /// Returns the approximate number of bytes it owns.
    pub(crate) fn bytes(&self) -> usize {
        self.entries.iter().fold(0, |all, (_, count)| {
            all.saturating_add(size_of::<(Value, UBig)>()).saturating_add(count.bit_len() / 8)
        })
    }
}

impl PartialEq for BagValue {
    fn eq(&self, other: &BagValue) -> bool {
        self.key() == other.key()
    }
}

impl Eq for BagValue {}

impl std::hash::Hash for BagValue {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.key().hash(state);
    }
}
