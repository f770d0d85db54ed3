//! The IEEE remainder, computed modulo the divisor so that the size of the quotient does not matter.

use super::arithmetic::assert_same_format;
use super::format::FloatFormat;
use super::magnitude::Magnitude;
use super::rounding::RoundingMode;
use super::unpacked::{FiniteFloat, UnpackedFloat};
use super::value::Float;

impl Float {
    /// `fp.rem`: x - y n with n the integer nearest to x / y, the even one of two (IEEE 754-2008, 5.3.1).
    ///
    /// A zero result has the sign of x; x infinite or y zero gives NaN, y infinite gives x. The result is always exact.
    /// Panics when the formats differ.
    pub fn rem(&self, y: &Float) -> Float {
        assert_same_format(self, y);
        let format = self.format();
        let remainder = if format.is_narrow() {
            remainder(self.unpack_narrow(), y.unpack_narrow(), format)
        } else {
            remainder(self.unpack_wide(), y.unpack_wide(), format)
        };
        remainder.unwrap_or_else(|| self.clone())
    }
}

/// Returns the remainder; `None` if it is x itself.
fn remainder<M: Magnitude>(x: UnpackedFloat<M>, y: UnpackedFloat<M>, format: FloatFormat) -> Option<Float> {
    match (x, y) {
        (UnpackedFloat::Nan, _) | (_, UnpackedFloat::Nan) => Some(Float::nan(format)),
        (UnpackedFloat::Infinity(_), _) | (_, UnpackedFloat::Zero(_)) => Some(Float::nan(format)),
        (UnpackedFloat::Zero(_), _) | (_, UnpackedFloat::Infinity(_)) => None,
        (UnpackedFloat::Finite(x), UnpackedFloat::Finite(y)) => finite_remainder(x, y, format),
    }
}

fn finite_remainder<M: Magnitude>(x: FiniteFloat<M>, y: FiniteFloat<M>, format: FloatFormat) -> Option<Float> {
    // Below half of the divisor the nearest multiple is zero.
    if x.top() < y.top() - 1 {
        return None;
    }
    let exponent = x.exponent.min(y.exponent);
    let divisor = y.significand.shl(y.exponent - exponent);
    // Modulo twice the divisor, so that the quotient's last bit is still there to break a tie.
    let twice = divisor.clone().shl(1);
    let (_, reduced) = x.significand.divide(&twice);
    let residue = times_power_of_two(reduced, x.exponent - exponent, &twice);
    let (odd, residue) = if residue < divisor { (false, residue) } else { (true, residue.minus(&divisor)) };
    if residue.is_zero() {
        return Some(Float::zero(format, x.negative));
    }
    let double = residue.clone().shl(1);
    let round_up = double > divisor || (double == divisor && odd);
    let finite = if round_up {
        FiniteFloat { negative: !x.negative, significand: divisor.minus(&residue), exponent }
    } else {
        FiniteFloat { negative: x.negative, significand: residue, exponent }
    };
    // The remainder is a multiple of the lesser quantum and no longer than an operand: every mode gives the same.
    Some(finite.round(format, RoundingMode::Rne))
}

/// `factor` times two to `power`, modulo `modulus`, by repeated squaring.
fn times_power_of_two<M: Magnitude>(factor: M, power: i64, modulus: &M) -> M {
    let mut result = factor;
    let (_, mut square) = M::from_u64(2).divide(modulus);
    let mut rest = power;
    while rest > 0 {
        if rest & 1 == 1 {
            result = result.times(&square).divide(modulus).1;
        }
        rest >>= 1;
        if rest > 0 {
            square = square.times(&square).divide(modulus).1;
        }
    }
    result
}
