//! The sign of a polynomial in generators.
//!
//! Let `e` be its value, `D` the product of the degrees of the generators, `C` a common denominator that makes `C·e` an
//! algebraic integer (with `aᵢαᵢ` for each generator `αᵢ` of leading coefficient `aᵢ`), and `B >= 1` a bound of all values
//! of `C·e` when the generators are replaced by any roots of their polynomials. Those `D` values are the roots of a monic
//! integer polynomial. The product of its non-zero roots is an integer that is not zero, so a non-zero `C·e` is at least
//! `B^-(D-1)`. An interval around `e` narrower than that which contains zero proves `e = 0`, and any other one settles the
//! sign once it excludes zero.

use std::cmp::Ordering;
use std::sync::Arc;

use dashu_base::{Gcd, UnsignedAbs};
use dashu_int::{IBig, UBig};

use super::enclosure::Enclosure;
use super::generator::{FieldGenerator, bits_of};
use super::ring::RingElement;
use super::{AlgebraicError, AlgebraicLimits};

/// The precision that settles most signs.
const FIRST_SCALE: usize = 64;

/// Interval evaluation at growing precision.
pub(super) struct Evaluation<'a> {
    generators: &'a [Arc<FieldGenerator>],
    roots: Vec<Enclosure>,
    scale: usize,
    limits: &'a AlgebraicLimits,
}

impl<'a> Evaluation<'a> {
    pub(super) fn new(
        generators: &'a [Arc<FieldGenerator>],
        limits: &'a AlgebraicLimits,
    ) -> Result<Self, AlgebraicError> {
        let mut evaluation = Evaluation { generators, roots: Vec::new(), scale: 0, limits };
        evaluation.set_scale(FIRST_SCALE)?;
        Ok(evaluation)
    }

    /// Doubles the precision; fails past the bound.
    pub(super) fn refine(&mut self) -> Result<(), AlgebraicError> {
        self.set_scale(self.scale * 2)
    }

    fn set_scale(&mut self, scale: usize) -> Result<(), AlgebraicError> {
        self.limits.check_bits(scale)?;
        let refined: Result<Vec<Enclosure>, AlgebraicError> = self
            .generators
            .iter()
            .enumerate()
            .map(|(i, generator)| generator.enclose(self.roots.get(i), scale, self.limits))
            .collect();
        self.roots = refined?;
        self.scale = scale;
        Ok(())
    }

    /// Returns an interval around the value.
    pub(super) fn enclose(&self, element: &RingElement) -> Enclosure {
        let one = Enclosure { low: IBig::ONE << self.scale, high: IBig::ONE << self.scale, scale: self.scale };
        let powers: Vec<Vec<Enclosure>> = self
            .roots
            .iter()
            .enumerate()
            .map(|(i, root)| {
                let highest = element.terms().map(|(exponents, _)| exponents[i]).max().unwrap_or(0);
                let mut powers = vec![one.clone()];
                for power in 1..=highest as usize {
                    powers.push(powers[power - 1].times(root));
                }
                powers
            })
            .collect();
        element.terms().fold(Enclosure::zero(self.scale), |sum, (exponents, coefficient)| {
            let product = exponents
                .iter()
                .zip(&powers)
                .filter(|&(&exponent, _)| exponent > 0)
                .fold(one.clone(), |product, (&exponent, powers)| product.times(&powers[exponent as usize]));
            sum.plus(&product.times_rational(coefficient))
        })
    }
}

/// Returns the sign of the value of `element`.
pub(super) fn sign_of(
    element: &RingElement,
    generators: &[Arc<FieldGenerator>],
    limits: &AlgebraicLimits,
) -> Result<Ordering, AlgebraicError> {
    if let Some(constant) = element.as_constant() {
        return Ok(constant.numerator().cmp(&IBig::ZERO));
    }
    let separation = Separation::of(element, generators);
    let mut evaluation = Evaluation::new(generators, limits)?;
    loop {
        let enclosure = evaluation.enclose(element);
        if let Some(sign) = enclosure.sign() {
            return Ok(sign);
        }
        let needed = separation.zero_bits.saturating_add(enclosure.magnitude_bits());
        if needed <= enclosure.scale {
            return Ok(Ordering::Equal);
        }
        evaluation.refine()?;
    }
}

/// Bounds for all values of an element at conjugate roots.
pub(super) struct Separation {
    /// `Π deg`, the number of conjugate assignments.
    pub(super) conjugates: usize,
    /// At least `log2 B`.
    pub(super) bound_bits: usize,
    /// At least `log2 C`.
    pub(super) denominator_bits: usize,
    /// A value below `2^-zero_bits` is zero.
    pub(super) zero_bits: usize,
}

impl Separation {
    pub(super) fn of(element: &RingElement, generators: &[Arc<FieldGenerator>]) -> Self {
        let mut used = vec![false; generators.len()];
        element.mark_used(&mut used);
        let conjugates = generators
            .iter()
            .zip(&used)
            .filter(|&(_, &used)| used)
            .fold(1usize, |product, (generator, _)| product.saturating_mul(generator.degree()));
        // C: the denominators of c / Π aᵢ^eᵢ together.
        let mut common = UBig::ONE;
        let (mut value_bits, mut terms) = (0usize, 0usize);
        for (exponents, coefficient) in element.terms() {
            let mut denominator = coefficient.denominator().clone();
            let mut bits = bits_of(coefficient.numerator());
            for (generator, &exponent) in generators.iter().zip(exponents) {
                denominator *= generator.leading().unsigned_abs().pow(exponent as usize);
                bits = bits.saturating_add(generator.conjugate_bound_exponent() * exponent as usize);
            }
            let shared = (&common).gcd(&denominator);
            common *= denominator / shared;
            value_bits = value_bits.max(bits);
            terms += 1;
        }
        let denominator_bits = bits_of(&IBig::from(common));
        // The sum of the terms is below their number times the greatest; coefficients are numerators at most.
        let bound_bits = value_bits + bits_of(&IBig::from(terms)) + denominator_bits;
        let zero_bits = bound_bits.saturating_mul(conjugates.saturating_sub(1)).saturating_add(denominator_bits);
        Separation { conjugates, bound_bits, denominator_bits, zero_bits }
    }
}
