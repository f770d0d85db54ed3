//! The ArraysEx theory.

use super::theory::Theory;
use crate::op::Kind::*;
use crate::signature::Pattern::{Any, Array};
use crate::signature::SignatureRow;

/// ArraysEx.
pub const THEORY: Theory = Theory { name: "ArraysEx", rows: ROWS, aliases: &[] };

const ROWS: &[SignatureRow] = &[
    SignatureRow::new(ArraySelect, "select", &[Array, Any(0)], Any(1)),
    SignatureRow::new(ArrayStore, "store", &[Array, Any(0), Any(1)], Array),
];
