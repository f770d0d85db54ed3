//! The text of a head: the operator of an application.

use smtlib::{Dialect, Kind, Op};

/// The operator of a theory, or a quantifier, as it stands at the head of an application.
pub fn head_text(dialect: &Dialect, op: Op, out: &mut String) {
    use std::fmt::Write;
    let name = match op.kind {
        Kind::Forall => "forall",
        Kind::Exists => "exists",
        kind => dialect.name(kind),
    };
    // Writing to a String cannot fail.
    let _ = match smtlib::theories::row(op.kind).map_or(0, |r| r.indices) {
        0 => write!(out, "{name}"),
        1 => write!(out, "(_ {name} {})", op.i),
        _ => write!(out, "(_ {name} {} {})", op.i, op.j),
    };
}
