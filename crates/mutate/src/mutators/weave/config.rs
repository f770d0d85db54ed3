//! The parameters of the mutator `weave`.

use super::truths::MAX_ASSIGNMENTS;
use crate::assignment::{AssignmentKind, assignment};
use crate::parameter::{Span, bounded, number, parameters, percent, span};
use crate::query_mode::{QueryConfig, tactics};

parameters! { pub PARAMETERS of
    /// The parameters of one mutator.
    #[derive(Clone, PartialEq, Eq, Debug)]
    WeaveConfig;

    assignments: Span = Span { low: 2, high: 4 }
        => bounded("assignments", "LOW-HIGH or one number, within 2 and 4", (2, MAX_ASSIGNMENTS))
        "assignments of a unit, 2 to 4";
    /// It includes the formula's negation; a leaf has depth 0.
    max_depth: u32 = 64 => number("max-depth", 0) "depth of the deepest formula asserted";
    max_asserts: u32 = 48 => number("max-asserts", 1) "most assertions of a mutant, at least 1";
    constructed: Span = Span { low: 200, high: 1500 } => span("constructed") "formulas built for a seed, by its size";
    mutants: Span = Span { low: 300, high: 1000 } => span("mutants") "mutants of a unit, by its seed's size";
    initial_operand: u32 = 40 => percent("initial-operand") "percent of operands that are the seed's own";
    initial_assertion: u32 = 30 => percent("initial-assertion") "percent of assertions that are the seed's own";
    max_fragments: u32 = 5000 => number("max-fragments", 1) "fragments of a seed kept at most";
    focus: u32 = 50 => percent("focus") "percent of units that use only 4 to 24 of the fragments";
    /// They are true under the witness.
    steering: u32 = 25 => percent("steering") "percent of assertions that are false under some assignments";
    /// The rest is true under the witness.
    shared: u32 = 70 => percent("shared") "percent of the other assertions that are true under several assignments";
    guarded: u32 = 30 => percent("guarded") "percent of mutants with a selector for each assignment";
    blocking: u32 = 20 => percent("blocking") "percent of mutants that rule an assignment out by its values";
    max_bytes: u32 = 1 << 20 => number("max-bytes", 1) "bytes after which a mutant gets no further assertion";
    query.incremental => percent("incremental") "percent of mutants with several checks";
    assuming: u32 = 35 => percent("assuming") "percent of the incremental mutants that use check-sat-assuming";
    query.max_checks => number("max-checks", 1) "most checks of an incremental mutant, at least 1";
    query.tactical => percent("tactical") "percent of the other mutants that use a tactic, if there are any";
    /// How often mutants use each query mode.
    query: QueryConfig = QueryConfig::default() => tactics();
    /// Where the assignments come from.
    assignment: AssignmentKind = AssignmentKind::Mixed => assignment();
}

/// How many fragments a unit with a focus keeps.
pub(super) const FOCUS: std::ops::RangeInclusive<u64> = 4..=24;
