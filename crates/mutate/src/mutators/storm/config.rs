//! The parameters of STORM, with the paper's defaults.

use crate::assignment::{AssignmentKind, assignment};
use crate::parameter::{ParameterError, Span, number, parameters, percent, span};
use crate::query_mode::{QueryConfig, tactics};

parameters! { pub PARAMETERS of
    /// The parameters of one STORM mutator.
    #[derive(Clone, PartialEq, Eq, Debug)]
    StormConfig;

    /// It includes the formula's negation; a leaf has depth 0.
    max_depth: u32 = 64 => number("max-depth", 0) "depth of the deepest formula asserted (Dmax)";
    max_asserts: u32 = 64 => number("max-asserts", 1) "most assertions of a mutant, at least 1 (Amax)";
    constructed: Span = Span { low: 200, high: 1500 } => span("constructed")
        "formulas built for a seed, by its size (NC)";
    mutants: Span = Span { low: 300, high: 1000 } => span("mutants") "mutants of a unit, by its seed's size (NM)";
    initial_operand: u32 = 30 => percent("initial-operand") "percent of operands that are the seed's own";
    initial_assertion: u32 = 30 => percent("initial-assertion") "percent of assertions that are the seed's own";
    /// From more a random choice is made.
    max_fragments: u32 = 5000 => number("max-fragments", 1) "fragments of a seed kept at most";
    /// Their formulas are deeper over fewer atoms, and interact more often.
    focus: u32 = 50 => percent("focus") "percent of units that use only 4 to 24 of the fragments";
    max_bytes: u32 = 1 << 20 => number("max-bytes", 1) "bytes after which a mutant gets no further assertion";
    query.incremental => percent("incremental") "percent of mutants with push, pop and several checks";
    query.max_checks => number("max-checks", 1) "most checks of an incremental mutant, at least 1";
    query.tactical => percent("tactical") "percent of the other mutants that use a tactic, if there are any";
    /// How often mutants use each query mode.
    query: QueryConfig = QueryConfig::default() => tactics();
    /// Where the assignment comes from.
    assignment: AssignmentKind = AssignmentKind::Mixed => assignment();
}

/// The sizes of the initial pool of a unit with a focus.
pub(super) const FOCUS: std::ops::RangeInclusive<u64> = 4..=24;

impl StormConfig {
    /// Returns the defaults with `settings` over them.
    /// Errors: [`ParameterError`] for an unknown name or a value out of range.
    pub fn with(settings: &[(&str, &str)]) -> Result<StormConfig, ParameterError> {
        PARAMETERS.over(StormConfig::default(), "storm", settings)
    }

    /// Returns all parameters as text, so that [`StormConfig::with`] gives this again.
    pub fn settings(&self) -> Vec<(&'static str, String)> {
        PARAMETERS.settings(self)
    }
}
