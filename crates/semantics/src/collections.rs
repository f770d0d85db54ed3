//! Values made of elements of one sort: finite sequences, and finite sets with their elements in one order, each once.

use crate::value::{Value, ValueShape};
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
    /// The sort of the sequence, by which empty ones of different sorts differ.
    pub fn sort(&self) -> SortId {
        self.sort
    }

    /// The elements in order.
    pub fn elements(&self) -> &[Value] {
        &self.elements
    }

    /// Depth, weight and exactness.
    pub fn shape(&self) -> ValueShape {
        self.shape
    }

    /// Whether two sequences of one sort are the same, where that is known.
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

    /// What orders sequences: all that tells two of them apart.
    pub(crate) fn key(&self) -> (SortId, &[Value]) {
        (self.sort, &self.elements)
    }
}

impl Value {
    /// The sequence of a sort `(Seq T)` of these elements, which are of sort T; none when the value would be past
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
/// Invariant: the elements are exact, ascending and unique, so that two sets are the same exactly when they are equal.
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

/// Why there is no set of some elements.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SetError {
    /// An element is not exact: whether it is another one is not to be seen.
    Inexact,
    /// The set would be past [`MAX_DEPTH`](crate::value::MAX_DEPTH) or [`MAX_WEIGHT`](crate::value::MAX_WEIGHT).
    TooLarge,
}

impl SetValue {
    /// The set of these elements, in any order and with repetitions.
    ///
    /// # Errors
    /// [`SetError`], where an element is not exact or the set is too large.
    pub fn new(mut elements: Vec<Value>) -> Result<SetValue, SetError> {
        if !elements.iter().all(Value::is_exact) {
            return Err(SetError::Inexact);
        }
        elements.sort_unstable();
        elements.dedup();
        let shape = ValueShape::over(&elements);
        if shape.fits() { Ok(SetValue { elements: elements.into(), shape }) } else { Err(SetError::TooLarge) }
    }

    /// The elements, ascending.
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
