//! Polynomials in one variable with integer coefficients.

use std::cmp::Ordering;

use dashu_base::{Abs, BitTest, DivEuclid, Gcd, UnsignedAbs};
use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;

/// A polynomial, with its coefficients from the constant one upwards.
///
/// Invariant: the last coefficient is not zero; the zero polynomial has none.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct IntPolynomial(Vec<IBig>);

impl IntPolynomial {
    /// Returns the polynomial with these coefficients, the constant one first.
    pub fn new(mut coefficients: Vec<IBig>) -> Self {
        while coefficients.last().is_some_and(IBig::is_zero) {
            coefficients.pop();
        }
        IntPolynomial(coefficients)
    }

    /// Returns the coefficients from the constant one upwards, the last not zero.
    pub fn coefficients(&self) -> &[IBig] {
        &self.0
    }

    /// Returns the degree; 0 for constants, the zero polynomial among them.
    pub fn degree(&self) -> usize {
        self.0.len().saturating_sub(1)
    }

    /// Whether this is the zero polynomial.
    pub fn is_zero(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the coefficient of the highest power; `None` for the zero polynomial.
    pub fn leading(&self) -> Option<&IBig> {
        self.0.last()
    }

    /// Returns the greatest number of bits of a coefficient.
    pub(super) fn coefficient_bits(&self) -> usize {
        self.0.iter().map(|c| c.clone().abs().bit_len()).max().unwrap_or(0)
    }

    /// Returns the sign of the value at a rational point.
    pub fn sign_at(&self, point: &RBig) -> Ordering {
        let denominator = IBig::from(point.denominator().clone());
        self.scaled_value_at(point.numerator(), &denominator).cmp(&IBig::ZERO)
    }

    /// Returns the value at `numerator / denominator` times the denominator to the power of the degree.
    pub(super) fn scaled_value_at(&self, numerator: &IBig, denominator: &IBig) -> IBig {
        // Horner's rule on the scaled value, so that everything stays an integer.
        let mut value = IBig::ZERO;
        let mut scale = IBig::ONE;
        for coefficient in self.0.iter().rev() {
            value = value * numerator + coefficient * &scale;
            scale *= denominator;
        }
        value
    }

    /// Returns the formal derivative.
    pub fn derivative(&self) -> Self {
        let coefficients = self.0.iter().enumerate().skip(1).map(|(power, c)| c * IBig::from(power));
        IntPolynomial::new(coefficients.collect())
    }

    /// Returns the polynomial divided by the greatest common divisor of its coefficients; signs stay.
    pub fn primitive_part(&self) -> Self {
        let content = self.0.iter().fold(UBig::ZERO, |divisor, c| match divisor.is_zero() {
            true => c.clone().unsigned_abs(),
            false => divisor.gcd(c.clone().unsigned_abs()),
        });
        if content.is_zero() || content.is_one() {
            return self.clone();
        }
        let content = IBig::from(content);
        IntPolynomial(self.0.iter().map(|c| c / &content).collect())
    }

    /// Returns the primitive polynomial with the same roots, each once, and a positive leading coefficient.
    pub fn square_free_part(&self) -> Self {
        let common = self.greatest_common_divisor(&self.derivative());
        let part = if common.degree() == 0 { self.primitive_part() } else { self.exact_quotient(&common) };
        part.with_positive_leading()
    }

    fn with_positive_leading(self) -> Self {
        match self.leading() {
            Some(leading) if *leading < IBig::ZERO => self.negated(),
            _ => self,
        }
    }

    pub(super) fn negated(&self) -> Self {
        IntPolynomial(self.0.iter().map(|c| -c).collect())
    }

    /// A positive multiple of the remainder of the division by `divisor`, primitive; zero for a constant divisor.
    pub(super) fn remainder(&self, divisor: &IntPolynomial) -> Self {
        let Some(leading) = divisor.leading() else { return self.clone() };
        let scale = leading.clone().abs();
        let flip = *leading < IBig::ZERO;
        let mut rest = self.0.clone();
        while rest.len() >= divisor.0.len() {
            let Some(top) = rest.pop() else { break };
            if top.is_zero() {
                continue;
            }
            // The rest times |leading|, less top·sign(leading) times the divisor, loses its highest power.
            let factor = if flip { -top } else { top };
            let shift = rest.len() + 1 - divisor.0.len();
            rest.iter_mut().for_each(|c| *c *= &scale);
            for (c, d) in rest[shift..].iter_mut().zip(&divisor.0) {
                *c -= &factor * d;
            }
        }
        IntPolynomial::new(rest).primitive_part()
    }

    /// Returns the primitive greatest common divisor, by primitive remainders.
    fn greatest_common_divisor(&self, other: &IntPolynomial) -> Self {
        let (mut a, mut b) = (self.primitive_part(), other.primitive_part());
        while !b.is_zero() {
            let rest = a.remainder(&b);
            a = b;
            b = rest;
        }
        a.with_positive_leading()
    }

    /// Returns the primitive part of the quotient by a primitive polynomial that divides this one.
    fn exact_quotient(&self, divisor: &IntPolynomial) -> Self {
        let mut rest = self.primitive_part().0;
        let Some(leading) = divisor.leading() else { return self.clone() };
        let mut quotient = Vec::new();
        while rest.len() >= divisor.0.len() {
            let Some(top) = rest.pop() else { break };
            // Exact by Gauss's lemma: the quotient of primitive polynomials has integer coefficients.
            let factor = (&top).div_euclid(leading);
            let shift = rest.len() + 1 - divisor.0.len();
            for (c, d) in rest[shift..].iter_mut().zip(&divisor.0) {
                *c -= &factor * d;
            }
            quotient.push(factor);
        }
        quotient.reverse();
        IntPolynomial::new(quotient).primitive_part()
    }

    /// The exponent `e` of a power of two above every root's absolute value, 1 + max |cᵢ / cₙ| (Cauchy's bound).
    pub(super) fn root_bound_exponent(&self) -> usize {
        let leading_bits = self.leading().map_or(0, |c| c.clone().abs().bit_len());
        let others = self.0.iter().rev().skip(1).map(|c| c.clone().abs().bit_len()).max().unwrap_or(0);
        // |cᵢ / cₙ| < 2^(others - leading_bits + 1).
        (others + 1).saturating_sub(leading_bits) + 1
    }
}
