//! The unsigned integers that significands are computed with: `u128` for narrow formats, `UBig` for all others.

use dashu_base::{BitTest, DivRem, SquareRootRem};
use dashu_int::UBig;

/// Exact arithmetic on magnitudes. Bit positions and lengths are in bits.
///
/// Invariant: callers keep results in `u128` below 2^128; with narrow formats (sb <= 62) the widest intermediate is the
/// radicand of a square root, 2 sb + 4 bits.
pub(super) trait Magnitude: Clone + Ord {
    fn from_u64(value: u64) -> Self;
    fn is_zero(&self) -> bool;
    /// Position of the highest one plus one; zero for zero.
    fn bit_len(&self) -> i64;
    fn bit(&self, position: i64) -> bool;
    /// Whether any bit below `position` is one.
    fn low_bits_nonzero(&self, position: i64) -> bool;
    fn shl(self, bits: i64) -> Self;
    /// Shift right, dropping bits; `bits` may be of any size.
    fn shr(self, bits: i64) -> Self;
    fn plus(self, other: &Self) -> Self;
    /// Returns the difference; `other` is at most `self`.
    fn minus(self, other: &Self) -> Self;
    fn times(&self, other: &Self) -> Self;
    /// Quotient and remainder; `other` is not zero.
    fn divide(self, other: &Self) -> (Self, Self);
    /// Floor of the square root, and whether it is inexact.
    fn square_root(self) -> (Self, bool);
    fn to_ubig(self) -> UBig;
    /// Returns the value of a magnitude that is known to fit 64 bits.
    fn to_u64(self) -> u64;
}

impl Magnitude for u128 {
    fn from_u64(value: u64) -> u128 {
        u128::from(value)
    }

    fn is_zero(&self) -> bool {
        *self == 0
    }

    fn bit_len(&self) -> i64 {
        i64::from(128 - self.leading_zeros())
    }

    fn bit(&self, position: i64) -> bool {
        position < 128 && self >> position & 1 == 1
    }

    fn low_bits_nonzero(&self, position: i64) -> bool {
        if position >= 128 { *self != 0 } else { self & ((1 << position) - 1) != 0 }
    }

    fn shl(self, bits: i64) -> u128 {
        debug_assert!(self == 0 || Magnitude::bit_len(&self) + bits <= 128);
        self << bits
    }

    fn shr(self, bits: i64) -> u128 {
        if bits >= 128 { 0 } else { self >> bits }
    }

    fn plus(self, other: &u128) -> u128 {
        self + other
    }

    fn minus(self, other: &u128) -> u128 {
        self - other
    }

    fn times(&self, other: &u128) -> u128 {
        self * other
    }

    fn divide(self, other: &u128) -> (u128, u128) {
        (self / other, self % other)
    }

    fn square_root(self) -> (u128, bool) {
        let root = self.isqrt();
        (root, root * root != self)
    }

    fn to_ubig(self) -> UBig {
        UBig::from(self)
    }

    fn to_u64(self) -> u64 {
        debug_assert!(self >> 64 == 0);
        self as u64
    }
}

/// Shifts of big integers count in `usize`; those that reach here are bounded by significand or operand lengths.
fn shift(bits: i64) -> usize {
    usize::try_from(bits).unwrap_or(usize::MAX)
}

impl Magnitude for UBig {
    fn from_u64(value: u64) -> UBig {
        UBig::from(value)
    }

    fn is_zero(&self) -> bool {
        UBig::is_zero(self)
    }

    fn bit_len(&self) -> i64 {
        BitTest::bit_len(self) as i64
    }

    fn bit(&self, position: i64) -> bool {
        BitTest::bit(self, shift(position))
    }

    fn low_bits_nonzero(&self, position: i64) -> bool {
        self.trailing_zeros().is_some_and(|zeros| zeros < shift(position))
    }

    fn shl(self, bits: i64) -> UBig {
        self << shift(bits)
    }

    fn shr(self, bits: i64) -> UBig {
        self >> shift(bits)
    }

    fn plus(self, other: &UBig) -> UBig {
        self + other
    }

    fn minus(self, other: &UBig) -> UBig {
        self - other
    }

    fn times(&self, other: &UBig) -> UBig {
        self * other
    }

    fn divide(self, other: &UBig) -> (UBig, UBig) {
        self.div_rem(other)
    }

    fn square_root(self) -> (UBig, bool) {
        let (root, rest) = self.sqrt_rem();
        (root, !rest.is_zero())
    }

    fn to_ubig(self) -> UBig {
        self
    }

    fn to_u64(self) -> u64 {
        u64::try_from(self).expect("the encoding of a narrow format has at most 64 bits")
    }
}
