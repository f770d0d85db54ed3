//! The parameters of the mutator `splice`.

use crate::assignment::{AssignmentKind, assignment};
use crate::parameter::{Span, number, parameters, percent, span};

parameters! { pub PARAMETERS of
    /// The parameters of the mutator.
    #[derive(Clone, PartialEq, Eq, Debug)]
    SpliceConfig;

    mutants: u32 = 150 => number("mutants", 1) "mutants per unit, at least 1";
    checks: Span = Span { low: 4, high: 12 } => span("checks") "checks of a mutant";
    group: Span = Span { low: 1, high: 4 } => span("group") "formulas asserted at one time";
    fragments: u32 = 24 => number("fragments", 0) "Boolean subterms of each seed used besides its assertions, at most";
    constructed: u32 = 24 => number("constructed", 0) "formulas built per seed from its Boolean subterms";
    redundant: u32 = 15 => percent("redundant") "percent of assertions that are live already";
    refuting: u32 = 25 => percent("refuting") "percent of steps that make a part unsatisfiable";
    again: u32 = 40 => percent("again") "percent of closed levels that are opened again with the same formulas";
    assuming: u32 = 40 => percent("assuming") "percent of mutants that use check-sat-assuming";
    scoped: u32 = 35 => percent("scoped") "percent of mutants that declare symbols where they are first used";
    /// These keep declarations when a level ends.
    global: u32 = 40 => percent("global") "percent of these with :global-declarations and reset-assertions";
    max_bytes: u32 = 1 << 18 => number("max-bytes", 1) "bytes after which a mutant gets no further assertion";
    /// All mutants are incremental.
    incremental: u32 = 100 => percent("incremental") "0: no mutants, for solvers without push and pop";
    /// Where the assignments come from.
    assignment: AssignmentKind = AssignmentKind::Mixed => assignment();
}
