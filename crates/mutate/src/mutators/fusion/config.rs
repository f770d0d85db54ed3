//! The parameters of semantic fusion.

use crate::assignment::{self, AssignmentKind};
use crate::parameter::{ParameterTable, Span, number, percent, set_parsed, span, text, words};

/// The intended answers.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Oracle {
    /// Both, as the seeds' statuses allow.
    #[default]
    Auto,
    /// `sat` only, certified.
    Sat,
    /// `unsat` only, trusted: at least one seed must be known to be unsatisfiable.
    Unsat,
}

words!(Oracle: Auto = "auto", Sat = "sat", Unsat = "unsat");

/// The parameters of one fusion mutator.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FusionConfig {
    /// The intended answers.
    pub oracle: Oracle,
    /// How many mutants a unit is worth, at least 1.
    pub mutants: u32,
    /// How many pairs of variables a mutant fuses.
    pub pairs: Span,
    /// How often an occurrence of a fused variable is replaced, in percent.
    pub replaced: u32,
    /// How many fusions of two variables are prepared for a unit, at least 1.
    pub pool: u32,
    /// How often a fusion function is generated if the sorts allow it, in percent.
    pub generated: u32,
    /// How often another variable of the sort replaces a function's random constant, in percent.
    pub others: u32,
    /// Where the parents' assignments come from.
    pub assignment: AssignmentKind,
}

impl Default for FusionConfig {
    fn default() -> Self {
        FusionConfig {
            oracle: Oracle::Auto,
            mutants: 300,
            pairs: Span { low: 1, high: 3 },
            replaced: 50,
            pool: 32,
            generated: 30,
            others: 25,
            assignment: AssignmentKind::Mixed,
        }
    }
}

/// The parameters of [`FusionConfig`].
pub const PARAMETERS: ParameterTable<FusionConfig> = ParameterTable(&[
    text(
        "oracle",
        "auto, sat or unsat",
        "sat, unsat, or auto: as the seeds' statuses allow",
        |c| c.oracle.to_string(),
        |c, v| set_parsed(&mut c.oracle, v),
    ),
    number("mutants", 1, "mutants of a unit, at least 1", |c| &mut c.mutants),
    span("pairs", "pairs of variables that a mutant fuses", |c| &mut c.pairs),
    percent("replaced", "percent of a fused variable's occurrences that are replaced", |c| &mut c.replaced),
    number("pool", 1, "fusions of two variables prepared for a unit, at least 1", |c| &mut c.pool),
    percent("generated", "percent of fusion functions that are generated from invertible steps", |c| &mut c.generated),
    percent("others", "percent of a function's constants that another variable replaces", |c| &mut c.others),
    assignment::row(|c| c.assignment.to_string(), |c, v| set_parsed(&mut c.assignment, v)),
]);
