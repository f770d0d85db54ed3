//! The values of a floating-point sort: their encoding, the special values, classification and printing.

use std::fmt;

use dashu_base::BitTest;
use dashu_int::UBig;

use super::format::FloatFormat;
use super::magnitude::Magnitude;
use super::unpacked::{FiniteFloat, UnpackedFloat};
use super::{UnknownFloat, Unspecified};

/// One value of `(_ FloatingPoint eb sb)`.
///
/// Invariant: equality is the identity `=` of SMT-LIB. There is one NaN per format, stored as the encoding with sign 0
/// and trailing significand 10...0; zeros of different sign differ. Formats up to 64 bits are kept inline.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Float {
    format: FloatFormat,
    bits: Bits,
}

/// The interchange encoding, sign highest.
///
/// Invariant: `Narrow` exactly when the format's width is at most 64 bits; bits above the width are zero.
#[derive(Clone, PartialEq, Eq, Hash)]
enum Bits {
    Narrow(u64),
    Wide(Box<UBig>),
}

impl Float {
    /// `(_ NaN eb sb)`.
    pub fn nan(format: FloatFormat) -> Float {
        let quiet = format.sb() - 2;
        if format.is_narrow() {
            let field = format.special_exponent() << (format.sb() - 1);
            return Float { format, bits: Bits::Narrow(field | 1 << quiet) };
        }
        let mut pattern = UBig::from(format.special_exponent()) << (format.sb() - 1) as usize;
        pattern.set_bit(quiet as usize);
        Float { format, bits: Bits::Wide(Box::new(pattern)) }
    }

    /// `(_ +oo eb sb)`, or `(_ -oo eb sb)` when `negative`.
    pub fn infinity(format: FloatFormat, negative: bool) -> Float {
        if format.is_narrow() {
            let field = format.special_exponent() << (format.sb() - 1);
            return Float::from_magnitude(format, negative, u128::from(field));
        }
        Float::from_magnitude(format, negative, UBig::from(format.special_exponent()) << (format.sb() - 1) as usize)
    }

    /// `(_ +zero eb sb)`, or `(_ -zero eb sb)` when `negative`.
    pub fn zero(format: FloatFormat, negative: bool) -> Float {
        Float::from_magnitude(format, negative, 0u128)
    }

    /// Returns the finite number of greatest magnitude with that sign.
    pub fn largest(format: FloatFormat, negative: bool) -> Float {
        if format.is_narrow() {
            let field = format.special_exponent() << (format.sb() - 1);
            return Float::from_magnitude(format, negative, u128::from(field) - 1);
        }
        let field = UBig::from(format.special_exponent()) << (format.sb() - 1) as usize;
        Float::from_magnitude(format, negative, field - UBig::ONE)
    }

    /// Returns the number that `pattern`, a bit-vector of width eb + sb, encodes: `((_ to_fp eb sb) pattern)`.
    ///
    /// Higher bits of `pattern` are ignored.
    pub fn from_bits(format: FloatFormat, pattern: &UBig) -> Float {
        let width = format.width() as usize;
        let mut pattern = pattern.clone();
        pattern.clear_high_bits(width);
        if format.is_narrow() {
            return Float::from_u64_bits(format, pattern.to_u64());
        }
        Float::canonical(format, Bits::Wide(Box::new(pattern)))
    }

    /// [`Float::from_bits`] for a format of at most 64 bits (a wider one gets leading zeros). Higher bits are ignored.
    pub fn from_u64_bits(format: FloatFormat, pattern: u64) -> Float {
        if !format.is_narrow() {
            return Float::from_bits(format, &UBig::from(pattern));
        }
        let bits = Bits::Narrow(pattern & (u64::MAX >> (64 - format.width())));
        Float::canonical(format, bits)
    }

    /// `(fp sign exponent significand)`, the exponent field eb and the trailing significand sb - 1 bits wide.
    ///
    /// Higher bits of either field are ignored.
    pub fn from_fields(format: FloatFormat, negative: bool, exponent: &UBig, significand: &UBig) -> Float {
        let trailing = (format.sb() - 1) as usize;
        let mut low = significand.clone();
        low.clear_high_bits(trailing);
        let mut pattern = exponent.clone();
        pattern.clear_high_bits(format.eb() as usize);
        pattern = (pattern << trailing) | low;
        if negative {
            pattern.set_bit(format.width() as usize - 1);
        }
        Float::from_bits(format, &pattern)
    }

    /// Sign and encoding below the sign. `magnitude` is at most the encoding of infinity.
    pub(super) fn from_magnitude<M: Magnitude>(format: FloatFormat, negative: bool, magnitude: M) -> Float {
        let sign = format.width() - 1;
        let bits = if format.is_narrow() {
            Bits::Narrow(magnitude.to_u64() | u64::from(negative) << sign)
        } else {
            let mut pattern = magnitude.to_ubig();
            if negative {
                pattern.set_bit(sign as usize);
            }
            Bits::Wide(Box::new(pattern))
        };
        Float { format, bits }
    }

    fn canonical(format: FloatFormat, bits: Bits) -> Float {
        let value = Float { format, bits };
        if value.exponent_field() == format.special_exponent() && !value.trailing_is_zero() {
            Float::nan(format)
        } else {
            value
        }
    }

    /// Returns the format of this value's sort.
    pub fn format(&self) -> FloatFormat {
        self.format
    }

    /// Returns the sign bit: true is minus. NaN has none and answers false.
    pub fn sign(&self) -> bool {
        let position = self.format.width() - 1;
        match &self.bits {
            Bits::Narrow(bits) => bits >> position & 1 == 1,
            Bits::Wide(bits) => BitTest::bit(&**bits, position as usize),
        }
    }

    /// Returns the biased exponent, eb bits wide.
    pub fn exponent_field(&self) -> u64 {
        let trailing = self.format.sb() - 1;
        match &self.bits {
            Bits::Narrow(bits) => bits >> trailing & self.format.special_exponent(),
            Bits::Wide(bits) => {
                let mut field = &**bits >> trailing as usize;
                field.clear_high_bits(self.format.eb() as usize);
                field.to_u64()
            }
        }
    }

    /// Returns the significand without the hidden bit, sb - 1 bits wide.
    pub fn trailing_significand(&self) -> UBig {
        match &self.bits {
            Bits::Narrow(_) => UBig::from(self.trailing_u64()),
            Bits::Wide(bits) => self.trailing_of(bits),
        }
    }

    /// Returns the encoding as a bit-vector of width eb + sb (the extension `fp.to_ieee_bv`); unspecified for NaN.
    pub fn to_ieee_bits(&self) -> Result<UBig, UnknownFloat> {
        if self.is_nan() {
            return Err(Unspecified::EncodingOfNan.into());
        }
        Ok(match &self.bits {
            Bits::Narrow(bits) => UBig::from(*bits),
            Bits::Wide(bits) => (**bits).clone(),
        })
    }

    /// Returns the encoding when the format has at most 64 bits, NaN as its one canonical pattern.
    pub fn narrow_bits(&self) -> Option<u64> {
        match &self.bits {
            Bits::Narrow(bits) => Some(*bits),
            Bits::Wide(_) => None,
        }
    }

    /// `fp.isNaN`.
    pub fn is_nan(&self) -> bool {
        self.exponent_field() == self.format.special_exponent() && !self.trailing_is_zero()
    }

    /// `fp.isInfinite`.
    pub fn is_infinite(&self) -> bool {
        self.exponent_field() == self.format.special_exponent() && self.trailing_is_zero()
    }

    /// `fp.isZero`.
    pub fn is_zero(&self) -> bool {
        self.exponent_field() == 0 && self.trailing_is_zero()
    }

    /// `fp.isNormal`.
    pub fn is_normal(&self) -> bool {
        let field = self.exponent_field();
        field != 0 && field != self.format.special_exponent()
    }

    /// `fp.isSubnormal`.
    pub fn is_subnormal(&self) -> bool {
        self.exponent_field() == 0 && !self.trailing_is_zero()
    }

    /// `fp.isNegative`: true of -zero and -oo, false of NaN.
    pub fn is_negative(&self) -> bool {
        self.sign()
    }

    /// `fp.isPositive`: true of +zero and +oo, false of NaN.
    pub fn is_positive(&self) -> bool {
        !self.sign() && !self.is_nan()
    }

    /// `fp.abs`.
    pub fn abs(&self) -> Float {
        if self.sign() { self.neg() } else { self.clone() }
    }

    /// `fp.neg`: the other sign; NaN stays NaN.
    pub fn neg(&self) -> Float {
        if self.is_nan() {
            return self.clone();
        }
        let sign = self.format.width() - 1;
        let bits = match &self.bits {
            Bits::Narrow(bits) => Bits::Narrow(bits ^ 1 << sign),
            Bits::Wide(bits) => {
                let mut bits = bits.clone();
                if self.sign() {
                    bits.clear_bit(sign as usize)
                } else {
                    bits.set_bit(sign as usize)
                };
                Bits::Wide(bits)
            }
        };
        Float { format: self.format, bits }
    }

    fn trailing_is_zero(&self) -> bool {
        let trailing = self.format.sb() - 1;
        match &self.bits {
            Bits::Narrow(_) => self.trailing_u64() == 0,
            Bits::Wide(bits) => !bits.low_bits_nonzero(i64::from(trailing)),
        }
    }

    fn trailing_u64(&self) -> u64 {
        match &self.bits {
            Bits::Narrow(bits) => bits & ((1 << (self.format.sb() - 1)) - 1),
            Bits::Wide(bits) => self.trailing_of(bits).to_u64(),
        }
    }

    fn trailing_of(&self, bits: &UBig) -> UBig {
        let mut trailing = bits.clone();
        trailing.clear_high_bits((self.format.sb() - 1) as usize);
        trailing
    }

    /// Decomposes this value, for a format of at most 64 bits.
    ///
    /// Invariant: callers ask `FloatFormat::is_narrow` first.
    pub(super) fn unpack_narrow(&self) -> UnpackedFloat<u128> {
        self.unpack_with(u128::from(self.trailing_u64()))
    }

    /// Decomposes this value, for any format.
    pub(super) fn unpack_wide(&self) -> UnpackedFloat<UBig> {
        self.unpack_with(self.trailing_significand())
    }

    fn unpack_with<M: Magnitude>(&self, trailing: M) -> UnpackedFloat<M> {
        let (format, negative, field) = (self.format, self.sign(), self.exponent_field());
        let quantum = format.min_quantum();
        if field == format.special_exponent() {
            return if trailing.is_zero() { UnpackedFloat::Infinity(negative) } else { UnpackedFloat::Nan };
        }
        if field == 0 {
            return if trailing.is_zero() {
                UnpackedFloat::Zero(negative)
            } else {
                UnpackedFloat::Finite(FiniteFloat { negative, significand: trailing, exponent: quantum })
            };
        }
        let hidden = M::from_u64(1).shl(i64::from(format.sb() - 1));
        let exponent = quantum + field as i64 - 1;
        UnpackedFloat::Finite(FiniteFloat { negative, significand: hidden.plus(&trailing), exponent })
    }
}

/// Writes the standard's value terms: `(_ NaN eb sb)`, `(_ +oo eb sb)`, `(_ -oo eb sb)` or `(fp #b.. #b.. #b..)`.
impl fmt::Display for Float {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (eb, sb) = (self.format.eb(), self.format.sb());
        if self.is_nan() {
            return write!(f, "(_ NaN {eb} {sb})");
        }
        if self.is_infinite() {
            return write!(f, "(_ {}oo {eb} {sb})", if self.sign() { '-' } else { '+' });
        }
        let trailing = format!("{:b}", self.trailing_significand());
        write!(
            f,
            "(fp #b{} #b{:0exponent_width$b} #b{trailing:0>trailing_width$})",
            u8::from(self.sign()),
            self.exponent_field(),
            exponent_width = eb as usize,
            trailing_width = (sb - 1) as usize,
        )
    }
}

impl fmt::Debug for Float {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
