//! Changing a seed's assertions at places: the common part of operator mutation and generative mutation.

pub mod change;
mod formula;
mod generate;
pub mod printed_tree;

use crate::assignment::{AssignmentKind, assignment};
use crate::parameter::{ParameterRow, Span, ValuePlace, number, parameters, span, word, words};
pub use change::{Edits, Replacement, Scratch, TextEdit};
pub use formula::{
    Body, FormulaSource, SeedAssertion, SeedFormula, constructor_names, limits, names_extension, needs, refused,
    unfolded,
};
pub use generate::{DrawChange, EditBatch};
pub use printed_tree::{PrintedTree, TermSpan};
use smtlib::{Dialect, Kind, Op};

/// The parameter for the truth of mutants.
pub const TRUTH: &str = "truth";

/// The parameter that says whether guards may change.
pub const GUARDS: &str = "guards";

/// The truth of mutants.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum TruthMode {
    /// Each assertion is asserted if it is true under the assignment, otherwise its negation, so that the mutant is satisfiable.
    #[default]
    Certified,
    /// Assertions stay unchanged, and answers of several solvers are compared.
    Differential,
    /// Each mutant draws one of the two.
    Both,
}

/// The treatment of guards: assertions such as `(or (= x 1) (= x 4))` that confine a symbol to listed values.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum GuardUse {
    /// Guards change like others.
    #[default]
    Change,
    /// Guards stay unchanged, so that a small world stays one.
    Keep,
}

parameters! { pub PARAMETERS of
    /// The parameters of a mutator of places.
    #[derive(Clone, PartialEq, Eq, Debug)]
    EditConfig;

    truth: TruthMode = TruthMode::Certified => word(TRUTH, "certified, differential or both")
        "certified, differential or both";
    mutants: u32 = 300 => number("mutants", 1) "mutants per unit, at least 1";
    changes: Span = Span { low: 1, high: 3 } => span("changes") "changes of one step";
    /// 1 makes each from the seed.
    consecutive: u32 = 1 => number("consecutive", 1) "mutants in a row that build on each other, at least 1";
    /// Where the assignment comes from.
    assignment: AssignmentKind = AssignmentKind::Mixed => assignment();
    /// Whether assertions that confine a symbol to listed values may change.
    guards: GuardUse = GuardUse::Change => guards();
}

words!(TruthMode: Certified = "certified", Differential = "differential", Both = "both");

words!(GuardUse: Change = "change", Keep = "keep");

/// Returns the parameter `guards` of a configuration that has one.
pub const fn guards<C>(place: ValuePlace<C>) -> ParameterRow<C> {
    let about = "whether assertions that list the values of a symbol change: change or keep";
    word(GUARDS, "change or keep", about, place)
}

/// Appends the operator of a theory, or a quantifier, as the head of an application.
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
