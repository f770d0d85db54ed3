//! A polynomial of which a computed number is a root, so that the number has a text.

use dashu_base::Gcd;
use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;

use super::generator::{FieldGenerator, RealRoot};
use super::number::AlgebraicNumber;
use super::polynomial::IntPolynomial;
use super::ring::RingElement;
use super::{AlgebraicError, AlgebraicLimits};

/// The most products of generators' powers for which a polynomial is sought: the vectors have this many places.
const DIMENSION: usize = 24;

/// A vector in the echelon form, with the combination of the given vectors that it is.
struct EchelonRow {
    vector: RingElement,
    combination: Vec<RBig>,
}

impl AlgebraicNumber {
    /// Returns the number as one root of one polynomial.
    ///
    /// The products `NⁱDᵐ⁻ⁱ` of its numerator and denominator, for `i` from 0 to `m`, lie in a space whose dimension is the product of
    /// the generators' degrees. Therefore they are dependent for some `m` up to it, and the coefficients of a dependency are those of a
    /// polynomial with the root `N/D`, since `D` is not zero.
    /// Errors: the limits, or [`AlgebraicError::Degree`] if that dimension is above 24.
    pub fn to_root(&self, limits: &AlgebraicLimits) -> Result<RealRoot, AlgebraicError> {
        let degrees = self.generators().iter().map(|generator| generator.degree());
        let dimension = degrees.fold(1usize, usize::saturating_mul);
        if dimension > DIMENSION {
            return Err(AlgebraicError::Degree { degree: dimension, bound: DIMENSION });
        }
        for degree in 1..=dimension {
            if let Some(polynomial) = self.annihilator(degree, limits)? {
                return self.single_out(&polynomial, limits);
            }
        }
        Err(AlgebraicError::ConstantPolynomial)
    }

    /// Returns a polynomial of the degree with this root, if there is one.
    fn annihilator(&self, degree: usize, limits: &AlgebraicLimits) -> Result<Option<IntPolynomial>, AlgebraicError> {
        let generators = self.generators();
        let [above, below] = self.quotient().map(|element| {
            let mut powers = vec![RingElement::constant(RBig::ONE, generators.len())];
            for n in 0..degree {
                powers.push(powers[n].times(element, generators, limits)?);
            }
            Ok(powers)
        });
        let (above, below) = (above?, below?);
        let mut rows: Vec<EchelonRow> = Vec::new();
        for n in 0..=degree {
            let mut combination = vec![RBig::ZERO; degree + 1];
            combination[n] = RBig::ONE;
            let vector = above[n].times(&below[degree - n], generators, limits)?;
            let row = EchelonRow { vector, combination }.reduced(&rows, limits)?;
            if row.vector.terms().next().is_none() {
                let least = |all: UBig, c: &RBig| &all / (&all).gcd(c.denominator()) * c.denominator();
                let scale = row.combination.iter().fold(UBig::ONE, least);
                let whole = |c: &RBig| (c * RBig::from(IBig::from(scale.clone()))).numerator().clone();
                return Ok(Some(IntPolynomial::new(row.combination.iter().map(whole).collect())));
            }
            rows.push(row);
        }
        Ok(None)
    }

    fn single_out(&self, polynomial: &IntPolynomial, limits: &AlgebraicLimits) -> Result<RealRoot, AlgebraicError> {
        let mut bits = 8;
        loop {
            let (low, high) = self.enclosure(bits, limits)?;
            match FieldGenerator::by_interval(polynomial, &low, &high, limits) {
                Err(AlgebraicError::NotIsolating { .. }) => bits *= 2,
                other => return other,
            }
        }
    }
}

impl EchelonRow {
    /// Returns the row without the leading terms of others.
    fn reduced(mut self, rows: &[EchelonRow], limits: &AlgebraicLimits) -> Result<EchelonRow, AlgebraicError> {
        for other in rows {
            let Some((lead, by)) = other.vector.terms().last() else { continue };
            let Some((_, has)) = self.vector.terms().find(|(exponents, _)| *exponents == lead) else { continue };
            let factor = -(has / by);
            self.vector = self.vector.plus(&other.vector.scaled(&factor), limits)?;
            for (mine, theirs) in self.combination.iter_mut().zip(&other.combination) {
                *mine += theirs * &factor;
            }
        }
        Ok(self)
    }
}
