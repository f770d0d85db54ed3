//! The operators of every standard theory, one table a file, and the registry over them.

pub mod arrays;
pub mod bags;
pub mod bitvec;
pub mod core;
pub mod extensions;
pub mod finite_fields;
pub mod float;
pub mod ints;
pub mod reals;
pub mod sequences;
pub mod sets;
pub mod strings;
mod theory;

use crate::op::Kind;
use crate::signature::SignatureRow;

pub use theory::Theory;

/// All theories. To add one: a file in this folder and a line here.
pub const THEORIES: &[Theory] = &[
    core::THEORY,
    ints::THEORY,
    reals::THEORY,
    reals::MIXED,
    arrays::THEORY,
    bitvec::THEORY,
    float::THEORY,
    strings::THEORY,
    sequences::THEORY,
    sets::THEORY,
    bags::THEORY,
    finite_fields::THEORY,
];

/// The rows by kind: 256 times the theory's number, plus the row's number from 1, or 0.
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

/// The row of an operator, if it is one of a theory's.
pub fn row(kind: Kind) -> Option<&'static SignatureRow> {
    let place = ROW_OF[kind as usize].checked_sub(1)? as usize;
    THEORIES[place / 256].rows.get(place % 256)
}

/// All rows of all theories.
pub fn rows() -> impl Iterator<Item = &'static SignatureRow> {
    THEORIES.iter().flat_map(|t| t.rows)
}
