//! Separation logic, as cvc5 has it. Its rows are not registered: their operators belong to the heap of a script.

use crate::op::Kind::*;
use crate::signature::Arity::TwoOrMore;
use crate::signature::Pattern::{Any, Bool};
use crate::signature::SignatureRow;

/// Its operators. The sorts 0 and 1 are those of the heap.
pub const ROWS: [SignatureRow; 5] = [
    SignatureRow::new(SepEmp, "sep.emp", &[], Bool).extension(),
    SignatureRow::new(SepNil, "sep.nil", &[], Any(0)).extension(),
    SignatureRow::new(SepPto, "pto", &[Any(0), Any(1)], Bool).extension(),
    SignatureRow::new(SepStar, "sep", &[Bool, Bool], Bool).arity(TwoOrMore).extension(),
    SignatureRow::new(SepWand, "wand", &[Bool, Bool], Bool).extension(),
];

/// Returns the name of one of its operators.
pub fn name(kind: crate::Kind) -> Option<&'static str> {
    ROWS.iter().find(|row| row.kind == kind).map(|row| row.name)
}
