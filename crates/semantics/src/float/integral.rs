//! Rounding to integers: `fp.roundToIntegral` and the conversions to bit-vectors.

use dashu_base::PowerOfTwo;
use dashu_int::{IBig, UBig};

use super::format::FloatFormat;
use super::magnitude::Magnitude;
use super::rounding::{RoundingMode, drop_bits};
use super::unpacked::{FiniteFloat, UnpackedFloat};
use super::value::Float;
use super::{UnknownFloat, Unspecified};

impl Float {
    /// `fp.roundToIntegral`: the nearest integer by `mode`; a zero result keeps the operand's sign (IEEE 754-2008, 5.9).
    ///
    /// In formats with so few exponents that the largest number is not integral, the integer may exceed that number; it
    /// is then rounded to an infinity, like any other result.
    pub fn round_to_integral(&self, mode: RoundingMode) -> Float {
        let format = self.format();
        let integral = if format.is_narrow() {
            round_to_integral(self.unpack_narrow(), format, mode)
        } else {
            round_to_integral(self.unpack_wide(), format, mode)
        };
        integral.unwrap_or_else(|| self.clone())
    }

    /// `(_ fp.to_ubv width)` as the unsigned integer, below two to `width`.
    ///
    /// The theory defines it by the rounded integer: a negative number that rounds to zero is zero.
    /// Errors: [`Unspecified::NotFinite`] and [`Unspecified::OutOfRange`].
    pub fn to_unsigned(&self, mode: RoundingMode, width: u32) -> Result<UBig, UnknownFloat> {
        let (negative, magnitude) = self.to_integer(mode, width)?;
        let below_zero = negative && !magnitude.is_zero();
        if below_zero || Magnitude::bit_len(&magnitude) > i64::from(width) {
            return Err(Unspecified::OutOfRange.into());
        }
        Ok(magnitude)
    }

    /// `(_ fp.to_sbv width)` as the signed integer, from minus two to `width - 1` to one below two to `width - 1`.
    pub fn to_signed(&self, mode: RoundingMode, width: u32) -> Result<IBig, UnknownFloat> {
        let (negative, magnitude) = self.to_integer(mode, width)?;
        let (length, width) = (Magnitude::bit_len(&magnitude), i64::from(width));
        // Of the integers with `width` bits only the power of two, negated, fits two's complement of that width.
        let fits = length < width || (negative && length == width && magnitude.is_power_of_two());
        if !fits {
            return Err(Unspecified::OutOfRange.into());
        }
        let integer = IBig::from(magnitude);
        Ok(if negative { -integer } else { integer })
    }

    /// Sign and magnitude of the integer this rounds to, if it is finite and has at most `width` + 1 bits or so.
    fn to_integer(&self, mode: RoundingMode, width: u32) -> Result<(bool, UBig), UnknownFloat> {
        match self.unpack_wide() {
            UnpackedFloat::Nan | UnpackedFloat::Infinity(_) => Err(Unspecified::NotFinite.into()),
            UnpackedFloat::Zero(negative) => Ok((negative, UBig::ZERO)),
            // Rounding never makes a number shorter: this keeps the shift below within the target's width.
            UnpackedFloat::Finite(x) if x.top() > i64::from(width) => Err(Unspecified::OutOfRange.into()),
            UnpackedFloat::Finite(x) => Ok((x.negative, integer_part(x, mode))),
        }
    }
}

/// Returns the integral number; `None` if `x` is one already.
fn round_to_integral<M: Magnitude>(x: UnpackedFloat<M>, format: FloatFormat, mode: RoundingMode) -> Option<Float> {
    let UnpackedFloat::Finite(x) = x else { return None };
    if x.exponent >= 0 {
        return None;
    }
    let negative = x.negative;
    let significand = integer_part(x, mode);
    if significand.is_zero() {
        return Some(Float::zero(format, negative));
    }
    Some(FiniteFloat { negative, significand, exponent: 0 }.round(format, mode))
}

/// Returns the magnitude of the integer that `x` rounds to.
fn integer_part<M: Magnitude>(x: FiniteFloat<M>, mode: RoundingMode) -> M {
    if x.exponent >= 0 {
        x.significand.shl(x.exponent)
    } else {
        drop_bits(x.significand, -x.exponent, false, x.negative, mode)
    }
}
