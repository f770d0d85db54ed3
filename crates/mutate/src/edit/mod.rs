//! Changing a seed's assertions at places: the common part of operator mutation and generative mutation.

pub mod change;
mod formula;
mod generate;
pub mod printed_tree;

use crate::assignment::{self, AssignmentKind};
use crate::parameter::{ParameterRow, ParameterTable, Refused, Span, number, set_parsed, span, text, words};
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

/// The parameters of [`EditConfig`].
pub const PARAMETERS: ParameterTable<EditConfig> = ParameterTable(&[
    text(
        TRUTH,
        "certified, differential or both",
        "certified, differential or both",
        |c| c.truth.to_string(),
        |c, v| set_parsed(&mut c.truth, v),
    ),
    number("mutants", 1, "mutants of a unit, at least 1", |c| &mut c.mutants),
    span("changes", "changes of one step", |c| &mut c.changes),
    number("consecutive", 1, "mutants in a row that build on each other, at least 1", |c| &mut c.consecutive),
    assignment::row(|c| c.assignment.to_string(), |c, v| set_parsed(&mut c.assignment, v)),
    guards_row(|c| c.guards.to_string(), |c, v| set_parsed(&mut c.guards, v)),
]);

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

/// The parameters of a mutator of places.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EditConfig {
    /// The truth of mutants.
    pub truth: TruthMode,
    /// How many mutants a unit is worth, at least 1.
    pub mutants: u32,
    /// How many changes one step makes.
    pub changes: Span,
    /// How many consecutive mutants each add one step to the previous one; 1 makes each from the seed.
    pub consecutive: u32,
    /// Where the assignment comes from.
    pub assignment: AssignmentKind,
    /// Whether assertions that confine a symbol to listed values may change.
    pub guards: GuardUse,
}

words!(TruthMode: Certified = "certified", Differential = "differential", Both = "both");

words!(GuardUse: Change = "change", Keep = "keep");

impl Default for EditConfig {
    fn default() -> Self {
        EditConfig {
            truth: TruthMode::Certified,
            mutants: 300,
            changes: Span { low: 1, high: 3 },
            consecutive: 1,
            assignment: AssignmentKind::Mixed,
            guards: GuardUse::Change,
        }
    }
}

/// Returns the parameter `guards` of a configuration that has one.
pub const fn guards_row<C>(get: fn(&C) -> String, set: fn(&mut C, &str) -> Result<(), Refused>) -> ParameterRow<C> {
    let about = "whether assertions that list the values of a symbol change: change or keep";
    text(GUARDS, "change or keep", about, get, set)
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
