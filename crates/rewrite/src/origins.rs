//! Origins: the set of input assertions from which a formula follows, shared, with unions in constant time.

use rustc_hash::FxHashSet;
use std::sync::Arc;

/// A set of numbers of input assertions.
///
/// Sets are stored as graphs of unions and only listed on demand: a pass makes a union for every formula it touches, but a core is listed
/// once at the end. The empty set costs nothing: goals without cores carry only empty sets.
#[derive(Clone, Default, Debug)]
pub struct Origins(Option<Arc<OriginNode>>);

#[derive(Debug)]
enum OriginNode {
    One(u32),
    Both(Origins, Origins),
}

impl Origins {
    /// Returns the empty set.
    pub fn none() -> Origins {
        Origins(None)
    }

    /// Returns the set of one assertion's number.
    pub fn one(assertion: u32) -> Origins {
        Origins(Some(Arc::new(OriginNode::One(assertion))))
    }

    /// Whether the set is empty.
    pub fn is_none(&self) -> bool {
        self.0.is_none()
    }

    /// Returns the union of two sets.
    pub fn union(&self, other: &Origins) -> Origins {
        match (&self.0, &other.0) {
            (None, _) => other.clone(),
            (_, None) => self.clone(),
            (Some(a), Some(b)) if Arc::ptr_eq(a, b) => self.clone(),
            _ => Origins(Some(Arc::new(OriginNode::Both(self.clone(), other.clone())))),
        }
    }

    /// Adds another set to this one.
    pub fn add(&mut self, other: &Origins) {
        *self = self.union(other);
    }

    /// Returns the union of several sets.
    pub fn all<'a>(sets: impl IntoIterator<Item = &'a Origins>) -> Origins {
        sets.into_iter().fold(Origins::none(), |all, set| all.union(set))
    }

    /// Returns the numbers, ascending, each once.
    pub fn indices(&self) -> Vec<u32> {
        let mut seen: FxHashSet<*const OriginNode> = FxHashSet::default();
        let mut found = Vec::new();
        let mut stack: Vec<&Arc<OriginNode>> = self.0.iter().collect();
        while let Some(node) = stack.pop() {
            if !seen.insert(Arc::as_ptr(node)) {
                continue;
            }
            match &**node {
                OriginNode::One(n) => found.push(*n),
                OriginNode::Both(a, b) => stack.extend(a.0.iter().chain(&b.0)),
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }
}

/// Unions may be nested as deep as there are formulas, so they are dropped without recursion.
impl Drop for Origins {
    fn drop(&mut self) {
        let Some(first) = self.0.take() else { return };
        let mut stack = Vec::new();
        let mut next = Some(first);
        while let Some(node) = next {
            if let Some(OriginNode::Both(mut a, mut b)) = Arc::into_inner(node) {
                stack.extend(a.0.take());
                stack.extend(b.0.take());
            }
            next = stack.pop();
        }
    }
}
