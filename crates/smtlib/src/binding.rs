//! What a name means at a point of a script.

use crate::ids::{FuncId, TermId};
use crate::sort::{DatatypeId, SortId};
use crate::symbol::Symbol;

/// What a name means where a term is expected.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum Binding {
    #[default]
    Unbound,
    /// The operators of this name, by group number.
    Theory(u32),
    /// A bound variable, a `let` variable or a `:named` term.
    Term(TermId),
    Func(FuncId),
    Constructor(DatatypeId, u32),
    Selector(DatatypeId, u16, u16),
    /// `is-c`, the old spelling of `(_ is c)`.
    Tester(DatatypeId, u32),
    /// Several functions, constructors, selectors or testers of this name, by their number in the scope.
    Overloaded(u32),
    /// Defined by a command that was carried as text.
    Opaque,
}

/// What a name means where a sort is expected.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) enum SortBinding {
    #[default]
    Unbound,
    Simple(SortId),
    BitVec,
    FloatingPoint,
    FiniteField,
    Array,
    Set,
    Bag,
    Map,
    Seq,
    /// A declared constructor of this arity.
    Declared(u32),
    Datatype(DatatypeId),
    /// `define-sort`: parameters and body.
    Defined(Box<[Symbol]>, SortId),
    Extension,
}
