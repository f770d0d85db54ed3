//! The Reals theory, and what Reals_Ints adds to it and Ints.

use super::theory::Theory;
use crate::op::Kind::*;
use crate::signature::Arity::*;
use crate::signature::Pattern::{Bool, Int, Real};
use crate::signature::Row;

/// Reals.
pub const THEORY: Theory = Theory { name: "Reals", rows: ROWS, aliases: &[("**", RealPow), ("~", RealNeg)] };

/// Reals_Ints, less what it has in common with Ints and Reals.
pub const MIXED: Theory = Theory { name: "Reals_Ints", rows: MIXED_ROWS, aliases: &[] };

const ROWS: &[Row] = &[
    Row::new(RealNeg, "-", &[Real], Real),
    Row::new(RealSub, "-", &[Real, Real], Real).arity(LeftAssoc),
    Row::new(RealAdd, "+", &[Real, Real], Real).arity(LeftAssoc),
    Row::new(RealMul, "*", &[Real, Real], Real).arity(LeftAssoc),
    Row::new(RealDiv, "/", &[Real, Real], Real).arity(LeftAssoc),
    Row::new(RealLe, "<=", &[Real, Real], Bool).arity(Chainable),
    Row::new(RealLt, "<", &[Real, Real], Bool).arity(Chainable),
    Row::new(RealGe, ">=", &[Real, Real], Bool).arity(Chainable),
    Row::new(RealGt, ">", &[Real, Real], Bool).arity(Chainable),
    Row::new(RealPow, "^", &[Real, Real], Real).extension(),
    Row::new(RealAbs, "abs", &[Real], Real).extension(),
];

const MIXED_ROWS: &[Row] = &[
    Row::new(ToReal, "to_real", &[Int], Real),
    Row::new(ToInt, "to_int", &[Real], Int),
    Row::new(IsInt, "is_int", &[Real], Bool),
];
