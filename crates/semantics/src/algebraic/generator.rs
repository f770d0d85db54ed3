//! Irrational numbers given as roots of polynomials, from which all others are computed.

use std::cmp::Ordering;

use dashu_base::{Abs, BitTest};
use dashu_int::IBig;
use dashu_ratio::RBig;

use super::enclosure::{Enclosure, floor_quotient};
use super::polynomial::IntPolynomial;
use super::sturm::{Isolated, SturmSequence, isolate_by_index, isolate_by_interval};
use super::{AlgebraicError, AlgebraicLimits};

/// An irrational root of a polynomial.
///
/// Invariant: the polynomial is square-free, primitive and of positive leading coefficient; the open interval contains
/// exactly one of its roots, no end of it is a root, and that root is irrational.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FieldGenerator {
    polynomial: IntPolynomial,
    low: RBig,
    high: RBig,
}

/// A described real root: rational or irrational.
#[derive(Debug, Clone)]
pub enum RealRoot {
    /// This rational number.
    Rational(RBig),
    /// An irrational number.
    Irrational(FieldGenerator),
}

impl FieldGenerator {
    /// Returns the `index`-th real root in ascending order, from 1.
    pub(super) fn by_index(
        polynomial: &IntPolynomial,
        index: usize,
        limits: &AlgebraicLimits,
    ) -> Result<RealRoot, AlgebraicError> {
        let polynomial = checked_square_free(polynomial, limits)?;
        let isolated = isolate_by_index(&polynomial, index, limits)?;
        FieldGenerator::from_isolated(polynomial, isolated, limits)
    }

    /// Returns the only real root between `low` and `high`.
    pub(super) fn by_interval(
        polynomial: &IntPolynomial,
        low: &RBig,
        high: &RBig,
        limits: &AlgebraicLimits,
    ) -> Result<RealRoot, AlgebraicError> {
        for end in [low, high] {
            let bits = bits_of(end.numerator()).max(bits_of(&end.denominator().clone().into()));
            limits.check_bits(polynomial.degree().saturating_mul(bits))?;
        }
        let polynomial = checked_square_free(polynomial, limits)?;
        let isolated = isolate_by_interval(&polynomial, low, high, limits)?;
        FieldGenerator::from_isolated(polynomial, isolated, limits)
    }

    fn from_isolated(
        polynomial: IntPolynomial,
        isolated: Isolated,
        limits: &AlgebraicLimits,
    ) -> Result<RealRoot, AlgebraicError> {
        let (low, high) = match isolated {
            Isolated::Rational(root) => return Ok(RealRoot::Rational(root)),
            Isolated::Between(low, high) => (low, high),
        };
        let generator = FieldGenerator { polynomial, low, high };
        // A rational root has a denominator that divides the leading coefficient; in an interval narrower than its
        // reciprocal there is at most one or two candidates, those next to the ends.
        let leading = generator.leading();
        let scale = leading.bit_len() + 1;
        let enclosure = generator.enclose(None, scale, limits)?;
        let first = floor_quotient(&(&enclosure.low * &leading), &(IBig::ONE << scale));
        for numerator in [first.clone(), first + IBig::ONE] {
            let candidate = RBig::from_parts_signed(numerator, leading.clone());
            let inside = generator.low < candidate && candidate < generator.high;
            if inside && generator.polynomial.sign_at(&candidate) == Ordering::Equal {
                return Ok(RealRoot::Rational(candidate));
            }
        }
        Ok(RealRoot::Irrational(generator))
    }

    /// Returns Z3's spelling of the number: `(root-obj (+ (^ x 2) (- 2)) 2)` is the second root.
    pub fn root_object(&self) -> String {
        let number = |c: &IBig| if *c < IBig::ZERO { format!("(- {})", -c) } else { c.to_string() };
        let summand = |(power, c): (usize, &IBig)| {
            let factor = if power == 1 { "x".to_string() } else { format!("(^ x {power})") };
            match power {
                0 => number(c),
                _ if c.is_one() => factor,
                _ => format!("(* {} {factor})", number(c)),
            }
        };
        let terms = self.polynomial.coefficients().iter().enumerate().filter(|(_, c)| !c.is_zero());
        let summands: Vec<String> = terms.map(summand).rev().collect();
        format!("(root-obj (+ {}) {})", summands.join(" "), self.index())
    }

    /// Returns the polynomial: square-free, primitive, its leading coefficient positive.
    pub fn polynomial(&self) -> &IntPolynomial {
        &self.polynomial
    }

    /// Returns the open isolating interval.
    pub fn interval(&self) -> (&RBig, &RBig) {
        (&self.low, &self.high)
    }

    /// Which of the real roots of the polynomial this is, in ascending order from 1 (as in z3's `root-obj`).
    pub fn index(&self) -> usize {
        let bound = RBig::from(IBig::ONE << self.polynomial.root_bound_exponent());
        SturmSequence::new(&self.polynomial).count(&-bound, &self.high)
    }

    pub(super) fn degree(&self) -> usize {
        self.polynomial.degree()
    }

    pub(super) fn leading(&self) -> IBig {
        // A polynomial with a root has a leading coefficient; the constant is for the impossible case.
        self.polynomial.leading().cloned().unwrap_or(IBig::ONE)
    }

    /// Whether both are the same root of the same polynomial.
    pub(super) fn is_same(&self, other: &FieldGenerator) -> bool {
        if self.polynomial != other.polynomial {
            return false;
        }
        let (low, high) = ((&self.low).max(&other.low), (&self.high).min(&other.high));
        low < high && SturmSequence::new(&self.polynomial).count(low, high) == 1
    }

    /// Returns the interval of width `2^-scale` around the root, refined from one of a smaller scale if there is one.
    pub(super) fn enclose(
        &self,
        from: Option<&Enclosure>,
        scale: usize,
        limits: &AlgebraicLimits,
    ) -> Result<Enclosure, AlgebraicError> {
        let unit = IBig::ONE << scale;
        let (mut low, mut high) = match from {
            Some(known) => (&known.low << (scale - known.scale), &known.high << (scale - known.scale)),
            None => {
                let outer = (Enclosure::of_rational(&self.low, scale), Enclosure::of_rational(&self.high, scale));
                (outer.0.low, outer.1.high)
            }
        };
        limits.check_bits((&high - &low).bit_len())?;
        let left_sign = self.polynomial.sign_at(&self.low);
        let is_left = |point: &IBig| self.is_left_of_root(point, &unit, left_sign);
        if from.is_some() {
            (low, high) = self.narrow_by_secant(low, high, &unit, is_left);
        }
        while &high - &low > IBig::ONE {
            let middle: IBig = (&low + &high) >> 1;
            if is_left(&middle) {
                low = middle;
            } else {
                high = middle;
            }
        }
        Ok(Enclosure { low, high, scale })
    }

    /// Narrows the interval `low..=high` around the root, in units: where the polynomial is nearly straight, the
    /// secant's zero is so near the root that the precision doubles at once. Every end is checked by its sign.
    fn narrow_by_secant(
        &self,
        mut low: IBig,
        mut high: IBig,
        unit: &IBig,
        is_left: impl Fn(&IBig) -> bool,
    ) -> (IBig, IBig) {
        let at_low = self.polynomial.scaled_value_at(&low, unit).abs();
        let rise = &at_low + self.polynomial.scaled_value_at(&high, unit).abs();
        if rise.is_zero() {
            return (low, high);
        }
        let guess = &low + floor_quotient(&((&high - &low) * at_low), &rise);
        let mut margin_bits = 1;
        while &high - &low > IBig::ONE << (margin_bits + 1) {
            let (left, right) = (&guess - (IBig::ONE << margin_bits), &guess + (IBig::ONE << margin_bits));
            let root_after_left = left <= low || is_left(&left);
            let root_before_right = right >= high || !is_left(&right);
            if root_after_left {
                low = low.max(left);
            } else {
                high = left;
            }
            if root_before_right {
                high = high.min(right);
            } else {
                low = right;
            }
            if root_after_left && root_before_right {
                break;
            }
            margin_bits *= 4;
        }
        (low, high)
    }

    /// Whether `numerator / unit` is below the root; points outside the isolating interval are judged by its ends.
    fn is_left_of_root(&self, numerator: &IBig, unit: &IBig, left_sign: Ordering) -> bool {
        let at_most = |bound: &RBig| numerator * IBig::from(bound.denominator().clone()) <= bound.numerator() * unit;
        if at_most(&self.low) {
            return true;
        }
        at_most(&self.high) && self.polynomial.scaled_value_at(numerator, unit).cmp(&IBig::ZERO) == left_sign
    }

    /// Returns an `e` with every root of the polynomial, complex ones too, below `2^e` in absolute value.
    pub(super) fn conjugate_bound_exponent(&self) -> usize {
        self.polynomial.root_bound_exponent()
    }
}

fn checked_square_free(polynomial: &IntPolynomial, limits: &AlgebraicLimits) -> Result<IntPolynomial, AlgebraicError> {
    limits.check_degree(polynomial.degree())?;
    // Both Sturm sequences and the separation of roots grow with this product.
    limits.check_bits(polynomial.degree().saturating_mul(polynomial.coefficient_bits()))?;
    if polynomial.degree() == 0 {
        return Err(AlgebraicError::ConstantPolynomial);
    }
    Ok(polynomial.square_free_part())
}

/// Returns the bits of an integer's absolute value.
pub(super) fn bits_of(number: &IBig) -> usize {
    number.clone().abs().bit_len()
}
