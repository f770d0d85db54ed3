//! The parameters of `equal`.

use crate::assignment::{self, AssignmentKind};
use crate::edit::{GuardUse, TRUTH, guards_row};
use crate::parameter::{ParameterTable, Span, number, set_parsed, span, text, words};

/// The truth of mutants.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum EqualTruth {
    /// That of the seed: `unsat`, trusted, if its status says so, otherwise as [`EqualTruth::Certified`].
    #[default]
    Seed,
    /// Each assertion is asserted if it is true under the assignment, otherwise its negation, so that the mutant is satisfiable.
    Certified,
    /// Assertions stay asserted, and answers of several solvers are compared.
    Differential,
    /// Each mutant draws that of the seed or the differential one.
    Both,
}

words!(EqualTruth: Seed = "seed", Certified = "certified", Differential = "differential", Both = "both");

/// The parameters.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EqualConfig {
    /// The truth of mutants.
    pub truth: EqualTruth,
    /// How many mutants a unit is worth, at least 1.
    pub mutants: u32,
    /// How many replacements a mutant has; each may change the results of earlier ones.
    pub steps: Span,
    /// How many more distinct subterms a mutant may have than its seed.
    pub growth: u32,
    /// Where the assignment comes from.
    pub assignment: AssignmentKind,
    /// Whether assertions that confine a symbol to listed values may change.
    pub guards: GuardUse,
}

impl Default for EqualConfig {
    fn default() -> Self {
        EqualConfig {
            truth: EqualTruth::Seed,
            mutants: 200,
            steps: Span { low: 1, high: 12 },
            growth: 150,
            assignment: AssignmentKind::Model,
            guards: GuardUse::Change,
        }
    }
}

/// The parameters of [`EqualConfig`].
pub const PARAMETERS: ParameterTable<EqualConfig> = ParameterTable(&[
    text(
        TRUTH,
        "seed, certified, differential or both",
        "seed (`unsat` where its status says so, else certified), certified, differential or both",
        |c| c.truth.to_string(),
        |c, v| set_parsed(&mut c.truth, v),
    ),
    number("mutants", 1, "mutants of a unit, at least 1", |c| &mut c.mutants),
    span("steps", "replacements of one mutant", |c| &mut c.steps),
    number("growth", 0, "subterms that a mutant may have more than its seed", |c| &mut c.growth),
    assignment::row(|c| c.assignment.to_string(), |c, v| set_parsed(&mut c.assignment, v)),
    guards_row(|c| c.guards.to_string(), |c, v| set_parsed(&mut c.guards, v)),
]);
