//! Sequences as values.

use crate::value::{Value, ValueShape};
use smtlib::SortId;
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
