//! Rounding to integers, the remainder, and conversions between formats and from and to bit-vectors.

use super::packing::{SmallFormat, UnroundedNumber};
use super::terms::{FloatTerms, bits};
use semantics::float::RoundingMode;
use smtlib::TermId;

impl FloatTerms<'_> {
    /// `fp.roundToIntegral`; a zero result keeps the sign (IEEE 754-2008, 5.9).
    pub fn float_integral(&mut self, f: SmallFormat, mode: TermId, x: TermId) -> TermId {
        let a = self.unpack(f, x);
        // The number of bits after the point: all of them and one more represents any larger number.
        let last = i64::from(f.sb) - 1;
        let integral = {
            let below = self.below(a.exponent, last);
            self.not(below)
        };
        let all = self.constant(self.width(a.exponent), last);
        let behind = self.sub(all, a.exponent);
        let none = self.zero(self.width(a.exponent));
        let behind = self.ite(integral, none, behind);
        let behind = self.capped(behind, f.sb + 1);
        let wide = self.append_zeros(a.significand, 2);
        let (shifted, lost) = self.shift_out(wide, behind);
        let kept = self.extract(shifted, f.sb + 1, 2);
        let half = self.test(shifted, 1);
        let low = self.test(shifted, 0);
        let rest = self.or(&[low, lost]);
        let odd = self.test(kept, 0);
        let up = self.rounds_up(mode, a.negative, odd, half, rest);
        let kept = self.widen(kept, f.sb + 1);
        let up = self.bit(up);
        let up = self.widen(up, f.sb + 1);
        let significand = self.add(kept, up);
        let exponent = self.zero(f.exponent_width());
        let rounded = self.round(f, mode, UnroundedNumber { negative: a.negative, exponent, significand });
        let nought = self.is_zero(significand);
        let zero = self.signed_zero(f, a.negative);
        let itself = self.or(&[a.nan, a.infinite, a.zero, integral]);
        self.cases(&[(itself, x), (nought, zero)], rounded)
    }

    /// `fp.rem`: x - y n with n the integer nearest to x / y, even in case of a tie. The circuit has a step for every possible difference
    /// of exponents.
    pub fn float_rem(&mut self, f: SmallFormat, x: TermId, y: TermId) -> TermId {
        let (a, b) = (self.unpack(f, x), self.unpack(f, y));
        let distance = self.sub(a.exponent, b.exponent);
        let width = f.sb + 1;
        let divisor = self.widen(b.significand, width);
        let mut residue = self.widen(a.significand, width);
        let mut odd = self.truth(false);
        for step in (0..=remainder_steps(f)).rev() {
            let below = self.below(distance, step as i64);
            let active = self.not(below);
            let too_small = self.less(residue, divisor);
            let fits = self.not(too_small);
            let less = self.sub(residue, divisor);
            let mut next = self.ite(fits, less, residue);
            if step > 0 {
                let low = self.extract(next, width - 2, 0);
                next = self.append_zeros(low, 1);
            }
            residue = self.ite(active, next, residue);
            odd = self.ite(active, fits, odd);
        }
        // In halves of the last place, so a dividend one binade below the divisor needs no fraction.
        let half_divisor = self.widen(divisor, width + 1);
        let single = self.widen(residue, width + 1);
        let double = self.append_zeros(residue, 1);
        let lower = self.below(distance, 0);
        let residue = self.ite(lower, single, double);
        let above = self.less(half_divisor, residue);
        let tie = self.eq(half_divisor, residue);
        let to_even = self.and(&[tie, odd]);
        let up = self.or(&[above, to_even]);
        let whole = self.extract(half_divisor, width - 1, 0);
        let whole = self.append_zeros(whole, 1);
        let rest = self.sub(whole, residue);
        let significand = self.ite(up, rest, residue);
        let negative = self.xor(a.negative, up);
        let exponent = self.plus(b.exponent, -i64::from(f.sb));
        // The remainder is exact, so every mode gives the same result.
        let mode = self.mode(RoundingMode::Rne);
        let rounded = self.round(f, mode, UnroundedNumber { negative, exponent, significand });

        let invalid = self.or(&[a.nan, b.nan, a.infinite, b.zero]);
        let nan = self.nan(f);
        let far = self.below(distance, -1);
        let itself = self.or(&[b.infinite, a.zero, far]);
        let nought = self.is_zero(significand);
        let zero = self.signed_zero(f, a.negative);
        self.cases(&[(invalid, nan), (itself, x), (nought, zero)], rounded)
    }

    /// `((_ to_fp eb sb) rm x)` for a float of format `from`.
    pub fn float_to_format(&mut self, from: SmallFormat, to: SmallFormat, mode: TermId, x: TermId) -> TermId {
        if from == to {
            return x;
        }
        let a = self.unpack(from, x);
        let exponent = self.plus(a.exponent, 1 - i64::from(from.sb));
        let exact = UnroundedNumber { negative: a.negative, exponent, significand: a.significand };
        let rounded = self.round(to, mode, exact);
        let (nan, infinity) = (self.nan(to), self.infinity(to, a.negative));
        let zero = self.signed_zero(to, a.negative);
        self.cases(&[(a.nan, nan), (a.infinite, infinity), (a.zero, zero)], rounded)
    }

    /// `to_fp` for a signed, `to_fp_unsigned` for an unsigned bit-vector.
    pub fn float_from_bits(&mut self, f: SmallFormat, mode: TermId, integer: TermId, signed: bool) -> TermId {
        let width = self.width(integer);
        let negative = if signed { self.test(integer, width - 1) } else { self.truth(false) };
        // The least signed number is its own negation, and correct as a magnitude.
        let negated = self.neg(integer);
        let significand = self.ite(negative, negated, integer);
        let exponent = self.zero(bits(u64::from(width)) + 2);
        let rounded = self.round(f, mode, UnroundedNumber { negative, exponent, significand });
        let nought = self.is_zero(integer);
        let positive = self.truth(false);
        let zero = self.signed_zero(f, positive);
        self.ite(nought, zero, rounded)
    }

    /// `fp.to_ubv` and `fp.to_sbv` with `width` bits, and whether the value is specified: the number is finite and its rounded integer
    /// fits. A negative number that rounds to zero fits an unsigned vector, by the definition.
    pub fn float_to_bits(
        &mut self,
        f: SmallFormat,
        mode: TermId,
        x: TermId,
        width: u32,
        signed: bool,
    ) -> (TermId, TermId) {
        let a = self.unpack(f, x);
        // A fixed-point number: one bit more than the target before the point, the whole significand and one bit after it.
        let behind = f.sb + 1;
        let total = width + 1 + behind;
        let placed = self.append_zeros(a.significand, 2);
        let placed = self.widen(placed, total.max(f.sb + 2));
        let below_one = self.below(a.exponent, 0);
        let half_or_more = {
            let below_half = self.below(a.exponent, -1);
            self.not(below_half)
        };
        let too_large = {
            let below = self.below(a.exponent, i64::from(width) + 1);
            self.not(below)
        };
        let clipped = self.or(&[below_one, too_large]);
        let none = self.zero(self.width(a.exponent));
        let distance = self.ite(clipped, none, a.exponent);
        let distance = self.capped(distance, width);
        let shifted = self.shift_front(placed, distance);
        let integer = self.extract(shifted, total - 1, behind);
        let half = self.test(shifted, behind - 1);
        let rest = self.extract(shifted, behind - 2, 0);
        let rest = self.is_nonzero(rest);
        let one_half = {
            let tail = self.extract(a.significand, f.sb - 2, 0);
            self.is_nonzero(tail)
        };
        // Below one the integer part is zero, and the leading bit is the half or below it.
        let no_integer = self.zero(width + 1);
        let integer = self.ite(below_one, no_integer, integer);
        let half = self.ite(below_one, half_or_more, half);
        let truth = self.truth(true);
        let small_rest = self.ite(half_or_more, one_half, truth);
        let rest = self.ite(below_one, small_rest, rest);
        let odd = self.test(integer, 0);
        let up = self.rounds_up(mode, a.negative, odd, half, rest);
        let integer = self.widen(integer, width + 2);
        let up = self.bit(up);
        let up = self.widen(up, width + 2);
        let magnitude = self.add(integer, up);
        let vector = self.extract(magnitude, width - 1, 0);
        let negated = self.neg(vector);
        let result = self.ite(a.negative, negated, vector);

        let high = self.extract(magnitude, width + 1, width);
        let fits_width = self.is_zero(high);
        let in_range = if signed {
            let top = self.test(magnitude, width - 1);
            let small = self.not(top);
            let least = if width == 1 {
                top
            } else {
                let low = self.extract(magnitude, width - 2, 0);
                let low = self.is_zero(low);
                self.and(&[top, low])
            };
            let least = self.and(&[a.negative, least]);
            let either = self.or(&[small, least]);
            self.and(&[fits_width, either])
        } else {
            let below_zero = self.is_nonzero(magnitude);
            let below_zero = self.and(&[a.negative, below_zero]);
            let not_below_zero = self.not(below_zero);
            self.and(&[fits_width, not_below_zero])
        };
        let infinite_or_nan = self.or(&[a.nan, a.infinite]);
        let finite = self.not(infinite_or_nan);
        let not_large = self.not(too_large);
        let number = self.and(&[finite, not_large, in_range]);
        let specified = self.or(&[a.zero, number]);
        let zero = self.zero(width);
        (self.ite(a.zero, zero, result), specified)
    }

    /// Returns `a` shifted left by `amount`.
    fn shift_front(&mut self, a: TermId, amount: TermId) -> TermId {
        let width = self.width(a);
        let mut word = a;
        for stage in 0..self.width(amount) {
            let by = 1u64.checked_shl(stage).unwrap_or(u64::MAX);
            let shifts = self.test(amount, stage);
            let shifted = if by >= u64::from(width) {
                self.zero(width)
            } else {
                let low = self.extract(word, width - 1 - by as u32, 0);
                self.append_zeros(low, by as u32)
            };
            word = self.ite(shifts, shifted, word);
        }
        word
    }
}

/// Returns the largest difference of the exponents of two numbers.
pub(super) fn remainder_steps(f: SmallFormat) -> u64 {
    (f.max_exponent() - f.min_exponent()) as u64 + u64::from(f.sb) - 1
}
