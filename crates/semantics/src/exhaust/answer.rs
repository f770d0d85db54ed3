//! The limits and results of an exhaustion.

use crate::limits::EvalLimits;
use crate::model::Model;
use crate::unknown::UnknownReason;
use smtlib::{FuncId, Op, SortId};

/// The limits of an exhaustion.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ExhaustLimits {
    /// The maximum number of assignments of the constants.
    pub assignments: u64,
    /// The maximum number of values that one symbol, or one open application, may take.
    pub values: u64,
    /// The most partial assignments under which the assertions are evaluated.
    pub evaluations: u64,
    /// The maximum number of steps of all evaluations together, plus or minus those of one; see [`EvalLimits::steps`].
    pub steps: u64,
    /// The limits of each evaluation of the assertions.
    pub each: EvalLimits,
}

impl Default for ExhaustLimits {
    fn default() -> ExhaustLimits {
        let each = EvalLimits { steps: 1 << 22, ..EvalLimits::default() };
        ExhaustLimits { assignments: 1 << 20, values: 1 << 16, evaluations: 1 << 20, steps: u64::MAX, each }
    }
}

/// The truth of a small world.
#[derive(Clone, Debug)]
pub(crate) enum ExhaustiveAnswer {
    /// All assertions are true under the model. Where [`Model::choices`] is not empty, the model rests on a value that the
    /// standard leaves open.
    Sat(Model),
    /// Under every assignment, and every choice of what the standard leaves open, an assertion is false.
    Unsat,
    /// Some assignment could be neither refuted nor shown to satisfy the assertions.
    Unknown(Unresolved),
}

/// The record of an exhaustion.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Exhaustion {
    /// The constants that occur, with the number of values of each.
    pub constants: Vec<(FuncId, u64)>,
    /// The uninterpreted sorts, with the largest universe tried; all smaller ones were tried, too.
    pub universes: Vec<(SortId, u32)>,
    /// The assignments of the constants, over all universes.
    pub assignments: u64,
    /// The refuted partial assignments. They are disjoint and cover all assignments.
    pub refuted: u64,
    /// SHA-256 of the refuted partial assignments in order, one line each, with the number of the assertion that is false.
    pub digest: [u8; 32],
}

/// Why a small world was not decided.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Unresolved {
    /// An operator's value is open and has infinitely many candidates.
    #[error("the value of {} is open, and any of infinitely many", name(*.0))]
    Choice(Op),
    /// A function's value is open and has infinitely many candidates.
    #[error("a function has infinitely many results, and no guard confines them")]
    Function(FuncId),
    /// An assertion's value is not known under a full assignment.
    #[error("an assertion has no known value: {0}")]
    Value(UnknownReason),
    /// The time is up, or the answer is no longer wanted.
    #[error("the time is up")]
    Stopped,
    /// More evaluations than allowed.
    #[error("more than {0} evaluations are needed")]
    Evaluations(u64),
    /// More steps of evaluation than allowed.
    #[error("more than {0} steps of evaluation are needed")]
    Steps(u64),
}

fn name(op: Op) -> &'static str {
    smtlib::theories::row(op.kind).map_or("a selector", |row| row.name)
}
