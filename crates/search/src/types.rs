//! The types of the program's values, and their representation: one machine word, or several. Also the patterns and the order of floats of
//! native formats and of rounding modes.

use semantics::float::{FloatFormat, RoundingMode};
use smtlib::{Sort, SortId, Store};

/// The number of bits of a word.
pub const WORD: u32 = 64;

/// The single NaN of Float32.
pub const NAN32: u64 = 0x7fc0_0000;

/// The single NaN of Float64.
pub const NAN64: u64 = 0x7ff8_0000_0000_0000;

/// The type of a value.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Ty {
    /// A truth value, the word 0 or 1.
    Bool,
    /// A bit-vector of this width, at least 1; bits above it are zero.
    Bits(u32),
    /// A float in its IEEE encoding. NaN has its single canonical pattern wherever the pattern can be seen.
    Float(FloatFormat),
    /// A rounding mode by its index in [`RoundingMode::ALL`](semantics::float::RoundingMode::ALL).
    Mode,
}

/// The formats the processor computes with.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum NativeFormat {
    /// Float32.
    Single,
    /// Float64.
    Double,
}

impl NativeFormat {
    /// Returns the number of bits of the encoding.
    pub fn width(self) -> u32 {
        match self {
            NativeFormat::Single => 32,
            NativeFormat::Double => 64,
        }
    }
}

impl Ty {
    /// Returns the type of a sort, if its values are represented as bits.
    pub fn of(store: &Store, sort: SortId) -> Option<Ty> {
        match store.sorts.get(sort) {
            Sort::Bool => Some(Ty::Bool),
            Sort::RoundingMode => Some(Ty::Mode),
            Sort::BitVec(width) => Some(Ty::Bits(*width)),
            Sort::Float { eb, sb } => FloatFormat::new(*eb, *sb).ok().map(Ty::Float),
            _ => None,
        }
    }

    /// Returns the number of bits of a value in the input buffer.
    pub fn width(self) -> u32 {
        match self {
            Ty::Bool => 1,
            Ty::Mode => 3,
            Ty::Bits(width) => width,
            Ty::Float(format) => format.width(),
        }
    }

    /// Whether a value takes more than one word.
    pub fn is_wide(self) -> bool {
        self.width() > WORD
    }

    /// Returns the number of words of a value.
    pub fn words(self) -> usize {
        self.width().div_ceil(WORD) as usize
    }

    /// Returns the processor's format, if it has one for this type.
    pub fn native(self) -> Option<NativeFormat> {
        match self {
            Ty::Float(FloatFormat::FLOAT32) => Some(NativeFormat::Single),
            Ty::Float(FloatFormat::FLOAT64) => Some(NativeFormat::Double),
            _ => None,
        }
    }
}

/// Returns the word with the `width` low bits set; `width` is 1 to 64.
pub fn mask(width: u32) -> u64 {
    u64::MAX >> (WORD - width.clamp(1, WORD))
}

/// Returns the sign bit of a native format.
#[inline]
pub fn sign_bit(width: u32) -> u64 {
    1 << (width - 1)
}

/// Returns the pattern of +oo of a native format.
#[inline]
pub fn infinity(width: u32) -> u64 {
    if width == 32 { 0x7f80_0000 } else { 0x7ff0_0000_0000_0000 }
}

/// Whether a pattern of a native format is NaN.
#[inline]
pub fn is_nan(a: u64, width: u32) -> bool {
    a & !sign_bit(width) > infinity(width)
}

/// Returns the pattern, with NaN in its canonical one.
#[inline]
pub fn canonical(a: u64, width: u32) -> u64 {
    if is_nan(a, width) { nan(width) } else { a }
}

/// Returns the single NaN of a native format.
#[inline]
pub fn nan(width: u32) -> u64 {
    if width == 32 { NAN32 } else { NAN64 }
}

/// Returns the position of a float in the order of floats, both zeros in one place.
#[inline]
pub fn rank(a: u64, width: u32) -> u64 {
    let magnitude = a & !sign_bit(width);
    let middle = 1u64 << 63;
    if a & sign_bit(width) == 0 { middle + magnitude } else { middle - magnitude }
}

/// Returns the mode at an index in the order of the theory.
pub fn mode(position: u64) -> RoundingMode {
    RoundingMode::ALL[position.min(4) as usize]
}
