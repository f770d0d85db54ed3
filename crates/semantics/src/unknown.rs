//! Why a term has no reliable value.

use crate::algebraic::AlgebraicError;
use crate::float;
use crate::meter::Exhausted;
use crate::strings::StringsError;
use smtlib::TermId;

/// A term whose value is not known, and why.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, thiserror::Error)]
#[error("term {} has no known value: {reason}", .term.index())]
pub struct Unknown {
    /// The innermost term to blame: a subterm of the one asked for, or of a definition it uses.
    pub term: TermId,
    /// Why its value is unknown.
    pub reason: UnknownReason,
}

/// The reasons for unknown values: invariant 1 of the design, clause by clause.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, thiserror::Error)]
pub enum UnknownReason {
    /// The model does not interpret this symbol.
    #[error("the model has no interpretation for the symbol")]
    Unassigned,
    /// The model's interpretation is a table without this row and without a default.
    #[error("the model's table has no row for these arguments")]
    OutsideTable,
    /// A variable is free.
    #[error("the variable is free")]
    FreeVariable,
    /// `div`, `mod` or `/` by zero: any total extension is a model of the theories Ints and Reals.
    #[error("division by zero may have any value")]
    DivisionByZero,
    /// A selector on a term of another constructor (SMT-LIB 2.6, 5.5.1).
    #[error("a selector on another constructor may have any value")]
    WrongConstructor,
    /// `seq.nth` out of range: cvc5's theory reference and z3's guide leave its value open.
    #[error("seq.nth out of range may have any value")]
    OutsideSequence,
    /// `set.choose` or `bag.choose` of several elements (any of them), or of none (any value).
    #[error("the chosen value may be any element of the collection, or any value if it is empty")]
    OpenElement,
    /// `set.fold` or `bag.fold` if the order of the elements matters, or there are too many to try all orders.
    #[error("the order in which the fold takes the elements is open, and may matter")]
    OpenOrder,
    /// `match` without a case for the constructor.
    #[error("no case of the match applies")]
    NoCase,
    /// An open clause of the theory FloatingPoint.
    #[error(transparent)]
    Float(float::Unspecified),
    /// An operator outside the standard on arguments where solvers differ or where it is not defined.
    #[error("the extension is not defined for these arguments")]
    Extension,
    /// A quantifier over a domain that is infinite, not fixed by the model, or larger than the bound.
    #[error("the quantifier's domain is infinite, not fixed by the model, or above the bound")]
    Domain,
    /// Equality or indexing of functions given by a body that is not a table, or over a sort of unknown size.
    #[error("the function or array is given by a body, so equality cannot be decided")]
    NoTable,
    /// A recursive function that is not provably total may have no interpretation at all.
    #[error("the recursive function is not provably total")]
    NotTotal,
    /// The evaluation took more steps than allowed.
    #[error("the step bound is reached")]
    Steps,
    /// The time is up, or the value is no longer wanted.
    #[error("the time is up")]
    Stopped,
    /// Calls and binders are nested deeper than allowed.
    #[error("calls or binders are nested deeper than the bound")]
    Nesting,
    /// The exact value is defined but larger than allowed.
    #[error("the exact value is larger than the bound")]
    TooLarge,
    /// Equality of regular languages or membership that needs more work than allowed.
    #[error("the regular expression needs more work than allowed")]
    RegexWork,
    /// An operation on irrational algebraic numbers that needs more work than allowed, or is not supported.
    #[error("the operation on irrational algebraic numbers is not supported or needs more work than allowed")]
    Irrational,
    /// A value of a sort that this evaluator does not interpret.
    #[error("the sort or operator is a solver's own")]
    Opaque,
    /// A parametric function at an instance, which a model cannot fix by name alone.
    #[error("the function is parametric")]
    Parametric,
    /// The model gives a value of another sort than the symbol's.
    #[error("the model's value is of another sort")]
    IllSorted,
}

impl From<Exhausted> for UnknownReason {
    fn from(exhausted: Exhausted) -> UnknownReason {
        match exhausted {
            Exhausted::Stopped => UnknownReason::Stopped,
            Exhausted::Memory { .. } => UnknownReason::TooLarge,
        }
    }
}

impl From<float::UnknownFloat> for UnknownReason {
    fn from(unknown: float::UnknownFloat) -> UnknownReason {
        match unknown {
            float::UnknownFloat::Unspecified(which) => UnknownReason::Float(which),
            float::UnknownFloat::TooLarge { .. } => UnknownReason::TooLarge,
        }
    }
}

impl From<AlgebraicError> for UnknownReason {
    fn from(error: AlgebraicError) -> UnknownReason {
        match error {
            AlgebraicError::DivisionByZero => UnknownReason::DivisionByZero,
            _ => UnknownReason::Irrational,
        }
    }
}

impl From<StringsError> for UnknownReason {
    fn from(error: StringsError) -> UnknownReason {
        match error {
            StringsError::RegexWork { .. } => UnknownReason::RegexWork,
            StringsError::Stopped => UnknownReason::Stopped,
            _ => UnknownReason::TooLarge,
        }
    }
}
