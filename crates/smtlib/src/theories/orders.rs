//! Orders, as z3 has them ("Special relations" in the online guide of Z3).

use crate::op::Kind::*;
use crate::signature::Pattern::{Any, Bool};
use crate::signature::{SignatureRow, Theory};

/// Orders. The index tells those of one sort apart.
pub const THEORY: Theory = Theory {
    name: "Orders",
    rows: &[
        SignatureRow::new(PartialOrder, "partial-order", &[Any(0), Any(0)], Bool).indices(1).extension(),
        SignatureRow::new(LinearOrder, "linear-order", &[Any(0), Any(0)], Bool).indices(1).extension(),
        SignatureRow::new(TreeOrder, "tree-order", &[Any(0), Any(0)], Bool).indices(1).extension(),
        SignatureRow::new(PiecewiseOrder, "piecewise-linear-order", &[Any(0), Any(0)], Bool).indices(1).extension(),
    ],
    aliases: &[],
};
