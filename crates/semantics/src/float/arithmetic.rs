//! The operations whose exact result is rounded once: addition, multiplication, division, square root and their kin.

use dashu_int::UBig;

use super::format::FloatFormat;
use super::hardware;
use super::magnitude::Magnitude;
use super::rounding::{ExactReal, RoundingMode, round};
use super::unpacked::{FiniteFloat, UnpackedFloat};
use super::value::Float;

/// Operands of one application have one sort: the sort checker ensures it before evaluation.
pub(super) fn assert_same_format(x: &Float, y: &Float) {
    assert_eq!(x.format(), y.format(), "operands of a floating-point operation must have one format");
}

impl Float {
    /// `fp.add`. Panics when the formats differ.
    pub fn add(&self, mode: RoundingMode, y: &Float) -> Float {
        assert_same_format(self, y);
        let format = self.format();
        if let Some(sum) = hardware::add(mode, self, y) {
            sum
        } else if format.is_narrow() {
            sum(self.unpack_narrow(), y.unpack_narrow(), format, mode)
        } else {
            sum(self.unpack_wide(), y.unpack_wide(), format, mode)
        }
    }

    /// `fp.sub`. Panics when the formats differ.
    pub fn sub(&self, mode: RoundingMode, y: &Float) -> Float {
        assert_same_format(self, y);
        let format = self.format();
        if let Some(difference) = hardware::sub(mode, self, y) {
            difference
        } else if format.is_narrow() {
            sum(self.unpack_narrow(), y.unpack_narrow().negated(), format, mode)
        } else {
            sum(self.unpack_wide(), y.unpack_wide().negated(), format, mode)
        }
    }

    /// `fp.mul`. Panics when the formats differ.
    pub fn mul(&self, mode: RoundingMode, y: &Float) -> Float {
        assert_same_format(self, y);
        let format = self.format();
        if let Some(product) = hardware::mul(mode, self, y) {
            product
        } else if format.is_narrow() {
            product(self.unpack_narrow(), y.unpack_narrow()).round(format, mode)
        } else {
            product(self.unpack_wide(), y.unpack_wide()).round(format, mode)
        }
    }

    /// `fp.div`. Panics when the formats differ.
    pub fn div(&self, mode: RoundingMode, y: &Float) -> Float {
        assert_same_format(self, y);
        let format = self.format();
        if let Some(quotient) = hardware::div(mode, self, y) {
            quotient
        } else if format.is_narrow() {
            ratio(self.unpack_narrow(), y.unpack_narrow(), format, mode)
        } else {
            ratio(self.unpack_wide(), y.unpack_wide(), format, mode)
        }
    }

    /// `fp.fma`: self times `y` plus `z`, rounded once. Panics when the formats differ.
    pub fn fma(&self, mode: RoundingMode, y: &Float, z: &Float) -> Float {
        assert_same_format(self, y);
        assert_same_format(self, z);
        let format = self.format();
        // The exact product is a number like any other, so signs of zeros and infinities follow the rules of addition.
        if format.is_narrow() {
            sum(product(self.unpack_narrow(), y.unpack_narrow()), z.unpack_narrow(), format, mode)
        } else {
            sum(product(self.unpack_wide(), y.unpack_wide()), z.unpack_wide(), format, mode)
        }
    }

    /// `fp.sqrt`; the root of -zero is -zero, that of other negative numbers NaN.
    pub fn sqrt(&self, mode: RoundingMode) -> Float {
        let format = self.format();
        if let Some(root) = hardware::sqrt(mode, self) {
            root
        } else if format.is_narrow() {
            square_root(self.unpack_narrow(), format, mode)
        } else {
            square_root(self.unpack_wide(), format, mode)
        }
    }
}

pub(super) fn sum<M: Magnitude>(
    x: UnpackedFloat<M>,
    y: UnpackedFloat<M>,
    format: FloatFormat,
    mode: RoundingMode,
) -> Float {
    match (x, y) {
        (UnpackedFloat::Nan, _) | (_, UnpackedFloat::Nan) => Float::nan(format),
        (UnpackedFloat::Infinity(a), UnpackedFloat::Infinity(b)) if a != b => Float::nan(format),
        (UnpackedFloat::Infinity(a), _) | (_, UnpackedFloat::Infinity(a)) => Float::infinity(format, a),
        (UnpackedFloat::Zero(a), UnpackedFloat::Zero(b)) => {
            let negative = if a == b { a } else { mode.cancelled_zero_is_negative() };
            Float::zero(format, negative)
        }
        (UnpackedFloat::Zero(_), UnpackedFloat::Finite(x)) | (UnpackedFloat::Finite(x), UnpackedFloat::Zero(_)) => {
            x.round(format, mode)
        }
        (UnpackedFloat::Finite(x), UnpackedFloat::Finite(y)) => finite_sum(x, y, format, mode),
    }
}

/// Aligns both terms to one exponent without ever shifting by more than the terms' own lengths.
fn finite_sum<M: Magnitude>(x: FiniteFloat<M>, y: FiniteFloat<M>, format: FloatFormat, mode: RoundingMode) -> Float {
    let (high, low) = if x.top() >= y.top() { (x, y) } else { (y, x) };
    // Two places apart, the difference is at least a quarter of the higher term: four bits beyond the precision then
    // suffice, and all that lies below them can be one sticky bit. Closer together everything may cancel, but the
    // exact alignment is short.
    let exponent = if high.top() - low.top() >= 2 {
        high.exponent.min(high.top() - i64::from(format.sb()) - 4)
    } else {
        high.exponent.min(low.exponent)
    };
    let larger = high.significand.shl(high.exponent - exponent);
    let (smaller, sticky) = if low.exponent >= exponent {
        (low.significand.shl(low.exponent - exponent), false)
    } else {
        let lost = exponent - low.exponent;
        let sticky = low.significand.low_bits_nonzero(lost);
        (low.significand.shr(lost), sticky)
    };
    let (negative, significand) = if high.negative == low.negative {
        (high.negative, larger.plus(&smaller))
    } else if larger == smaller && !sticky {
        return Float::zero(format, mode.cancelled_zero_is_negative());
    } else if larger < smaller {
        // Only terms less than two places apart come here, and those have no sticky bit.
        (low.negative, smaller.minus(&larger))
    } else {
        // The true subtrahend lies above `smaller`, so the difference lies above the one with its successor.
        let subtrahend = if sticky { smaller.plus(&M::from_u64(1)) } else { smaller };
        (high.negative, larger.minus(&subtrahend))
    };
    round(ExactReal { negative, significand, exponent, sticky }, format, mode)
}

/// Returns the exact product, not rounded.
pub(super) fn product<M: Magnitude>(x: UnpackedFloat<M>, y: UnpackedFloat<M>) -> UnpackedFloat<M> {
    match (x, y) {
        (UnpackedFloat::Nan, _) | (_, UnpackedFloat::Nan) => UnpackedFloat::Nan,
        (UnpackedFloat::Infinity(_), UnpackedFloat::Zero(_)) | (UnpackedFloat::Zero(_), UnpackedFloat::Infinity(_)) => {
            UnpackedFloat::Nan
        }
        (UnpackedFloat::Infinity(a), UnpackedFloat::Infinity(b)) => UnpackedFloat::Infinity(a != b),
        (UnpackedFloat::Infinity(a), UnpackedFloat::Finite(f))
        | (UnpackedFloat::Finite(f), UnpackedFloat::Infinity(a)) => UnpackedFloat::Infinity(a != f.negative),
        (UnpackedFloat::Zero(a), UnpackedFloat::Zero(b)) => UnpackedFloat::Zero(a != b),
        (UnpackedFloat::Zero(a), UnpackedFloat::Finite(f)) | (UnpackedFloat::Finite(f), UnpackedFloat::Zero(a)) => {
            UnpackedFloat::Zero(a != f.negative)
        }
        (UnpackedFloat::Finite(x), UnpackedFloat::Finite(y)) => UnpackedFloat::Finite(FiniteFloat {
            negative: x.negative != y.negative,
            significand: x.significand.times(&y.significand),
            exponent: x.exponent + y.exponent,
        }),
    }
}

pub(super) fn ratio<M: Magnitude>(
    x: UnpackedFloat<M>,
    y: UnpackedFloat<M>,
    format: FloatFormat,
    mode: RoundingMode,
) -> Float {
    match (x, y) {
        (UnpackedFloat::Nan, _) | (_, UnpackedFloat::Nan) => Float::nan(format),
        (UnpackedFloat::Infinity(_), UnpackedFloat::Infinity(_)) | (UnpackedFloat::Zero(_), UnpackedFloat::Zero(_)) => {
            Float::nan(format)
        }
        (UnpackedFloat::Infinity(a), UnpackedFloat::Zero(b)) => Float::infinity(format, a != b),
        (UnpackedFloat::Infinity(a), UnpackedFloat::Finite(y)) => Float::infinity(format, a != y.negative),
        (UnpackedFloat::Finite(x), UnpackedFloat::Zero(b)) => Float::infinity(format, x.negative != b),
        (UnpackedFloat::Zero(a), UnpackedFloat::Infinity(b)) => Float::zero(format, a != b),
        (UnpackedFloat::Zero(a), UnpackedFloat::Finite(y)) => Float::zero(format, a != y.negative),
        (UnpackedFloat::Finite(x), UnpackedFloat::Infinity(b)) => Float::zero(format, x.negative != b),
        (UnpackedFloat::Finite(x), UnpackedFloat::Finite(y)) => {
            let exact = quotient(x.negative != y.negative, x.significand, &y.significand, format);
            round(ExactReal { exponent: exact.exponent + x.exponent - y.exponent, ..exact }, format, mode)
        }
    }
}

/// Returns the quotient of two non-zero magnitudes with two bits more than `format` can hold, and a sticky bit.
fn quotient<M: Magnitude>(negative: bool, numerator: M, denominator: &M, format: FloatFormat) -> ExactReal<M> {
    let shift = i64::from(format.sb()) + 2 + denominator.bit_len() - numerator.bit_len();
    let (scaled, lost) = if shift >= 0 {
        (numerator.shl(shift), false)
    } else {
        let lost = numerator.low_bits_nonzero(-shift);
        (numerator.shr(-shift), lost)
    };
    let (significand, remainder) = scaled.divide(denominator);
    ExactReal { negative, significand, exponent: -shift, sticky: lost || !remainder.is_zero() }
}

/// Returns the number of `format` nearest by `mode` to a non-zero fraction, its sign apart.
pub(super) fn round_fraction(
    negative: bool,
    numerator: UBig,
    denominator: &UBig,
    format: FloatFormat,
    mode: RoundingMode,
) -> Float {
    round(quotient(negative, numerator, denominator, format), format, mode)
}

pub(super) fn square_root<M: Magnitude>(x: UnpackedFloat<M>, format: FloatFormat, mode: RoundingMode) -> Float {
    match x {
        UnpackedFloat::Nan | UnpackedFloat::Infinity(true) => Float::nan(format),
        UnpackedFloat::Infinity(false) => Float::infinity(format, false),
        UnpackedFloat::Zero(negative) => Float::zero(format, negative),
        UnpackedFloat::Finite(x) if x.negative => Float::nan(format),
        UnpackedFloat::Finite(x) => {
            // A radicand of 2 sb + 3 bits has a root of sb + 2; the exponent must become even.
            let wanted = 2 * i64::from(format.sb()) + 3;
            let shift = (wanted - x.significand.bit_len()).max(0);
            let shift = shift + ((x.exponent - shift) & 1);
            let exponent = (x.exponent - shift) / 2;
            let (significand, sticky) = x.significand.shl(shift).square_root();
            round(ExactReal { negative: false, significand, exponent, sticky }, format, mode)
        }
    }
}
