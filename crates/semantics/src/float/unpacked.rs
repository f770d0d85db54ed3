//! Floats taken apart into class, sign, integer significand and exponent.

use super::format::Format;
use super::magnitude::Magnitude;
use super::rounding::{Exact, RoundingMode, round};
use super::value::Float;

/// A number by class; `true` in infinities and zeros is minus.
#[derive(Clone)]
pub(super) enum Unpacked<M> {
    Nan,
    Infinity(bool),
    Zero(bool),
    Finite(Finite<M>),
}

/// A finite non-zero number: `significand` times two to `exponent`. The significand is not normalised.
#[derive(Clone)]
pub(super) struct Finite<M> {
    pub(super) negative: bool,
    pub(super) significand: M,
    pub(super) exponent: i64,
}

impl<M: Magnitude> Finite<M> {
    /// Position of the highest one plus one: the magnitude is at least two to `top - 1` and below two to `top`.
    pub(super) fn top(&self) -> i64 {
        self.exponent + self.significand.bit_len()
    }

    pub(super) fn round(self, format: Format, mode: RoundingMode) -> Float {
        let Finite { negative, significand, exponent } = self;
        round(Exact { negative, significand, exponent, sticky: false }, format, mode)
    }
}

impl<M: Magnitude> Unpacked<M> {
    /// The number itself in `format`, rounded if it has to be.
    pub(super) fn round(self, format: Format, mode: RoundingMode) -> Float {
        match self {
            Unpacked::Nan => Float::nan(format),
            Unpacked::Infinity(negative) => Float::infinity(format, negative),
            Unpacked::Zero(negative) => Float::zero(format, negative),
            Unpacked::Finite(finite) => finite.round(format, mode),
        }
    }

    pub(super) fn negated(self) -> Unpacked<M> {
        match self {
            Unpacked::Nan => Unpacked::Nan,
            Unpacked::Infinity(negative) => Unpacked::Infinity(!negative),
            Unpacked::Zero(negative) => Unpacked::Zero(!negative),
            Unpacked::Finite(finite) => Unpacked::Finite(Finite { negative: !finite.negative, ..finite }),
        }
    }
}
