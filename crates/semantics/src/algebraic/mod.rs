//! Exact real algebraic numbers, as solvers write them in models, and the field operations on them.
//!
//! An irrational number in a model is given as a root of an integer polynomial. Such roots are *generators*; results are
//! kept as quotients of polynomials in the generators, so that arithmetic is polynomial arithmetic. Only signs
//! (comparison, floor) need real values: intervals are refined until they exclude zero, or are narrower than any
//! non-zero value of that shape can be (see `sign`).

mod enclosure;
mod generator;
mod minimal;
mod number;
mod polynomial;
mod ring;
mod sign;
mod sturm;

pub use generator::{FieldGenerator, RealRoot};
pub use number::{AlgebraicNumber, between, simplest_between};
pub use polynomial::IntPolynomial;
use thiserror::Error;

/// Why a number is not constructed, or an operation has no value within the limits.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum AlgebraicError {
    /// A polynomial without a variable has no roots to choose from.
    #[error("a constant polynomial describes no algebraic number")]
    ConstantPolynomial,
    /// The index of a root is 0 or beyond the number of distinct real roots.
    #[error("root {index} does not exist: the polynomial has {roots} distinct real roots, counted from 1")]
    NoSuchRoot {
        /// The index asked for.
        index: usize,
        /// Distinct real roots of the polynomial.
        roots: usize,
    },
    /// The interval does not single out a root.
    #[error("the interval contains {roots} distinct real roots of the polynomial instead of one")]
    NotIsolating {
        /// Distinct real roots in the interval.
        roots: usize,
    },
    /// Division by a number that is zero.
    #[error("division by an algebraic number that is zero")]
    DivisionByZero,
    /// A polynomial of too high a degree.
    #[error("a polynomial of degree {degree} exceeds the bound of {bound}")]
    Degree {
        /// The degree.
        degree: usize,
        /// The bound it exceeds.
        bound: usize,
    },
    /// An expression in too many generators or with too many terms.
    #[error("an algebraic expression of {terms} terms exceeds the bound of {bound}")]
    Terms {
        /// Terms that would be touched.
        terms: usize,
        /// The bound they exceed.
        bound: usize,
    },
    /// Coefficients, or the precision a decision needs, exceed the bound.
    #[error("algebraic arithmetic needs {bits} bits, more than the bound of {bound}")]
    Bits {
        /// Bits needed, as far as known.
        bits: usize,
        /// The bound they exceed.
        bound: usize,
    },
}

/// The bounds of one operation. Beyond them it fails with the bound's name, and the caller reports *unknown*.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AlgebraicLimits {
    /// The maximum degree of a polynomial that describes a number.
    pub degree: usize,
    /// The maximum number of products of terms in one multiplication.
    pub terms: usize,
    /// The maximum number of bits of a coefficient, of the precision of real values, and of the estimated integers in
    /// root isolation: the degree times the bits of a coefficient or of the precision.
    pub bits: usize,
}

impl Default for AlgebraicLimits {
    /// Limits that keep one operation within about a second.
    fn default() -> Self {
        AlgebraicLimits { degree: 64, terms: 1 << 16, bits: 1 << 14 }
    }
}

impl AlgebraicLimits {
    /// The bounds of the evaluator, which does many operations: some milliseconds for an operation at the bound.
    pub const EVALUATION: AlgebraicLimits = AlgebraicLimits { degree: 64, terms: 1 << 12, bits: 1 << 13 };

    pub(super) fn check_degree(&self, degree: usize) -> Result<(), AlgebraicError> {
        if degree > self.degree {
            return Err(AlgebraicError::Degree { degree, bound: self.degree });
        }
        Ok(())
    }

    pub(super) fn check_terms(&self, terms: usize) -> Result<(), AlgebraicError> {
        if terms > self.terms {
            return Err(AlgebraicError::Terms { terms, bound: self.terms });
        }
        Ok(())
    }

    pub(super) fn check_bits(&self, bits: usize) -> Result<(), AlgebraicError> {
        if bits > self.bits {
            return Err(AlgebraicError::Bits { bits, bound: self.bits });
        }
        Ok(())
    }
}
