//! Counting and isolating the real roots of a polynomial by its Sturm sequence.

use std::cmp::Ordering;

use dashu_int::IBig;
use dashu_ratio::RBig;

use super::polynomial::IntPolynomial;
use super::{AlgebraicError, AlgebraicLimits};

/// The Sturm sequence of a square-free polynomial: itself, its derivative, and negated remainders.
pub(super) struct SturmSequence(Vec<IntPolynomial>);

impl SturmSequence {
    pub(super) fn new(polynomial: &IntPolynomial) -> Self {
        let mut sequence = vec![polynomial.clone(), polynomial.derivative()];
        while let [.., a, b] = sequence.as_slice()
            && !b.is_zero()
        {
            let next = a.remainder(b).negated();
            sequence.push(next);
        }
        sequence.pop();
        SturmSequence(sequence)
    }

    /// Returns the number of roots in the interval open at `low` and closed at `high`.
    pub(super) fn count(&self, low: &RBig, high: &RBig) -> usize {
        self.variations(low).saturating_sub(self.variations(high))
    }

    fn variations(&self, point: &RBig) -> usize {
        let signs = self.0.iter().map(|p| p.sign_at(point)).filter(|&sign| sign != Ordering::Equal);
        let mut changes = 0;
        let mut last = None;
        for sign in signs {
            changes += usize::from(last.is_some_and(|last| last != sign));
            last = Some(sign);
        }
        changes
    }
}

/// A root alone in an interval whose ends are not roots, or a rational root itself.
pub(super) enum Isolated {
    Rational(RBig),
    Between(RBig, RBig),
}

/// Returns the `index`-th of the distinct real roots in ascending order, from 1.
pub(super) fn isolate_by_index(
    polynomial: &IntPolynomial,
    index: usize,
    limits: &AlgebraicLimits,
) -> Result<Isolated, AlgebraicError> {
    let sturm = SturmSequence::new(polynomial);
    let bound = RBig::from(IBig::ONE << polynomial.root_bound_exponent());
    let range = (-bound.clone(), bound);
    let roots = sturm.count(&range.0, &range.1);
    if index == 0 || index > roots {
        return Err(AlgebraicError::NoSuchRoot { index, roots });
    }
    narrow(polynomial, &sturm, range, index, limits)
}

/// The only root in the open interval; if there is none, the only one in the closed interval.
pub(super) fn isolate_by_interval(
    polynomial: &IntPolynomial,
    low: &RBig,
    high: &RBig,
    limits: &AlgebraicLimits,
) -> Result<Isolated, AlgebraicError> {
    let root_at = |point: &RBig| polynomial.sign_at(point) == Ordering::Equal;
    if low >= high {
        let roots = usize::from(low == high && root_at(low));
        return if roots == 1 {
            Ok(Isolated::Rational(low.clone()))
        } else {
            Err(AlgebraicError::NotIsolating { roots })
        };
    }
    let sturm = SturmSequence::new(polynomial);
    let (at_low, at_high) = (root_at(low), root_at(high));
    let inside = sturm.count(low, high) - usize::from(at_high);
    match (inside, at_low, at_high) {
        (1, ..) => narrow(polynomial, &sturm, (low.clone(), high.clone()), 1, limits),
        (0, true, false) => Ok(Isolated::Rational(low.clone())),
        (0, false, true) => Ok(Isolated::Rational(high.clone())),
        _ => Err(AlgebraicError::NotIsolating { roots: inside + usize::from(at_low) + usize::from(at_high) }),
    }
}

/// Halves the range `(low, high]` until its `wanted`-th root is alone in it and no end is a root.
fn narrow(
    polynomial: &IntPolynomial,
    sturm: &SturmSequence,
    (mut low, mut high): (RBig, RBig),
    mut wanted: usize,
    limits: &AlgebraicLimits,
) -> Result<Isolated, AlgebraicError> {
    let mut inside = sturm.count(&low, &high);
    let mut halvings = 0;
    while inside > 1 || polynomial.sign_at(&low) == Ordering::Equal {
        halvings += 1;
        // The approximate length of a Sturm sequence's integers at this point.
        limits.check_bits(polynomial.degree() * halvings)?;
        let middle = midpoint(&low, &high);
        let left = sturm.count(&low, &middle);
        if wanted <= left {
            (high, inside) = (middle, left);
        } else {
            (low, wanted, inside) = (middle, wanted - left, inside - left);
        }
    }
    if polynomial.sign_at(&high) == Ordering::Equal {
        return Ok(Isolated::Rational(high));
    }
    Ok(Isolated::Between(low, high))
}

fn midpoint(low: &RBig, high: &RBig) -> RBig {
    (low + high) / RBig::from(2)
}
