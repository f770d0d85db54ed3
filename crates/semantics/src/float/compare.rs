//! The order of floats: comparison predicates, minimum and maximum.

use std::cmp::Ordering;

use super::arithmetic::assert_same_format;
use super::value::Float;
use super::{UnknownFloat, Unspecified};

impl Float {
    /// Compares the numbers, zeros of either sign equal; `None` if either is NaN. Panics if the formats differ.
    pub fn compare(&self, y: &Float) -> Option<Ordering> {
        assert_same_format(self, y);
        if self.is_nan() || y.is_nan() {
            return None;
        }
        if self.is_zero() && y.is_zero() {
            return Some(Ordering::Equal);
        }
        Some(match (self.sign(), y.sign()) {
            (false, true) => Ordering::Greater,
            (true, false) => Ordering::Less,
            // Encodings of one sign are ordered like their magnitudes.
            (false, false) => self.compare_encodings(y),
            (true, true) => y.compare_encodings(self),
        })
    }

    fn compare_encodings(&self, y: &Float) -> Ordering {
        match (self.narrow_bits(), y.narrow_bits()) {
            (Some(x), Some(y)) => x.cmp(&y),
            _ => self
                .exponent_field()
                .cmp(&y.exponent_field())
                .then_with(|| self.trailing_significand().cmp(&y.trailing_significand())),
        }
    }

    /// `fp.leq`; false when either is NaN.
    pub fn leq(&self, y: &Float) -> bool {
        self.compare(y).is_some_and(Ordering::is_le)
    }

    /// `fp.lt`; false when either is NaN.
    pub fn lt(&self, y: &Float) -> bool {
        self.compare(y).is_some_and(Ordering::is_lt)
    }

    /// `fp.geq`; false when either is NaN.
    pub fn geq(&self, y: &Float) -> bool {
        self.compare(y).is_some_and(Ordering::is_ge)
    }

    /// `fp.gt`; false when either is NaN.
    pub fn gt(&self, y: &Float) -> bool {
        self.compare(y).is_some_and(Ordering::is_gt)
    }

    /// `fp.eq`, IEEE equality: NaN equals nothing, zeros of either sign are equal. The identity `=` is `==`.
    pub fn ieee_eq(&self, y: &Float) -> bool {
        self.compare(y).is_some_and(Ordering::is_eq)
    }

    /// `fp.min`: the other operand when one is NaN; unspecified for zeros of different sign.
    pub fn min(&self, y: &Float) -> Result<Float, UnknownFloat> {
        self.extremum(y, Ordering::Less)
    }

    /// `fp.max`: the other operand when one is NaN; unspecified for zeros of different sign.
    pub fn max(&self, y: &Float) -> Result<Float, UnknownFloat> {
        self.extremum(y, Ordering::Greater)
    }

    fn extremum(&self, y: &Float, wanted: Ordering) -> Result<Float, UnknownFloat> {
        match self.compare(y) {
            None if self.is_nan() => Ok(y.clone()),
            None => Ok(self.clone()),
            Some(Ordering::Equal) if self != y => Err(Unspecified::ExtremumOfZeros.into()),
            Some(order) if order == wanted => Ok(self.clone()),
            Some(_) => Ok(y.clone()),
        }
    }
}
