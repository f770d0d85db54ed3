//! The parameters of the mutator `splice`.

use crate::assignment::{self, AssignmentKind};
use crate::parameter::{ParameterTable, Span, number, percent, set_parsed, span};

/// The parameters of the mutator.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SpliceConfig {
    /// How many mutants a unit is worth, at least 1.
    pub mutants: u32,
    /// How many checks a mutant has.
    pub checks: Span,
    /// How many formulas are asserted at one time.
    pub group: Span,
    /// The most Boolean subterms of each seed that are asserted besides its assertions.
    pub fragments: u32,
    /// How many formulas are built per seed from these and its assertions.
    pub constructed: u32,
    /// How often a formula is asserted that is live already, in percent.
    pub redundant: u32,
    /// How many steps make a part unsatisfiable, in percent.
    pub refuting: u32,
    /// How many closed levels are opened again with the same formulas, in percent.
    pub again: u32,
    /// How many mutants check under assumptions, in percent.
    pub assuming: u32,
    /// How many mutants declare symbols where they are first used, in percent.
    pub scoped: u32,
    /// How many of these keep declarations when a level ends, and use `(reset-assertions)`, in percent.
    pub global: u32,
    /// Bytes of text after which a mutant gets no further assertion.
    pub max_bytes: u32,
    /// Below 1 there are no mutants: all of them are incremental.
    pub incremental: u32,
    /// Where the assignments come from.
    pub assignment: AssignmentKind,
}

impl Default for SpliceConfig {
    fn default() -> Self {
        SpliceConfig {
            mutants: 150,
            checks: Span { low: 4, high: 12 },
            group: Span { low: 1, high: 4 },
            fragments: 24,
            constructed: 24,
            redundant: 15,
            refuting: 25,
            again: 40,
            assuming: 40,
            scoped: 35,
            global: 40,
            max_bytes: 1 << 18,
            incremental: 100,
            assignment: AssignmentKind::Mixed,
        }
    }
}

/// The parameters of [`SpliceConfig`].
pub const PARAMETERS: ParameterTable<SpliceConfig> = ParameterTable(&[
    number("mutants", 1, "mutants of a unit, at least 1", |c| &mut c.mutants),
    span("checks", "checks of a mutant", |c| &mut c.checks),
    span("group", "formulas asserted at one time", |c| &mut c.group),
    number("fragments", 0, "Boolean subterms of each seed used besides its assertions, at most", |c| &mut c.fragments),
    number("constructed", 0, "formulas built per seed from its Boolean subterms", |c| &mut c.constructed),
    percent("redundant", "percent of assertions that are live already", |c| &mut c.redundant),
    percent("refuting", "percent of steps that make a part unsatisfiable", |c| &mut c.refuting),
    percent("again", "percent of closed levels that are opened again with the same formulas", |c| &mut c.again),
    percent("assuming", "percent of mutants that use check-sat-assuming", |c| &mut c.assuming),
    percent("scoped", "percent of mutants that declare symbols where they are first used", |c| &mut c.scoped),
    percent("global", "percent of these with :global-declarations and reset-assertions", |c| &mut c.global),
    number("max-bytes", 1, "bytes after which a mutant gets no further assertion", |c| &mut c.max_bytes),
    percent("incremental", "0: no mutants, for solvers without push and pop", |c| &mut c.incremental),
    assignment::row(|c| c.assignment.to_string(), |c, v| set_parsed(&mut c.assignment, v)),
]);
