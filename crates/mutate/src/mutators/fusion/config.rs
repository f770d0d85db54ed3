//! The parameters of semantic fusion.

use crate::assignment::{AssignmentKind, assignment};
use crate::parameter::{Span, number, parameters, percent, span, word, words};

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

parameters! { pub PARAMETERS of
    /// The parameters of one fusion mutator.
    #[derive(Clone, PartialEq, Eq, Debug)]
    FusionConfig;

    oracle: Oracle = Oracle::Auto => word("oracle", "auto, sat or unsat")
        "sat, unsat, or auto: as the seeds' statuses allow";
    mutants: u32 = 300 => number("mutants", 1) "mutants per unit, at least 1";
    pairs: Span = Span { low: 1, high: 3 } => span("pairs") "pairs of variables that a mutant fuses";
    replaced: u32 = 50 => percent("replaced") "percent of a fused variable's occurrences that are replaced";
    pool: u32 = 32 => number("pool", 1) "fusions of two variables prepared for a unit, at least 1";
    /// Only where the sorts allow it.
    generated: u32 = 30 => percent("generated") "percent of fusion functions that are generated from invertible steps";
    others: u32 = 25 => percent("others") "percent of a function's constants that another variable replaces";
    /// Where the parents' assignments come from.
    assignment: AssignmentKind = AssignmentKind::Mixed => assignment();
}
