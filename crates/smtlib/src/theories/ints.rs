//! The Ints theory.

use super::theory::Theory;
use crate::op::Kind::*;
use crate::signature::Arity::*;
use crate::signature::Pattern::{Bool, Int};
use crate::signature::SignatureRow;

/// Ints.
pub const THEORY: Theory = Theory { name: "Ints", rows: ROWS, aliases: &[("**", IntPow), ("~", IntNeg)] };

const ROWS: &[SignatureRow] = &[
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
    SignatureRow::new(IntPow2, "int.pow2", &[Int], Int).extension(),
    SignatureRow::new(IntPow, "^", &[Int, Int], Int).extension(),
];
