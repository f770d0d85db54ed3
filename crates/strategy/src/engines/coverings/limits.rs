//! The limits of a search by coverings, and why it gives up.

use crate::budget::Budget;
use rewrite::Stop;
use semantics::algebraic::{AlgebraicError, AlgebraicLimits};
use semantics::{Exhausted, Meter, UnknownReason};

/// The maximum number of variables: the search nests as deeply.
pub const MAX_VARIABLES: usize = 40;

/// The maximum number of cases of branch and bound.
pub const MAX_CASES: usize = 100;

/// Why the search gives up.
#[derive(Debug, thiserror::Error)]
pub enum CoveringError {
    /// The time is up, or the memory.
    #[error(transparent)]
    Exhausted(#[from] Exhausted),
    /// A limit on algebraic numbers.
    #[error(transparent)]
    Algebraic(#[from] AlgebraicError),
    /// A polynomial has too many terms, or too large numbers.
    #[error("the polynomials grow too large")]
    TooLarge,
    /// More variables than the search may nest.
    #[error("there are more than {MAX_VARIABLES} variables")]
    Variables,
    /// McCallum's projection does not apply.
    #[error("a polynomial of the projection is zero over a whole cell")]
    Vanishes,
    /// An elimination of irrational coordinates that leaves nothing.
    #[error("an irrational coordinate cannot be distinguished from its conjugates")]
    Conjugates,
    /// A division that must be exact is not.
    #[error("a division of polynomials is not exact")]
    Inexact,
    /// A point was found, but not of integers.
    #[error("there are solutions over the reals, and no integers were found in {MAX_CASES} cases")]
    NotInteger,
    /// Not a polynomial constraint.
    #[error("`{0}` is not a polynomial constraint")]
    Unsupported(String),
    /// The model has a value that it cannot have.
    #[error("the model cannot be written: {0}")]
    Model(UnknownReason),
}

/// Limits and clock of a search.
pub struct CoveringWork {
    /// The clock of cheap steps.
    pub meter: Meter,
    stop: Stop,
    /// The limits of one operation on algebraic numbers.
    pub algebra: AlgebraicLimits,
}

impl CoveringWork {
    /// Makes the limits of a budget.
    pub fn new(budget: &Budget) -> CoveringWork {
        CoveringWork { meter: budget.meter(), stop: budget.stop(), algebra: AlgebraicLimits::EVALUATION }
    }

    /// Reads the clock, before an operation that may take a millisecond.
    ///
    /// # Errors
    /// [`Exhausted::Stopped`] once the time is up.
    pub fn pause(&self) -> Result<(), Exhausted> {
        self.stop.check()
    }
}
