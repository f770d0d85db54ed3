//! Exact real algebraic numbers, as solvers write them in models, and the field operations on them.
//!
//! A number that is no rational comes from a model as a root of an integer polynomial. Such roots are *generators*; what
//! is computed from them is kept as a quotient of polynomials in the generators, so that arithmetic is arithmetic of
//! polynomials, and only a sign (a comparison, a floor) looks at real values: by intervals refined until they exclude
//! zero, or until they are narrower than any non-zero value of that shape can be (see `sign`).

mod enclosure;
mod error;
mod generator;
mod number;
mod polynomial;
mod ring;
mod sign;
mod sturm;

pub use error::{AlgebraicError, AlgebraicLimits};
pub use generator::FieldGenerator;
pub use number::AlgebraicNumber;
pub use polynomial::IntPolynomial;
