//! SMT-LIB floating-point numbers of any format: exact operations on exact integers, rounded once.
//!
//! The meaning is that of the theory FloatingPoint (SMT-LIB 2.6 and 2.7) and of Brain, Tinelli, Rümmer and Wahl,
//! *An Automatable Formal Semantics for IEEE-754 Floating-Point Arithmetic* (ARITH 2015), to which the theory defers.
//!
//! Every operation goes the same way: unpack the operands, compute the exact result as an integer times a power of two
//! (with one sticky bit for what lies below), and hand that to the one rounding function in `rounding.rs`.
//! Exponents that lie far apart never become shifts of that size, so nothing allocates 2^eb bits.
//!
//! Invariant: nothing here guesses. Where the standard leaves a value open the answer is [`UnknownFloat::Unspecified`].

mod arithmetic;
mod compare;
mod convert;
mod format;
mod hardware;
mod integral;
mod magnitude;
mod remainder;
mod rounding;
mod unpacked;
mod value;

pub use convert::MAX_EXACT_BITS;
pub use format::{FloatFormat, FormatError, MAX_EXPONENT_BITS, MAX_SIGNIFICAND_BITS};
pub use rounding::RoundingMode;
use thiserror::Error;
pub use value::Float;

/// No value: the standard gives none, or it exceeds a stated bound.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Error)]
pub enum UnknownFloat {
    /// Every interpretation of the theory may choose the value.
    #[error(transparent)]
    Unspecified(#[from] Unspecified),
    /// The value is defined, but too large to write exactly.
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
    /// `fp.min` or `fp.max` of zeros of different sign: either zero is allowed (IEEE 754-2008, 5.3.1).
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
