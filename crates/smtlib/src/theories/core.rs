//! The Core theory: Booleans, equality and `ite`.

use super::theory::Theory;
use crate::op::Kind::*;
use crate::signature::Arity::*;
use crate::signature::Pattern::{Any, Bool};
use crate::signature::Row;

/// Core.
pub const THEORY: Theory =
    Theory { name: "Core", rows: ROWS, aliases: &[("implies", Implies), ("iff", Eq), ("if", Ite)] };

const ROWS: &[Row] = &[
    Row::new(True, "true", &[], Bool),
    Row::new(False, "false", &[], Bool),
    Row::new(Not, "not", &[Bool], Bool),
    Row::new(Implies, "=>", &[Bool, Bool], Bool).arity(RightAssoc),
    Row::new(And, "and", &[Bool, Bool], Bool).arity(LeftAssoc),
    Row::new(Or, "or", &[Bool, Bool], Bool).arity(LeftAssoc),
    Row::new(Xor, "xor", &[Bool, Bool], Bool).arity(LeftAssoc),
    Row::new(Eq, "=", &[Any(0), Any(0)], Bool).arity(Chainable),
    Row::new(Distinct, "distinct", &[Any(0), Any(0)], Bool).arity(Pairwise),
    Row::new(Ite, "ite", &[Bool, Any(0), Any(0)], Any(0)),
];
