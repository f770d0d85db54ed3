//! The theories of numbers: Ints, Reals, Reals_Ints and finite fields.

use crate::op::Kind::*;
use crate::signature::Arity::{LeftAssoc, TwoOrMore, *};
use crate::signature::Pattern::{Bool, FiniteField, Int, Real};
use crate::signature::SignatureRow;
use crate::signature::Theory;

/// Ints.
pub const INTS: Theory = Theory { name: "Ints", rows: INT_ROWS, aliases: &[("**", IntPow), ("~", IntNeg)] };

const INT_ROWS: &[SignatureRow] = &[
    SignatureRow::new(IntNeg, "-", &[Int], Int),
    SignatureRow::new(IntSub, "-", &[Int, Int], Int).arity(LeftAssoc),
    SignatureRow::new(IntAdd, "+", &[Int, Int], Int).arity(LeftAssoc),
    SignatureRow::new(IntMul, "*", &[Int, Int], Int).arity(LeftAssoc),
    SignatureRow::new(IntDiv, "div", &[Int, Int], Int).arity(LeftAssoc),
    SignatureRow::new(IntMod, "mod", &[Int, Int], Int),
    SignatureRow::new(IntAbs, "abs", &[Int], Int),
    SignatureRow::new(IntLe, "<=", &[Int, Int], Bool).arity(Chainable),
    SignatureRow::new(IntLt, "<", &[Int, Int], Bool).arity(Chainable),
    SignatureRow::new(IntGe, ">=", &[Int, Int], Bool).arity(Chainable),
    SignatureRow::new(IntGt, ">", &[Int, Int], Bool).arity(Chainable),
    SignatureRow::new(IntDivisible, "divisible", &[Int], Bool).indices(1),
    SignatureRow::new(IntRem, "rem", &[Int, Int], Int).extension(),
    SignatureRow::new(IntAnd, "iand", &[Int, Int], Int).indices(1).extension(),
    SignatureRow::new(IntPiand, "piand", &[Int, Int, Int], Int).extension(),
    SignatureRow::new(IntPow2, "int.pow2", &[Int], Int).extension(),
    SignatureRow::new(IntPow, "^", &[Int, Int], Int).extension(),
];

/// Reals.
pub const REALS: Theory = Theory { name: "Reals", rows: REAL_ROWS, aliases: &[("**", RealPow), ("~", RealNeg)] };

/// Reals_Ints without the operators of Ints and Reals.
pub const MIXED: Theory = Theory { name: "Reals_Ints", rows: MIXED_ROWS, aliases: &[] };

const REAL_ROWS: &[SignatureRow] = &[
    SignatureRow::new(RealNeg, "-", &[Real], Real),
    SignatureRow::new(RealSub, "-", &[Real, Real], Real).arity(LeftAssoc),
    SignatureRow::new(RealAdd, "+", &[Real, Real], Real).arity(LeftAssoc),
    SignatureRow::new(RealMul, "*", &[Real, Real], Real).arity(LeftAssoc),
    SignatureRow::new(RealDiv, "/", &[Real, Real], Real).arity(LeftAssoc),
    SignatureRow::new(RealLe, "<=", &[Real, Real], Bool).arity(Chainable),
    SignatureRow::new(RealLt, "<", &[Real, Real], Bool).arity(Chainable),
    SignatureRow::new(RealGe, ">=", &[Real, Real], Bool).arity(Chainable),
    SignatureRow::new(RealGt, ">", &[Real, Real], Bool).arity(Chainable),
    SignatureRow::new(RealPow, "^", &[Real, Real], Real).extension(),
    SignatureRow::new(RealAbs, "abs", &[Real], Real).extension(),
    SignatureRow::new(RealSqrt, "sqrt", &[Real], Real).extension(),
];

const MIXED_ROWS: &[SignatureRow] = &[
    SignatureRow::new(ToReal, "to_real", &[Int], Real),
    SignatureRow::new(ToInt, "to_int", &[Real], Int),
    SignatureRow::new(IsInt, "is_int", &[Real], Bool),
];

/// Finite fields of prime order, a theory of cvc5. Their literals, `#f3m7` and `(as ff3 (_ FiniteField 7))`, have no row.
pub const FIELDS: Theory = Theory { name: "FiniteFields", rows: FIELD_ROWS, aliases: &[] };

const FIELD_ROWS: &[SignatureRow] = &[
    SignatureRow::new(FfAdd, "ff.add", &[FiniteField, FiniteField], FiniteField).arity(LeftAssoc).extension(),
    SignatureRow::new(FfMul, "ff.mul", &[FiniteField, FiniteField], FiniteField).arity(LeftAssoc).extension(),
    SignatureRow::new(FfNeg, "ff.neg", &[FiniteField], FiniteField).extension(),
    SignatureRow::new(FfBitsum, "ff.bitsum", &[FiniteField, FiniteField], FiniteField).arity(TwoOrMore).extension(),
];
