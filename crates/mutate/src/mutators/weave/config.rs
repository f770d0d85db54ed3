//! The parameters of the mutator `weave`.

use super::truths::MAX_ASSIGNMENTS;
use crate::assignment::{self, AssignmentKind};
use crate::parameter::{ParameterTable, Refused, Span, number, percent, set_parsed, span, text};
use crate::query_mode::{QueryConfig, tactics_row};

/// The parameters of one mutator.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WeaveConfig {
    /// How many assignments a unit has, within 2 and 4.
    pub assignments: Span,
    /// The depth of the deepest asserted formula, including its negation; a leaf has depth 0.
    pub max_depth: u32,
    /// The maximum number of assertions of a mutant, at least 1.
    pub max_asserts: u32,
    /// How many formulas are constructed, from the smallest seed to the largest.
    pub constructed: Span,
    /// How many mutants a unit is worth, from the smallest seed to the largest.
    pub mutants: Span,
    /// How often an operand is the seed's own, in percent.
    pub initial_operand: u32,
    /// How often an asserted formula is the seed's own, in percent.
    pub initial_assertion: u32,
    /// The maximum number of fragments to keep.
    pub max_fragments: u32,
    /// How often a unit uses only a few of the fragments, in percent.
    pub focus: u32,
    /// How many of the assertions steer, in percent: they are true under the witness but not under all assignments.
    pub steering: u32,
    /// How many of the other assertions are true under several assignments, in percent; the rest is true under the witness.
    pub shared: u32,
    /// How many mutants guard assertions by selectors, one per assignment, in percent.
    pub guarded: u32,
    /// How many mutants rule an assignment out by the values of its constants, in percent.
    pub blocking: u32,
    /// Bytes of text after which a mutant gets no further assertion.
    pub max_bytes: u32,
    /// How many of the incremental mutants check under assumptions, in percent.
    pub assuming: u32,
    /// How often mutants use each query mode.
    pub query: QueryConfig,
    /// Where the assignments come from.
    pub assignment: AssignmentKind,
}

/// How many fragments a unit with a focus keeps.
pub(super) const FOCUS: std::ops::RangeInclusive<u64> = 4..=24;

impl Default for WeaveConfig {
    fn default() -> Self {
        WeaveConfig {
            assignments: Span { low: 2, high: 4 },
            max_depth: 64,
            max_asserts: 48,
            constructed: Span { low: 200, high: 1500 },
            mutants: Span { low: 300, high: 1000 },
            initial_operand: 40,
            initial_assertion: 30,
            max_fragments: 5000,
            focus: 50,
            steering: 25,
            shared: 70,
            guarded: 30,
            blocking: 20,
            max_bytes: 1 << 20,
            assuming: 35,
            query: QueryConfig::default(),
            assignment: AssignmentKind::Mixed,
        }
    }
}

/// The parameters of [`WeaveConfig`].
pub const PARAMETERS: ParameterTable<WeaveConfig> = ParameterTable(&[
    text(
        "assignments",
        "LOW-HIGH or one number, within 2 and 4",
        "assignments of a unit, 2 to 4",
        |c| c.assignments.to_string(),
        |c, v| {
            let mut span = c.assignments;
            set_parsed(&mut span, v)?;
            if span.low < 2 || span.high > MAX_ASSIGNMENTS {
                return Err(Refused(None));
            }
            c.assignments = span;
            Ok(())
        },
    ),
    number("max-depth", 0, "depth of the deepest formula asserted", |c| &mut c.max_depth),
    number("max-asserts", 1, "most assertions of a mutant, at least 1", |c| &mut c.max_asserts),
    span("constructed", "formulas built for a seed, by its size", |c| &mut c.constructed),
    span("mutants", "mutants of a unit, by its seed's size", |c| &mut c.mutants),
    percent("initial-operand", "percent of operands that are the seed's own", |c| &mut c.initial_operand),
    percent("initial-assertion", "percent of assertions that are the seed's own", |c| &mut c.initial_assertion),
    number("max-fragments", 1, "fragments of a seed kept at most", |c| &mut c.max_fragments),
    percent("focus", "percent of units that use only 4 to 24 of the fragments", |c| &mut c.focus),
    percent("steering", "percent of assertions that are false under some assignments", |c| &mut c.steering),
    percent("shared", "percent of the other assertions that are true under several assignments", |c| &mut c.shared),
    percent("guarded", "percent of mutants with a selector for each assignment", |c| &mut c.guarded),
    percent("blocking", "percent of mutants that rule an assignment out by its values", |c| &mut c.blocking),
    number("max-bytes", 1, "bytes after which a mutant gets no further assertion", |c| &mut c.max_bytes),
    percent("incremental", "percent of mutants with several checks", |c| &mut c.query.incremental),
    percent("assuming", "percent of the incremental mutants that use check-sat-assuming", |c| &mut c.assuming),
    number("max-checks", 1, "most checks of an incremental mutant, at least 1", |c| &mut c.query.max_checks),
    percent("tactical", "percent of the other mutants that use a tactic, if there are any", |c| &mut c.query.tactical),
    tactics_row(|c| c.query.tactics_text(), |c, v| c.query.set_tactics(v)),
    assignment::row(|c| c.assignment.to_string(), |c, v| set_parsed(&mut c.assignment, v)),
]);
