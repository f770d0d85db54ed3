//! The Ints theory.

use super::theory::Theory;
use crate::op::Kind::*;
use crate::signature::Arity::*;
use crate::signature::Pattern::{Bool, Int};
use crate::signature::Row;

/// Ints.
pub const THEORY: Theory = Theory { name: "Ints", rows: ROWS, aliases: &[("**", IntPow), ("~", IntNeg)] };

const ROWS: &[Row] = &[
    Row::new(IntNeg, "-", &[Int], Int),
    Row::new(IntSub, "-", &[Int, Int], Int).arity(LeftAssoc),
    Row::new(IntAdd, "+", &[Int, Int], Int).arity(LeftAssoc),
    Row::new(IntMul, "*", &[Int, Int], Int).arity(LeftAssoc),
    Row::new(IntDiv, "div", &[Int, Int], Int).arity(LeftAssoc),
    Row::new(IntMod, "mod", &[Int, Int], Int),
    Row::new(IntAbs, "abs", &[Int], Int),
    Row::new(IntLe, "<=", &[Int, Int], Bool).arity(Chainable),
    Row::new(IntLt, "<", &[Int, Int], Bool).arity(Chainable),
    Row::new(IntGe, ">=", &[Int, Int], Bool).arity(Chainable),
    Row::new(IntGt, ">", &[Int, Int], Bool).arity(Chainable),
    Row::new(IntDivisible, "divisible", &[Int], Bool).indices(1),
    Row::new(IntRem, "rem", &[Int, Int], Int).extension(),
    Row::new(IntAnd, "iand", &[Int, Int], Int).indices(1).extension(),
    Row::new(IntPow2, "int.pow2", &[Int], Int).extension(),
    Row::new(IntPow, "^", &[Int, Int], Int).extension(),
];
