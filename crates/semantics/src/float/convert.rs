//! Conversions between floats of different formats, and from and to integers and reals.

use dashu_base::{Sign, UnsignedAbs};
use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;

use super::arithmetic::round_fraction;
use super::format::FloatFormat;
use super::magnitude::Magnitude;
use super::rounding::{ExactReal, RoundingMode, round};
use super::unpacked::UnpackedFloat;
use super::value::Float;
use super::{UnknownFloat, Unspecified};

/// The longest numerator or denominator `to_real` writes down, in bits (2 MiB). All numbers of binary256 are far below.
pub const MAX_EXACT_BITS: u64 = 1 << 24;

impl Float {
    /// `((_ to_fp eb sb) mode x)` of a float: this number in `format`, rounded by `mode`.
    pub fn to_format(&self, format: FloatFormat, mode: RoundingMode) -> Float {
        if format.is_narrow() && self.format().is_narrow() {
            self.unpack_narrow().round(format, mode)
        } else {
            self.unpack_wide().round(format, mode)
        }
    }

    /// `((_ to_fp eb sb) mode x)` of a real. Zero becomes +zero.
    pub fn from_real(format: FloatFormat, mode: RoundingMode, real: &RBig) -> Float {
        if real.is_zero() {
            return Float::zero(format, false);
        }
        let numerator = real.numerator();
        round_fraction(is_negative(numerator), numerator.unsigned_abs(), real.denominator(), format, mode)
    }

    /// `((_ to_fp eb sb) mode x)` of a signed bit-vector with the value `integer`. Zero becomes +zero.
    pub fn from_signed(format: FloatFormat, mode: RoundingMode, integer: &IBig) -> Float {
        from_integer(format, mode, is_negative(integer), integer.unsigned_abs())
    }

    /// `((_ to_fp_unsigned eb sb) mode x)` of a bit-vector with the value `integer`. Zero becomes +zero.
    pub fn from_unsigned(format: FloatFormat, mode: RoundingMode, integer: &UBig) -> Float {
        from_integer(format, mode, false, integer.clone())
    }

    /// `fp.to_real`, exactly. Beyond [`MAX_EXACT_BITS`] the value is too large.
    pub fn to_real(&self) -> Result<RBig, UnknownFloat> {
        let x = match self.unpack_wide() {
            UnpackedFloat::Nan | UnpackedFloat::Infinity(_) => return Err(Unspecified::NotFinite.into()),
            UnpackedFloat::Zero(_) => return Ok(RBig::ZERO),
            UnpackedFloat::Finite(x) => x,
        };
        let bits = x.top().unsigned_abs().max(x.exponent.unsigned_abs());
        if bits > MAX_EXACT_BITS {
            return Err(UnknownFloat::TooLarge { bits, bound: MAX_EXACT_BITS });
        }
        let (numerator, denominator) = if x.exponent >= 0 {
            (x.significand.shl(x.exponent), UBig::ONE)
        } else {
            (x.significand, UBig::ONE.shl(-x.exponent))
        };
        let sign = if x.negative { Sign::Negative } else { Sign::Positive };
        Ok(RBig::from_parts(IBig::from_parts(sign, numerator), denominator))
    }
}

fn is_negative(integer: &IBig) -> bool {
    integer.sign() == Sign::Negative
}

fn from_integer(format: FloatFormat, mode: RoundingMode, negative: bool, significand: UBig) -> Float {
    if significand.is_zero() {
        return Float::zero(format, false);
    }
    round(ExactReal { negative, significand, exponent: 0, sticky: false }, format, mode)
}
