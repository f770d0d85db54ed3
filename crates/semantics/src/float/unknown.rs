//! The reasons why an operation on floats has no value we may rely on.

use thiserror::Error;

/// No value: either the standard gives none, or it is past a stated bound.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Error)]
pub enum UnknownFloat {
    /// Every interpretation of the theory may choose the value.
    #[error(transparent)]
    Unspecified(#[from] Unspecified),
    /// The value is defined but writing it down exactly would be too large.
    #[error("the exact value needs {bits} bits, more than the bound of {bound}")]
    TooLarge {
        /// Bits of the larger of numerator and denominator.
        bits: u64,
        /// The bound that was exceeded, in bits.
        bound: u64,
    },
}

/// Applications whose value the theory FloatingPoint leaves to the model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Error)]
pub enum Unspecified {
    /// `fp.min` or `fp.max` of zeros of different sign: either zero may come out (IEEE 754-2008, 5.3.1).
    #[error("fp.min and fp.max of +zero and -zero may be either zero")]
    ExtremumOfZeros,
    /// `fp.to_real`, `fp.to_ubv` and `fp.to_sbv` of NaN and infinities (note on conversions to other sorts).
    #[error("conversions of NaN and infinities to other sorts are unspecified")]
    NotFinite,
    /// `fp.to_ubv` and `fp.to_sbv` when the rounded integer does not fit (definition of these functions). The note before
    /// the definition calls all negative numbers out of the range of `fp.to_ubv`; the definition fixes the value of those
    /// that round to zero.
    #[error("the rounded integer is out of the range of the bit-vector")]
    OutOfRange,
    /// The extension `fp.to_ieee_bv` of NaN: many bit patterns encode it.
    #[error("NaN has many encodings as a bit-vector")]
    EncodingOfNan,
}
