//! The ids of what a store holds: terms, literals, binders, `match` cases and functions.

/// A term of one [`Store`](crate::Store). Two terms of a store are the same exactly when their ids are.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct TermId(pub(crate) u32);

impl TermId {
    /// The position of this term in its store. Children always come before their parents, so that a memo table can be a
    /// vector and a pass over it in order is bottom-up.
    pub fn index(self) -> usize {
        self.0 as usize
    }

    /// The term at a position below [`Store::len`](crate::Store::len).
    pub fn from_index(index: usize) -> TermId {
        TermId(index as u32)
    }
}

/// A literal of one store.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct ConstantId(pub(crate) u32);

/// A binder of one store.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct BinderId(pub(crate) u32);

/// The cases of a `match` of one store.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct MatchId(pub(crate) u32);

/// A function symbol of one store. Two declarations of the same name, rank and definition are the same function.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct FuncId(pub(crate) u32);

impl FuncId {
    /// The position of this function in its store.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}
