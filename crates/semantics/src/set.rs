//! Finite sets as values: their elements in one order, each once.

use crate::value::{Value, ValueShape};
use smtlib::{SortId, Store};
use std::cmp::Ordering;

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
