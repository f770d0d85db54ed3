//! The operators of every theory in tables, and the registry over them.

pub mod bitvec;
pub mod collections;
pub mod extensions;
pub mod float;
pub mod heaps;
pub mod numbers;
pub mod orders;
pub mod strings;

use crate::op::Kind::{self, *};
use crate::signature::Arity::*;
use crate::signature::Pattern::{Any, Bool};
use crate::signature::SignatureRow;
pub use crate::signature::Theory;

/// All theories. To add one, add a table in this folder and a line here.
pub const THEORIES: &[Theory] = &[
    CORE,
    numbers::INTS,
    numbers::REALS,
    numbers::MIXED,
    collections::ARRAYS,
    bitvec::THEORY,
    float::THEORY,
    strings::THEORY,
    collections::SEQUENCES,
    collections::SETS,
    collections::RELATIONS,
    collections::BAGS,
    numbers::FIELDS,
    orders::THEORY,
];

/// The rows by kind: 256 times the theory's number, plus the row's number from 1; or 0.
static ROW_OF: [u16; Kind::ALL.len()] = {
    let mut table = [0u16; Kind::ALL.len()];
    let mut t = 0;
    while t < THEORIES.len() {
        let mut r = 0;
        while r < THEORIES[t].rows.len() {
            table[THEORIES[t].rows[r].kind as usize] = (t * 256 + r + 1) as u16;
            r += 1;
        }
        t += 1;
    }
    table
};

/// Core.
pub const CORE: Theory =
    Theory { name: "Core", rows: CORE_ROWS, aliases: &[("implies", Implies), ("iff", Eq), ("if", Ite)] };

const CORE_ROWS: &[SignatureRow] = &[
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

/// Returns the row of an operator, if it is one of a theory's.
pub fn row(kind: Kind) -> Option<&'static SignatureRow> {
    let place = ROW_OF[kind as usize].checked_sub(1)? as usize;
    THEORIES[place / 256].rows.get(place % 256)
}

/// Returns all rows of all theories.
pub fn rows() -> impl Iterator<Item = &'static SignatureRow> {
    THEORIES.iter().flat_map(|t| t.rows)
}
