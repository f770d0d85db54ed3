//! Floats as bit-vectors: the interchange encoding with a single NaN, unpacked into sign, exponent and normalised significand, and packed
//! by the one circuit that rounds.
//!
//! The design follows Brain, Schanda and Sun, "Building Better Bit-Blasting for Floating-Point Problems" (TACAS 2019).

use super::terms::{FloatTerms, bits};
use semantics::float::RoundingMode;
use smtlib::TermId;

/// A format with exponents small enough for machine arithmetic on them.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct SmallFormat {
    /// Exponent bits, 2 to 60.
    pub eb: u32,
    /// Significand bits, including the hidden one, at least 2.
    pub sb: u32,
}

impl SmallFormat {
    /// Returns the exponent of the largest finite binade; also the bias.
    pub fn max_exponent(self) -> i64 {
        (1 << (self.eb - 1)) - 1
    }

    /// Returns the exponent of the least normal number.
    pub fn min_exponent(self) -> i64 {
        1 - self.max_exponent()
    }

    /// Returns an exponent below those of all numbers, including subnormal ones: that of zero.
    pub fn zero_exponent(self) -> i64 {
        self.min_exponent() - i64::from(self.sb)
    }

    /// Returns the width of signed exponents, enough for sums of two and for the shifts of every operator.
    pub fn exponent_width(self) -> u32 {
        bits((1u64 << self.eb) + 8 * u64::from(self.sb) + 64) + 2
    }

    /// Returns the width of the encoding.
    pub fn width(self) -> u32 {
        self.eb + self.sb
    }
}

/// An unpacked float. All fields except the classes are meaningful for numbers only; zero has significand zero and the exponent
/// [`SmallFormat::zero_exponent`], other numbers have a leading one.
#[derive(Clone, Copy)]
pub(super) struct FloatParts {
    pub nan: TermId,
    pub infinite: TermId,
    pub zero: TermId,
    /// Whether the sign is minus.
    pub negative: TermId,
    /// The exponent of the leading bit, signed, [`SmallFormat::exponent_width`] wide.
    pub exponent: TermId,
    /// sb bits.
    pub significand: TermId,
}

/// A nonzero number to round: `significand` times two to `exponent`. If the last bit of the significand is sticky, the significand has at
/// least two bits more than the format after its leading one.
#[derive(Clone, Copy)]
pub(super) struct UnroundedNumber {
    pub negative: TermId,
    /// Signed; the exponent of the last bit.
    pub exponent: TermId,
    pub significand: TermId,
}

/// Special values.
impl FloatTerms<'_> {
    pub fn nan(&mut self, f: SmallFormat) -> TermId {
        let (sign, ones, one) = (self.zero(1), self.ones(f.eb), self.constant(1, 1));
        let trailing = self.append_zeros(one, f.sb - 2);
        self.concat(&[sign, ones, trailing])
    }

    pub fn infinity(&mut self, f: SmallFormat, negative: TermId) -> TermId {
        let (sign, ones) = (self.bit(negative), self.ones(f.eb));
        let ones = self.append_zeros(ones, f.sb - 1);
        self.concat(&[sign, ones])
    }

    pub fn signed_zero(&mut self, f: SmallFormat, negative: TermId) -> TermId {
        let sign = self.bit(negative);
        self.append_zeros(sign, f.width() - 1)
    }

    pub fn mode(&mut self, mode: RoundingMode) -> TermId {
        let number = RoundingMode::ALL.iter().position(|&m| m == mode).unwrap_or(0);
        self.constant(MODE_BITS, number as i64)
    }

    pub fn is_mode(&mut self, term: TermId, mode: RoundingMode) -> TermId {
        let constant = self.mode(mode);
        self.eq(term, constant)
    }
}

/// Rounding modes are numbered in the order of `RoundingMode::ALL`, in this number of bits.
pub(super) const MODE_BITS: u32 = 3;

/// Classes of encodings.
impl FloatTerms<'_> {
    /// Returns the encoding with every NaN replaced by the single one.
    pub fn canonical(&mut self, f: SmallFormat, encoding: TermId) -> TermId {
        let (is_nan, nan) = (self.is_nan(f, encoding), self.nan(f));
        self.ite(is_nan, nan, encoding)
    }

    pub fn exponent_field(&mut self, f: SmallFormat, x: TermId) -> TermId {
        self.extract(x, f.width() - 2, f.sb - 1)
    }

    pub fn trailing(&mut self, f: SmallFormat, x: TermId) -> TermId {
        self.extract(x, f.sb - 2, 0)
    }

    pub fn is_negative_bit(&mut self, f: SmallFormat, x: TermId) -> TermId {
        self.test(x, f.width() - 1)
    }

    pub fn has_special_exponent(&mut self, f: SmallFormat, x: TermId) -> TermId {
        let (field, ones) = (self.exponent_field(f, x), self.ones(f.eb));
        self.eq(field, ones)
    }

    pub fn is_nan(&mut self, f: SmallFormat, x: TermId) -> TermId {
        let trailing = self.trailing(f, x);
        let (special, nonzero) = (self.has_special_exponent(f, x), self.is_nonzero(trailing));
        self.and(&[special, nonzero])
    }

    pub fn is_infinite(&mut self, f: SmallFormat, x: TermId) -> TermId {
        let trailing = self.trailing(f, x);
        let (special, zero) = (self.has_special_exponent(f, x), self.is_zero(trailing));
        self.and(&[special, zero])
    }

    pub fn is_float_zero(&mut self, f: SmallFormat, x: TermId) -> TermId {
        let magnitude = self.extract(x, f.width() - 2, 0);
        self.is_zero(magnitude)
    }

    pub fn unpack(&mut self, f: SmallFormat, x: TermId) -> FloatParts {
        let (field, trailing) = (self.exponent_field(f, x), self.trailing(f, x));
        let subnormal = self.is_zero(field);
        let zero = self.is_float_zero(f, x);
        let not_subnormal = self.not(subnormal);
        let hidden = self.bit(not_subnormal);
        let raw = self.concat(&[hidden, trailing]);
        let (significand, shift) = self.normalise(raw);
        let width = f.exponent_width();
        let wide = self.widen(field, width);
        let normal = self.plus(wide, -f.max_exponent());
        let least = self.constant(width, f.min_exponent());
        let base = self.ite(subnormal, least, normal);
        let shift = self.widen(shift, width);
        let shifted = self.sub(base, shift);
        let lowest = self.constant(width, f.zero_exponent());
        FloatParts {
            nan: self.is_nan(f, x),
            infinite: self.is_infinite(f, x),
            zero,
            negative: self.is_negative_bit(f, x),
            exponent: self.ite(zero, lowest, shifted),
            significand,
        }
    }

    /// Whether to round away from zero, given the last kept bit, the first dropped one and whether further dropped bits are nonzero.
    pub fn rounds_up(&mut self, mode: TermId, negative: TermId, last: TermId, half: TermId, rest: TermId) -> TermId {
        use RoundingMode::*;
        let [rne, rna, rtp, rtn] = [Rne, Rna, Rtp, Rtn].map(|m| self.is_mode(mode, m));
        let odd_or_more = self.or(&[last, rest]);
        let to_even = self.and(&[rne, half, odd_or_more]);
        let away = self.and(&[rna, half]);
        let inexact = self.or(&[half, rest]);
        let positive = self.not(negative);
        let up = self.and(&[rtp, positive, inexact]);
        let down = self.and(&[rtn, negative, inexact]);
        self.or(&[to_even, away, up, down])
    }

    /// Returns the encoding of the format's number to which `exact` rounds.
    pub fn round(&mut self, f: SmallFormat, mode: TermId, exact: UnroundedNumber) -> TermId {
        let UnroundedNumber { negative, mut exponent, mut significand } = exact;
        let missing = (f.sb + 2).saturating_sub(self.width(significand));
        significand = self.append_zeros(significand, missing);
        let length = self.width(significand);
        let width = self.width(exponent).max(f.exponent_width()).max(bits(u64::from(length)) + 2) + 2;
        exponent = self.widen_signed(exponent, width);
        let (significand, shift) = self.normalise(significand);
        let shift = self.widen(shift, width);
        let top = self.plus(exponent, i64::from(length) - 1 - i64::from(missing));
        let exponent = self.sub(top, shift);

        // A subnormal result is shifted to the least quantum; one bit past the first dropped one everything is sticky.
        let subnormal = self.below(exponent, f.min_exponent());
        let least = self.constant(width, f.min_exponent());
        let short = self.sub(least, exponent);
        let none = self.zero(width);
        let short = self.ite(subnormal, short, none);
        let short = self.capped(short, f.sb + 1);
        let (significand, lost) = self.shift_out(significand, short);

        let kept = self.extract(significand, length - 1, length - f.sb);
        let half = self.test(significand, length - f.sb - 1);
        let below = self.extract(significand, length - f.sb - 2, 0);
        let below = self.is_nonzero(below);
        let rest = self.or(&[below, lost]);
        let last = self.test(kept, 0);
        let up = self.rounds_up(mode, negative, last, half, rest);

        // The hidden bit of a normal number adds one to the exponent field, and so does a carry, up to infinity.
        let biased = self.plus(exponent, f.max_exponent() - 1);
        let field = self.extract(biased, f.eb - 1, 0);
        let no_field = self.zero(f.eb);
        let field = self.ite(subnormal, no_field, field);
        let field = self.append_zeros(field, f.sb - 1);
        let kept = self.widen(kept, f.width() - 1);
        let up = self.bit(up);
        let up = self.widen(up, f.width() - 1);
        let sum = self.add(field, kept);
        let magnitude = self.add(sum, up);

        let overflow = {
            let largest = self.constant(width, f.max_exponent());
            self.less_signed(largest, exponent)
        };
        let limit = self.overflowed(f, mode, negative);
        let magnitude = self.ite(overflow, limit, magnitude);
        let sign = self.bit(negative);
        self.concat(&[sign, magnitude])
    }

    /// Returns the bits below the sign of an overflowed number: infinity's or the largest number's (IEEE 754-2008, 7.4).
    fn overflowed(&mut self, f: SmallFormat, mode: TermId, negative: TermId) -> TermId {
        use RoundingMode::*;
        let [rne, rna, rtp, rtn] = [Rne, Rna, Rtp, Rtn].map(|m| self.is_mode(mode, m));
        let positive = self.not(negative);
        let up = self.and(&[rtp, positive]);
        let down = self.and(&[rtn, negative]);
        let infinite = self.or(&[rne, rna, up, down]);
        let ones = self.ones(f.eb);
        let infinity = self.append_zeros(ones, f.sb - 1);
        let largest = self.plus(infinity, -1);
        self.ite(infinite, infinity, largest)
    }
}
