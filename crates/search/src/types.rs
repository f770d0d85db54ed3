//! The types of the program's values, and their representation: one machine word, or several.

use semantics::float::FloatFormat;
use smtlib::{Sort, SortId, Store};

/// Words of 64 bits.
pub const WORD: u32 = 64;

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
    /// Bits of the encoding.
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

    /// Bits of a value in the input buffer.
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

    /// Words of a value.
    pub fn words(self) -> usize {
        self.width().div_ceil(WORD) as usize
    }

    /// The processor's format, if it has one for this type.
    pub fn native(self) -> Option<NativeFormat> {
        match self {
            Ty::Float(FloatFormat::FLOAT32) => Some(NativeFormat::Single),
            Ty::Float(FloatFormat::FLOAT64) => Some(NativeFormat::Double),
            _ => None,
        }
    }
}

/// The word with the `width` low bits set; `width` is 1 to 64.
pub fn mask(width: u32) -> u64 {
    u64::MAX >> (WORD - width.clamp(1, WORD))
}
