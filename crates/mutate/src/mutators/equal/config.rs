//! The parameters of `equal`.

use crate::assignment::{AssignmentKind, assignment};
use crate::edit::{GuardUse, TRUTH, guards};
use crate::parameter::{Span, number, parameters, span, word, words};

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

parameters! { pub PARAMETERS of
    /// The parameters.
    #[derive(Clone, PartialEq, Eq, Debug)]
    EqualConfig;

    truth: EqualTruth = EqualTruth::Seed => word(TRUTH, "seed, certified, differential or both")
        "seed (`unsat` where its status says so, else certified), certified, differential or both";
    mutants: u32 = 200 => number("mutants", 1) "mutants per unit, at least 1";
    /// Each may change the results of earlier ones.
    steps: Span = Span { low: 1, high: 12 } => span("steps") "replacements of one mutant";
    growth: u32 = 150 => number("growth", 0) "subterms that a mutant may have more than its seed";
    /// Where the assignment comes from.
    assignment: AssignmentKind = AssignmentKind::Model => assignment();
    /// Whether assertions that confine a symbol to listed values may change.
    guards: GuardUse = GuardUse::Change => guards();
}
