//! Floating-point formats: the two indices of the sort and the exponents that follow from them.

use std::fmt;

use thiserror::Error;

/// The maximum width of an exponent field, in bits: every exponent and every sum of two then fits an `i64`.
pub const MAX_EXPONENT_BITS: u32 = 60;

/// The maximum width of a significand, in bits, the hidden bit included.
pub const MAX_SIGNIFICAND_BITS: u32 = 1 << 24;

/// The indices of `(_ FloatingPoint eb sb)`.
///
/// Invariant: 2 <= eb <= [`MAX_EXPONENT_BITS`] and 2 <= sb <= [`MAX_SIGNIFICAND_BITS`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FloatFormat {
    eb: u32,
    sb: u32,
}

/// Why two numerals do not form a format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum FormatError {
    /// The theory declares the sort for eb, sb > 1 only.
    #[error("(_ FloatingPoint {eb} {sb}) is not a sort: both indices must be greater than 1")]
    TooSmall {
        /// Exponent bits asked for.
        eb: u32,
        /// Significand bits asked for.
        sb: u32,
    },
    /// A sort of the theory, but wider than this implementation supports.
    #[error(
        "(_ FloatingPoint {eb} {sb}) is wider than supported: at most {MAX_EXPONENT_BITS} exponent and \
         {MAX_SIGNIFICAND_BITS} significand bits"
    )]
    TooWide {
        /// Exponent bits asked for.
        eb: u32,
        /// Significand bits asked for.
        sb: u32,
    },
}

impl FloatFormat {
    /// `Float16` of the theory (IEEE binary16).
    pub const FLOAT16: FloatFormat = FloatFormat { eb: 5, sb: 11 };
    /// `Float32` of the theory (IEEE binary32).
    pub const FLOAT32: FloatFormat = FloatFormat { eb: 8, sb: 24 };
    /// `Float64` of the theory (IEEE binary64).
    pub const FLOAT64: FloatFormat = FloatFormat { eb: 11, sb: 53 };
    /// `Float128` of the theory (IEEE binary128).
    pub const FLOAT128: FloatFormat = FloatFormat { eb: 15, sb: 113 };

    /// Makes the format with `eb` exponent bits and `sb` significand bits, the hidden bit included, as in the standard.
    /// Errors: [`FormatError`]: a number of bits is less than 2, or larger than this implementation supports.
    pub fn new(eb: u32, sb: u32) -> Result<FloatFormat, FormatError> {
        if eb < 2 || sb < 2 {
            Err(FormatError::TooSmall { eb, sb })
        } else if eb > MAX_EXPONENT_BITS || sb > MAX_SIGNIFICAND_BITS {
            Err(FormatError::TooWide { eb, sb })
        } else {
            Ok(FloatFormat { eb, sb })
        }
    }

    /// Returns the number of bits of the exponent field.
    pub fn eb(self) -> u32 {
        self.eb
    }

    /// Returns the number of bits of the significand, the hidden bit included.
    pub fn sb(self) -> u32 {
        self.sb
    }

    /// Returns the number of bits of the interchange encoding: sign, exponent and trailing significand.
    pub fn width(self) -> u32 {
        self.eb + self.sb
    }

    /// Whether a value fits one machine word, and every intermediate result two.
    pub(super) fn is_narrow(self) -> bool {
        self.width() <= 64
    }

    /// Returns the exponent of the largest finite binade; also the bias of the exponent field.
    pub(super) fn max_exponent(self) -> i64 {
        (1 << (self.eb - 1)) - 1
    }

    /// Returns the exponent of the last bit of a subnormal number: every finite value is a multiple of two to this power.
    pub(super) fn min_quantum(self) -> i64 {
        2 - self.max_exponent() - i64::from(self.sb)
    }

    /// Returns the exponent field of infinities and NaN: all ones.
    pub(super) fn special_exponent(self) -> u64 {
        (1 << self.eb) - 1
    }
}

impl fmt::Debug for FloatFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "({}, {})", self.eb, self.sb)
    }
}
