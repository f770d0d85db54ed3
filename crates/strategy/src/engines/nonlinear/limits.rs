//! The limits of engines for polynomials, and why they give up.

use crate::budget::{Budget, Stopped};
use crate::engine::Decision;
use rewrite::{PassSettings, Stop};
use semantics::algebraic::{AlgebraicError, AlgebraicLimits};
use semantics::{Exhausted, Meter, UnknownReason};

/// The maximum number of variables: the search nests as deeply.
pub const MAX_VARIABLES: usize = 40;

/// The maximum number of cases of branch and bound.
pub const MAX_CASES: usize = 100;

/// Why an engine gives up.
#[derive(Debug, thiserror::Error)]
pub enum PolynomialError {
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
    /// More variables than the engine's parameter allows.
    #[error("there are more than {0} variables")]
    Levels(usize),
    /// McCallum's projection does not apply.
    #[error("a polynomial of the projection is zero over a whole cell")]
    Vanishes,
    /// An elimination of irrational coordinates that leaves nothing.
    #[error("an irrational coordinate cannot be distinguished from its conjugates")]
    Conjugates,
    /// A division that must be exact is not.
    #[error("a division of polynomials is not exact")]
    Inexact,
    /// The limit on boxes, or boxes too narrow to cut.
    #[error("some boxes were neither refuted nor have a rational point that was tried")]
    Boxes,
    /// The limit on pairs.
    #[error("the limit on pairs of polynomials is reached")]
    Pairs,
    /// The equations do not contradict the other constraints over the complex numbers.
    #[error("the Gröbner basis contradicts no constraint")]
    NotRefuted,
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

impl PolynomialError {
    /// Returns the answer of an engine that gives up.
    pub fn into_decision(self, budget: &Budget) -> Decision {
        match self {
            PolynomialError::Exhausted(Exhausted::Stopped) => budget.check().err().unwrap_or(Stopped::Time).into(),
            error => Decision::Unknown(error.to_string()),
        }
    }
}

/// Limits and clock of an engine.
pub struct PolynomialWork {
    /// The clock of cheap steps.
    pub meter: Meter,
    stop: Stop,
    /// The limits of one operation on algebraic numbers.
    pub algebra: AlgebraicLimits,
}

impl PolynomialWork {
    /// Makes the limits of a budget.
    pub fn new(budget: &Budget) -> PolynomialWork {
        PolynomialWork { meter: budget.meter(), stop: budget.stop(), algebra: AlgebraicLimits::EVALUATION }
    }

    /// Makes the limits of a pass.
    pub fn of_pass(settings: &PassSettings) -> PolynomialWork {
        let (stop, memory) = (settings.stop.clone(), settings.limits.memory);
        PolynomialWork { meter: Meter::new(stop.clone(), memory), stop, algebra: AlgebraicLimits::EVALUATION }
    }

    /// Reads the clock, before an operation that may take a millisecond.
    /// Errors: [`Exhausted::Stopped`] once the time is up.
    pub fn pause(&self) -> Result<(), Exhausted> {
        self.stop.check()
    }
}
