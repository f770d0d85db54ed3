//! Addition, multiplication, division, fused multiply-add, square root: exact results, rounded once.

use super::packing::{FloatParts, SmallFormat, UnroundedNumber};
use super::terms::FloatTerms;
use semantics::float::RoundingMode;
use smtlib::TermId;

/// A summand: a significand with a leading one, or zero with an exponent below all others.
#[derive(Clone, Copy)]
struct Summand {
    negative: TermId,
    /// The exponent of the leading bit.
    exponent: TermId,
    significand: TermId,
}

/// The conditions for special results.
#[derive(Clone, Copy)]
struct Special {
    invalid: TermId,
    infinite: TermId,
    zero: TermId,
}

impl FloatTerms<'_> {
    /// `fp.add`; with `minus`, `fp.sub`.
    pub fn float_add(&mut self, f: SmallFormat, mode: TermId, x: TermId, y: TermId, minus: bool) -> TermId {
        let a = self.unpack(f, x);
        let mut b = self.unpack(f, y);
        if minus {
            b.negative = self.not(b.negative);
        }
        let sum = self.sum(f, mode, summand(&a), summand(&b));
        let clash = self.xor(a.negative, b.negative);
        let opposite = self.and(&[a.infinite, b.infinite, clash]);
        let invalid = self.or(&[a.nan, b.nan, opposite]);
        let nan = self.nan(f);
        let left = self.infinity(f, a.negative);
        let right = self.infinity(f, b.negative);
        self.cases(&[(invalid, nan), (a.infinite, left), (b.infinite, right)], sum)
    }

    /// Returns the rounded sum of two summands of equal widths. The sign of an exact zero follows theirs (IEEE 754-2008, 6.3).
    fn sum(&mut self, f: SmallFormat, mode: TermId, a: Summand, b: Summand) -> TermId {
        let precision = self.width(a.significand);
        let swap = self.less_signed(a.exponent, b.exponent);
        let large = self.choose(swap, b, a);
        let small = self.choose(swap, a, b);
        let distance = self.sub(large.exponent, small.exponent);
        // Three extra bits suffice for the cancellation of one bit and the rounding; if more bits cancel, the summands are so close that
        // none is lost.
        let distance = self.capped(distance, precision + 3);
        let [major, minor] = [large, small].map(|s| {
            let wide = self.widen(s.significand, precision + 1);
            self.append_zeros(wide, 3)
        });
        let (minor, lost) = self.shift_out(minor, distance);
        let minor = self.stick(minor, lost);
        let subtract = self.xor(large.negative, small.negative);
        let difference = self.sub(major, minor);
        let total = self.add(major, minor);
        // Only equal exponents can yield the wrong sign, since either significand may be the larger.
        let smaller = self.less(major, minor);
        let turned = self.and(&[subtract, smaller]);
        let positive = self.neg(difference);
        let difference = self.ite(smaller, positive, difference);
        let significand = self.ite(subtract, difference, total);
        let negative = self.xor(large.negative, turned);
        let exponent = self.plus(large.exponent, -i64::from(precision) - 2);
        let rounded = self.round(f, mode, UnroundedNumber { negative, exponent, significand });

        let is_zero = self.is_zero(significand);
        let differ = self.xor(a.negative, b.negative);
        let down = self.is_mode(mode, RoundingMode::Rtn);
        let sign = self.ite(differ, down, a.negative);
        let zero = self.signed_zero(f, sign);
        self.ite(is_zero, zero, rounded)
    }

    fn choose(&mut self, c: TermId, a: Summand, b: Summand) -> Summand {
        Summand {
            negative: self.ite(c, a.negative, b.negative),
            exponent: self.ite(c, a.exponent, b.exponent),
            significand: self.ite(c, a.significand, b.significand),
        }
    }

    /// Returns the exact product: its sign, the exponent of its last bit and twice as many significand bits.
    fn product(&mut self, f: SmallFormat, a: &FloatParts, b: &FloatParts) -> UnroundedNumber {
        let [x, y] = [a, b].map(|u| self.widen(u.significand, 2 * f.sb));
        let significand = self.mul(x, y);
        let exponents = self.add(a.exponent, b.exponent);
        UnroundedNumber {
            negative: self.xor(a.negative, b.negative),
            exponent: self.plus(exponents, -2 * (i64::from(f.sb) - 1)),
            significand,
        }
    }

    /// `fp.mul`.
    pub fn float_mul(&mut self, f: SmallFormat, mode: TermId, x: TermId, y: TermId) -> TermId {
        let (a, b) = (self.unpack(f, x), self.unpack(f, y));
        let product = self.product(f, &a, &b);
        let rounded = self.round(f, mode, product);
        let invalid = self.invalid_product(&a, &b);
        let infinite = self.or(&[a.infinite, b.infinite]);
        let zero = self.or(&[a.zero, b.zero]);
        self.special(f, product.negative, Special { invalid, infinite, zero }, rounded)
    }

    /// Whether a product is NaN: of NaN, or of zero and infinity.
    fn invalid_product(&mut self, a: &FloatParts, b: &FloatParts) -> TermId {
        let left = self.and(&[a.infinite, b.zero]);
        let right = self.and(&[a.zero, b.infinite]);
        self.or(&[a.nan, b.nan, left, right])
    }

    /// Returns NaN, an infinity or a zero under these conditions, else `number`.
    fn special(&mut self, f: SmallFormat, negative: TermId, when: Special, number: TermId) -> TermId {
        let nan = self.nan(f);
        let infinity = self.infinity(f, negative);
        let nought = self.signed_zero(f, negative);
        self.cases(&[(when.invalid, nan), (when.infinite, infinity), (when.zero, nought)], number)
    }

    /// `fp.div`.
    pub fn float_div(&mut self, f: SmallFormat, mode: TermId, x: TermId, y: TermId) -> TermId {
        let (a, b) = (self.unpack(f, x), self.unpack(f, y));
        // The quotient of two significands is between a half and two, so this leaves two extra bits.
        let shift = f.sb + 2;
        let dividend = self.append_zeros(a.significand, shift);
        let divisor = self.widen(b.significand, f.sb + shift);
        let quotient = self.div(dividend, divisor);
        let remainder = self.rem(dividend, divisor);
        let inexact = self.is_nonzero(remainder);
        let quotient = self.extract(quotient, shift, 0);
        let sticky = self.bit(inexact);
        let significand = self.concat(&[quotient, sticky]);
        let exponents = self.sub(a.exponent, b.exponent);
        let exponent = self.plus(exponents, -i64::from(shift) - 1);
        let negative = self.xor(a.negative, b.negative);
        let rounded = self.round(f, mode, UnroundedNumber { negative, exponent, significand });

        let infinities = self.and(&[a.infinite, b.infinite]);
        let zeros = self.and(&[a.zero, b.zero]);
        let invalid = self.or(&[a.nan, b.nan, infinities, zeros]);
        let infinite = self.or(&[a.infinite, b.zero]);
        let zero = self.or(&[a.zero, b.infinite]);
        self.special(f, negative, Special { invalid, infinite, zero }, rounded)
    }

    /// `fp.fma`: x times y plus z, rounded once.
    pub fn float_fma(&mut self, f: SmallFormat, mode: TermId, x: TermId, y: TermId, z: TermId) -> TermId {
        let (a, b, c) = (self.unpack(f, x), self.unpack(f, y), self.unpack(f, z));
        let product = self.product(f, &a, &b);
        let none = self.or(&[a.zero, b.zero]);
        // The product of two significands has its leading one in the first or the second bit.
        let first = self.test(product.significand, 2 * f.sb - 1);
        let short = self.extract(product.significand, 2 * f.sb - 2, 0);
        let doubled = self.append_zeros(short, 1);
        let significand = self.ite(first, product.significand, doubled);
        let leading = self.plus(product.exponent, 2 * i64::from(f.sb) - 1);
        let lower = self.plus(leading, -1);
        let exponent = self.ite(first, leading, lower);
        // Zero needs an exponent below all others, and the least product is far below the least number.
        let lowest = self.constant(f.exponent_width(), 2 * f.zero_exponent() - 2);
        let product_part =
            Summand { negative: product.negative, exponent: self.ite(none, lowest, exponent), significand };
        let addend = Summand {
            negative: c.negative,
            exponent: self.ite(c.zero, lowest, c.exponent),
            significand: self.append_zeros(c.significand, f.sb),
        };
        let sum = self.sum(f, mode, product_part, addend);

        let infinite = self.or(&[a.infinite, b.infinite]);
        let clash = self.xor(product.negative, c.negative);
        let opposite = self.and(&[infinite, c.infinite, clash]);
        let product_invalid = self.invalid_product(&a, &b);
        let invalid = self.or(&[product_invalid, c.nan, opposite]);
        let nan = self.nan(f);
        let left = self.infinity(f, product.negative);
        let right = self.infinity(f, c.negative);
        self.cases(&[(invalid, nan), (infinite, left), (c.infinite, right)], sum)
    }

    /// `fp.sqrt`.
    pub fn float_sqrt(&mut self, f: SmallFormat, mode: TermId, x: TermId) -> TermId {
        let a = self.unpack(f, x);
        // The radicand is the significand shifted so that its exponent is even and its root has two extra bits.
        let odd = self.test(a.exponent, 0);
        let long = self.append_zeros(a.significand, f.sb + 4);
        let short = self.append_zeros(a.significand, f.sb + 3);
        let short = self.widen(short, 2 * f.sb + 4);
        let radicand = self.ite(odd, long, short);
        let (root, inexact) = self.integer_root(radicand, f.sb + 2);
        let sticky = self.bit(inexact);
        let significand = self.concat(&[root, sticky]);
        let doubled = self.plus(a.exponent, -2 * i64::from(f.sb) - 2);
        let width = self.width(doubled);
        let halved = self.extract(doubled, width - 1, 1);
        let exponent = self.plus(halved, -1);
        let negative = self.truth(false);
        let rounded = self.round(f, mode, UnroundedNumber { negative, exponent, significand });
        let not_zero = self.not(a.zero);
        let imaginary = self.and(&[a.negative, not_zero]);
        let invalid = self.or(&[a.nan, imaginary]);
        let nan = self.nan(f);
        let itself = self.or(&[a.zero, a.infinite]);
        self.cases(&[(invalid, nan), (itself, x)], rounded)
    }

    /// Returns the integer square root of a vector of `2 * digits` bits, and whether there is a remainder, digit by digit.
    fn integer_root(&mut self, radicand: TermId, digits: u32) -> (TermId, TermId) {
        // The partial remainder is at most twice the partial root.
        let width = digits + 2;
        let mut root = self.zero(digits);
        let mut remainder = self.zero(width);
        for digit in (0..digits).rev() {
            let pair = self.extract(radicand, 2 * digit + 1, 2 * digit);
            let low = self.extract(remainder, width - 3, 0);
            remainder = self.concat(&[low, pair]);
            // Four times the root so far, plus one.
            let one = self.constant(2, 1);
            let trial = self.concat(&[root, one]);
            let too_large = self.less(remainder, trial);
            let fits = self.not(too_large);
            let rest = self.sub(remainder, trial);
            remainder = self.ite(fits, rest, remainder);
            let bit = self.bit(fits);
            root = if digits == 1 {
                bit
            } else {
                let low = self.extract(root, digits - 2, 0);
                self.concat(&[low, bit])
            };
        }
        let inexact = self.is_nonzero(remainder);
        (root, inexact)
    }
}

fn summand(u: &FloatParts) -> Summand {
    Summand { negative: u.negative, exponent: u.exponent, significand: u.significand }
}
