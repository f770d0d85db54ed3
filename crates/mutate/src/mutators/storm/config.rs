//! The parameters of STORM, with the paper's defaults.

use crate::assignment::{self, AssignmentKind};
use crate::parameter::{ParameterError, ParameterTable, Span, number, percent, set_parsed, span};
use crate::query_mode::{QueryConfig, tactics_row};

/// The parameters of one STORM mutator.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StormConfig {
    /// Dmax: the depth of the deepest asserted formula, including its negation; a leaf has depth 0.
    pub max_depth: u32,
    /// Amax: the largest number of assertions of a mutant, at least 1.
    pub max_asserts: u32,
    /// NC: how many formulas the construction pool gets, from the smallest initial pool to the largest.
    pub constructed: Span,
    /// NM: how many mutants a unit is worth, from the smallest initial pool to the largest.
    pub mutants: Span,
    /// How often an operand comes from the initial pool, in percent.
    pub initial_operand: u32,
    /// How often an asserted formula comes from the initial pool, in percent.
    pub initial_assertion: u32,
    /// The maximum number of fragments to keep; from more a random choice is made.
    pub max_fragments: u32,
    /// How often a unit uses only a few of the fragments, in percent. Its formulas are deeper over fewer atoms, and interact more often.
    pub focus: u32,
    /// Bytes of text after which a mutant gets no further assertion.
    pub max_bytes: u32,
    /// How often mutants use each query mode.
    pub query: QueryConfig,
    /// Where the assignment comes from.
    pub assignment: AssignmentKind,
}

/// The sizes of the initial pool of a unit with a focus.
pub(super) const FOCUS: std::ops::RangeInclusive<u64> = 4..=24;

impl Default for StormConfig {
    fn default() -> Self {
        StormConfig {
            max_depth: 64,
            max_asserts: 64,
            constructed: Span { low: 200, high: 1500 },
            mutants: Span { low: 300, high: 1000 },
            initial_operand: 30,
            initial_assertion: 30,
            max_fragments: 5000,
            focus: 50,
            max_bytes: 1 << 20,
            query: QueryConfig::default(),
            assignment: AssignmentKind::Mixed,
        }
    }
}

/// The parameters of [`StormConfig`].
pub const PARAMETERS: ParameterTable<StormConfig> = ParameterTable(&[
    number("max-depth", 0, "depth of the deepest formula asserted (Dmax)", |c| &mut c.max_depth),
    number("max-asserts", 1, "most assertions of a mutant, at least 1 (Amax)", |c| &mut c.max_asserts),
    span("constructed", "formulas built for a seed, by its size (NC)", |c| &mut c.constructed),
    span("mutants", "mutants of a unit, by its seed's size (NM)", |c| &mut c.mutants),
    percent("initial-operand", "percent of operands that are the seed's own", |c| &mut c.initial_operand),
    percent("initial-assertion", "percent of assertions that are the seed's own", |c| &mut c.initial_assertion),
    number("max-fragments", 1, "fragments of a seed kept at most", |c| &mut c.max_fragments),
    percent("focus", "percent of units that use only 4 to 24 of the fragments", |c| &mut c.focus),
    number("max-bytes", 1, "bytes after which a mutant gets no further assertion", |c| &mut c.max_bytes),
    percent("incremental", "percent of mutants with push, pop and several checks", |c| &mut c.query.incremental),
    number("max-checks", 1, "most checks of an incremental mutant, at least 1", |c| &mut c.query.max_checks),
    percent("tactical", "percent of the other mutants that use a tactic, if there are any", |c| &mut c.query.tactical),
    tactics_row(|c| c.query.tactics_text(), |c, v| c.query.set_tactics(v)),
    assignment::row(|c| c.assignment.to_string(), |c, v| set_parsed(&mut c.assignment, v)),
]);

impl StormConfig {
    /// Returns the defaults with `settings` over them.
    ///
    /// # Errors
    /// [`ParameterError`] for an unknown name or a value out of range.
    pub fn with(settings: &[(&str, &str)]) -> Result<StormConfig, ParameterError> {
        PARAMETERS.over(StormConfig::default(), "storm", settings)
    }

    /// Returns all parameters as text, so that [`StormConfig::with`] gives this again.
    pub fn settings(&self) -> Vec<(&'static str, String)> {
        PARAMETERS.settings(self)
    }
}
