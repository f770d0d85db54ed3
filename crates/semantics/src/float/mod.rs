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
mod unknown;
mod unpacked;
mod value;

pub use convert::MAX_EXACT_BITS;
pub use format::{FloatFormat, FormatError, MAX_EXPONENT_BITS, MAX_SIGNIFICAND_BITS};
pub use rounding::RoundingMode;
pub use unknown::{UnknownFloat, Unspecified};
pub use value::Float;
