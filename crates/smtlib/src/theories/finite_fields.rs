//! Finite fields of a prime number of elements, a theory of cvc5. Their literals, `#f3m7` and `(as ff3 (_ FiniteField 7))`, have no row.

use super::theory::Theory;
use crate::op::Kind::*;
use crate::signature::Arity::{LeftAssoc, TwoOrMore};
use crate::signature::Pattern::FiniteField;
use crate::signature::SignatureRow;

/// Finite fields.
pub const THEORY: Theory = Theory { name: "FiniteFields", rows: ROWS, aliases: &[] };

const ROWS: &[SignatureRow] = &[
    SignatureRow::new(FfAdd, "ff.add", &[FiniteField, FiniteField], FiniteField).arity(LeftAssoc).extension(),
    SignatureRow::new(FfMul, "ff.mul", &[FiniteField, FiniteField], FiniteField).arity(LeftAssoc).extension(),
    SignatureRow::new(FfNeg, "ff.neg", &[FiniteField], FiniteField).extension(),
    SignatureRow::new(FfBitsum, "ff.bitsum", &[FiniteField, FiniteField], FiniteField).arity(TwoOrMore).extension(),
];
