//! Floats decomposed into class, sign, integer significand and exponent.

use super::format::FloatFormat;
use super::magnitude::Magnitude;
use super::rounding::{ExactReal, RoundingMode, round};
use super::value::Float;

/// A number by class; `true` in infinities and zeros is minus.
#[derive(Clone)]
pub(super) enum UnpackedFloat<M> {
    Nan,
    Infinity(bool),
    Zero(bool),
    Finite(FiniteFloat<M>),
}

/// A finite non-zero number: `significand` times two to `exponent`. The significand is not normalised.
#[derive(Clone)]
pub(super) struct FiniteFloat<M> {
    pub(super) negative: bool,
    pub(super) significand: M,
    pub(super) exponent: i64,
}

impl<M: Magnitude> FiniteFloat<M> {
    /// Position of the highest one plus one: the magnitude is at least two to `top - 1` and below two to `top`.
    pub(super) fn top(&self) -> i64 {
        self.exponent + self.significand.bit_len()
    }

    pub(super) fn round(self, format: FloatFormat, mode: RoundingMode) -> Float {
        let FiniteFloat { negative, significand, exponent } = self;
        round(ExactReal { negative, significand, exponent, sticky: false }, format, mode)
    }
}

impl<M: Magnitude> UnpackedFloat<M> {
    /// Returns the number itself in `format`, rounded if it has to be.
    pub(super) fn round(self, format: FloatFormat, mode: RoundingMode) -> Float {
        match self {
            UnpackedFloat::Nan => Float::nan(format),
            UnpackedFloat::Infinity(negative) => Float::infinity(format, negative),
            UnpackedFloat::Zero(negative) => Float::zero(format, negative),
            UnpackedFloat::Finite(finite) => finite.round(format, mode),
        }
    }

    pub(super) fn negated(self) -> UnpackedFloat<M> {
        match self {
            UnpackedFloat::Nan => UnpackedFloat::Nan,
            UnpackedFloat::Infinity(negative) => UnpackedFloat::Infinity(!negative),
            UnpackedFloat::Zero(negative) => UnpackedFloat::Zero(!negative),
            UnpackedFloat::Finite(finite) => {
                UnpackedFloat::Finite(FiniteFloat { negative: !finite.negative, ..finite })
            }
        }
    }
}
