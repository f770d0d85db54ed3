//! The Core theory: Booleans, equality and `ite`.

use super::theory::Theory;
use crate::op::Kind::*;
use crate::signature::Arity::*;
use crate::signature::Pattern::{Any, Bool};
use crate::signature::SignatureRow;

/// Core.
pub const THEORY: Theory =
    Theory { name: "Core", rows: ROWS, aliases: &[("implies", Implies), ("iff", Eq), ("if", Ite)] };

const ROWS: &[SignatureRow] = &[
    SignatureRow::new(True, "true", &[], Bool),
    SignatureRow::new(False, "false", &[], Bool),
    SignatureRow::new(Not, "not", &[Bool], Bool),
    SignatureRow::new(Implies, "=>", &[Bool, Bool], Bool).arity(RightAssoc),
    SignatureRow::new(And, "and", &[Bool, Bool], Bool).arity(LeftAssoc),
    SignatureRow::new(Or, "or", &[Bool, Bool], Bool).arity(LeftAssoc),
    SignatureRow::new(Xor, "xor", &[Bool, Bool], Bool).arity(LeftAssoc),
    SignatureRow::new(Eq, "=", &[Any(0), Any(0)], Bool).arity(Chainable),
    SignatureRow::new(Distinct, "distinct", &[Any(0), Any(0)], Bool).arity(Pairwise),
    SignatureRow::new(Ite, "ite", &[Bool, Any(0), Any(0)], Any(0)),
];
