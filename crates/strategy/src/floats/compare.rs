//! Order, classification, minimum and maximum on encodings.

use super::packing::SmallFormat;
use super::terms::FloatTerms;
use smtlib::{Kind, TermId};

impl FloatTerms<'_> {
    /// `fp.abs`: NaN stays the single NaN, whose sign is plus.
    pub fn float_abs(&mut self, f: SmallFormat, x: TermId) -> TermId {
        let (sign, magnitude) = (self.zero(1), self.extract(x, f.width() - 2, 0));
        self.concat(&[sign, magnitude])
    }

    /// `fp.neg`.
    pub fn float_neg(&mut self, f: SmallFormat, x: TermId) -> TermId {
        let (nan, negative) = (self.is_nan(f, x), self.is_negative_bit(f, x));
        let positive = self.not(negative);
        let (sign, magnitude) = (self.bit(positive), self.extract(x, f.width() - 2, 0));
        let turned = self.concat(&[sign, magnitude]);
        self.ite(nan, x, turned)
    }

    /// `fp.lt`; with `or_equal`, `fp.leq`.
    pub fn float_less(&mut self, f: SmallFormat, x: TermId, y: TermId, or_equal: bool) -> TermId {
        let [nan_x, nan_y] = [x, y].map(|t| self.is_nan(f, t));
        let [zero_x, zero_y] = [x, y].map(|t| self.is_float_zero(f, t));
        let [minus_x, minus_y] = [x, y].map(|t| self.is_negative_bit(f, t));
        let [size_x, size_y] = [x, y].map(|t| self.extract(t, f.width() - 2, 0));
        let zeros = self.and(&[zero_x, zero_y]);
        // Encodings of the same sign are ordered like their magnitudes.
        let smaller = self.less(size_x, size_y);
        let larger = self.less(size_y, size_x);
        let same_sign = if or_equal {
            let (not_larger, not_smaller) = (self.not(larger), self.not(smaller));
            self.ite(minus_x, not_smaller, not_larger)
        } else {
            self.ite(minus_x, larger, smaller)
        };
        let differ = self.xor(minus_x, minus_y);
        let by_sign = self.ite(differ, minus_x, same_sign);
        let equal = self.truth(or_equal);
        let ordered = self.ite(zeros, equal, by_sign);
        let unordered = self.or(&[nan_x, nan_y]);
        let comparable = self.not(unordered);
        self.and(&[comparable, ordered])
    }

    /// `fp.eq`.
    pub fn float_equal(&mut self, f: SmallFormat, x: TermId, y: TermId) -> TermId {
        let nan = self.is_nan(f, x);
        let number = self.not(nan);
        let same = self.eq(x, y);
        let same_number = self.and(&[number, same]);
        let [zero_x, zero_y] = [x, y].map(|t| self.is_float_zero(f, t));
        let zeros = self.and(&[zero_x, zero_y]);
        self.or(&[same_number, zeros])
    }

    /// Returns a classification predicate of a float.
    pub fn float_class(&mut self, f: SmallFormat, kind: Kind, x: TermId) -> TermId {
        let field = self.exponent_field(f, x);
        let no_field = self.is_zero(field);
        let zero = self.is_float_zero(f, x);
        let nan = self.is_nan(f, x);
        let negative = self.is_negative_bit(f, x);
        match kind {
            Kind::FpIsNan => nan,
            Kind::FpIsZero => zero,
            Kind::FpIsInfinite => self.is_infinite(f, x),
            Kind::FpIsSubnormal => {
                let not_zero = self.not(zero);
                self.and(&[no_field, not_zero])
            }
            Kind::FpIsNormal => {
                let special = self.has_special_exponent(f, x);
                let other = self.or(&[no_field, special]);
                self.not(other)
            }
            Kind::FpIsNegative => {
                let number = self.not(nan);
                self.and(&[number, negative])
            }
            // The remaining class: `fp.isPositive`.
            _ => {
                let other = self.or(&[nan, negative]);
                self.not(other)
            }
        }
    }

    /// `fp.min`, or with `largest` `fp.max`; zeros of different sign yield `open`.
    pub fn float_extremum(&mut self, f: SmallFormat, x: TermId, y: TermId, largest: bool, open: TermId) -> TermId {
        let [nan_x, nan_y] = [x, y].map(|t| self.is_nan(f, t));
        let unspecified = self.opposite_zeros(f, x, y);
        let first = if largest { self.float_less(f, y, x, false) } else { self.float_less(f, x, y, false) };
        let number = self.ite(first, x, y);
        self.cases(&[(nan_x, y), (nan_y, x), (unspecified, open)], number)
    }

    /// Whether two floats are zeros of different sign.
    pub fn opposite_zeros(&mut self, f: SmallFormat, x: TermId, y: TermId) -> TermId {
        let [zero_x, zero_y] = [x, y].map(|t| self.is_float_zero(f, t));
        let [minus_x, minus_y] = [x, y].map(|t| self.is_negative_bit(f, t));
        let differ = self.xor(minus_x, minus_y);
        self.and(&[zero_x, zero_y, differ])
    }
}
