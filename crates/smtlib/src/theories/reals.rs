//! The Reals theory, and what Reals_Ints adds to it and Ints.

use super::theory::Theory;
use crate::op::Kind::*;
use crate::signature::Arity::*;
use crate::signature::Pattern::{Bool, Int, Real};
use crate::signature::SignatureRow;

/// Reals.
pub const THEORY: Theory = Theory { name: "Reals", rows: ROWS, aliases: &[("**", RealPow), ("~", RealNeg)] };

/// Reals_Ints, less what it has in common with Ints and Reals.
pub const MIXED: Theory = Theory { name: "Reals_Ints", rows: MIXED_ROWS, aliases: &[] };

const ROWS: &[SignatureRow] = &[
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
];

const MIXED_ROWS: &[SignatureRow] = &[
    SignatureRow::new(ToReal, "to_real", &[Int], Real),
    SignatureRow::new(ToInt, "to_int", &[Real], Int),
    SignatureRow::new(IsInt, "is_int", &[Real], Bool),
];
