//! Intervals with end points of one fixed binary precision, rounded outwards.

use std::cmp::Ordering;

use dashu_base::{Abs, BitTest, DivEuclid};
use dashu_int::IBig;
use dashu_ratio::RBig;

/// The real numbers from `low / 2^scale` to `high / 2^scale`, ends included.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Enclosure {
    pub(super) low: IBig,
    pub(super) high: IBig,
    pub(super) scale: usize,
}

impl Enclosure {
    pub(super) fn zero(scale: usize) -> Self {
        Enclosure { low: IBig::ZERO, high: IBig::ZERO, scale }
    }

    /// Returns the narrowest interval of this scale around a rational.
    pub(super) fn of_rational(number: &RBig, scale: usize) -> Self {
        Enclosure { low: IBig::ONE << scale, high: IBig::ONE << scale, scale }.times_rational(number)
    }

    pub(super) fn plus(&self, other: &Enclosure) -> Self {
        Enclosure { low: &self.low + &other.low, high: &self.high + &other.high, scale: self.scale }
    }

    pub(super) fn times(&self, other: &Enclosure) -> Self {
        let unit = IBig::ONE << self.scale;
        let (low, high) = self.extreme_products(other);
        Enclosure { low: floor_quotient(&low, &unit), high: ceiling_quotient(&high, &unit), scale: self.scale }
    }

    pub(super) fn times_rational(&self, factor: &RBig) -> Self {
        let denominator = IBig::from(factor.denominator().clone());
        let (a, b) = (&self.low * factor.numerator(), &self.high * factor.numerator());
        let (low, high) = if a <= b { (a, b) } else { (b, a) };
        Enclosure {
            low: floor_quotient(&low, &denominator),
            high: ceiling_quotient(&high, &denominator),
            scale: self.scale,
        }
    }

    /// Returns the quotient by an interval of positive numbers; `None` when that interval reaches down to zero.
    pub(super) fn over_positive(&self, divisor: &Enclosure) -> Option<Self> {
        if divisor.low <= IBig::ZERO {
            return None;
        }
        let (low, high) = (&self.low << self.scale, &self.high << self.scale);
        // The smallest quotient of a negative number has the smallest divisor, that of a positive one the greatest.
        let low_divisor = if low < IBig::ZERO { &divisor.low } else { &divisor.high };
        let high_divisor = if high < IBig::ZERO { &divisor.high } else { &divisor.low };
        Some(Enclosure {
            low: floor_quotient(&low, low_divisor),
            high: ceiling_quotient(&high, high_divisor),
            scale: self.scale,
        })
    }

    /// Returns the sign of all numbers in the interval, when they have the same.
    pub(super) fn sign(&self) -> Option<Ordering> {
        let (low, high) = (self.low.cmp(&IBig::ZERO), self.high.cmp(&IBig::ZERO));
        (low == high).then_some(low)
    }

    /// Returns an `e` for which every number in the interval is below `2^(e - scale)` in absolute value.
    pub(super) fn magnitude_bits(&self) -> usize {
        self.low.clone().abs().bit_len().max(self.high.clone().abs().bit_len())
    }

    pub(super) fn floors(&self) -> (IBig, IBig) {
        let unit = IBig::ONE << self.scale;
        (floor_quotient(&self.low, &unit), floor_quotient(&self.high, &unit))
    }

    pub(super) fn ends(&self) -> (RBig, RBig) {
        let unit = IBig::ONE << self.scale;
        (RBig::from_parts_signed(self.low.clone(), unit.clone()), RBig::from_parts_signed(self.high.clone(), unit))
    }

    fn extreme_products(&self, other: &Enclosure) -> (IBig, IBig) {
        let first = &self.low * &other.low;
        let rest = [&self.low * &other.high, &self.high * &other.low, &self.high * &other.high];
        rest.into_iter().fold((first.clone(), first), |(low, high), product| {
            if product < low {
                (product, high)
            } else if product > high {
                (low, product)
            } else {
                (low, high)
            }
        })
    }
}

/// Returns the quotient rounded down, for a positive divisor.
pub(super) fn floor_quotient(dividend: &IBig, divisor: &IBig) -> IBig {
    dividend.div_euclid(divisor)
}

/// Returns the quotient rounded up, for a positive divisor.
fn ceiling_quotient(dividend: &IBig, divisor: &IBig) -> IBig {
    -((-dividend).div_euclid(divisor))
}
