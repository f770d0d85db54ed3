//! Rounding modes and the one function that rounds exact results into a format.

use super::format::FloatFormat;
use super::magnitude::Magnitude;
use super::value::Float;
use smtlib::Kind;
use std::fmt;

/// The five values of the sort `RoundingMode`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RoundingMode {
    /// roundNearestTiesToEven
    Rne,
    /// roundNearestTiesToAway
    Rna,
    /// roundTowardPositive
    Rtp,
    /// roundTowardNegative
    Rtn,
    /// roundTowardZero
    Rtz,
}

impl RoundingMode {
    /// All modes, in the order of the theory's declaration.
    pub const ALL: [RoundingMode; 5] =
        [RoundingMode::Rne, RoundingMode::Rna, RoundingMode::Rtp, RoundingMode::Rtn, RoundingMode::Rtz];

    /// Returns the mode of a constant of the theory.
    pub fn of(kind: Kind) -> Option<RoundingMode> {
        Some(match kind {
            Kind::Rne => RoundingMode::Rne,
            Kind::Rna => RoundingMode::Rna,
            Kind::Rtp => RoundingMode::Rtp,
            Kind::Rtn => RoundingMode::Rtn,
            Kind::Rtz => RoundingMode::Rtz,
            _ => return None,
        })
    }

    /// Returns its number, counted from 0 in the order of [`RoundingMode::ALL`].
    pub fn number(self) -> usize {
        self as usize
    }

    /// Returns the short name of the theory, `RNE` and so on.
    pub fn name(self) -> &'static str {
        match self {
            RoundingMode::Rne => "RNE",
            RoundingMode::Rna => "RNA",
            RoundingMode::Rtp => "RTP",
            RoundingMode::Rtn => "RTN",
            RoundingMode::Rtz => "RTZ",
        }
    }

    /// Returns the long name of the theory, `roundNearestTiesToEven` and so on.
    pub fn long_name(self) -> &'static str {
        match self {
            RoundingMode::Rne => "roundNearestTiesToEven",
            RoundingMode::Rna => "roundNearestTiesToAway",
            RoundingMode::Rtp => "roundTowardPositive",
            RoundingMode::Rtn => "roundTowardNegative",
            RoundingMode::Rtz => "roundTowardZero",
        }
    }

    /// Returns the mode with this short or long name.
    pub fn from_name(name: &str) -> Option<RoundingMode> {
        RoundingMode::ALL.into_iter().find(|mode| name == mode.name() || name == mode.long_name())
    }

    /// Whether a value past the largest finite number becomes infinite rather than that number (IEEE 754-2008, 7.4).
    fn overflows_to_infinity(self, negative: bool) -> bool {
        match self {
            RoundingMode::Rne | RoundingMode::Rna => true,
            RoundingMode::Rtp => !negative,
            RoundingMode::Rtn => negative,
            RoundingMode::Rtz => false,
        }
    }

    /// Returns the sign of an exact zero sum of two terms of different sign (IEEE 754-2008, 6.3): true is minus.
    pub(super) fn cancelled_zero_is_negative(self) -> bool {
        self == RoundingMode::Rtn
    }
}

impl fmt::Display for RoundingMode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A non-zero real number: `significand` times two to `exponent`, with that sign; when `sticky`, the magnitude lies
/// strictly between this and `significand + 1` times two to `exponent`.
pub(super) struct ExactReal<M> {
    pub(super) negative: bool,
    pub(super) significand: M,
    pub(super) exponent: i64,
    pub(super) sticky: bool,
}

/// Returns the number of `format` that `exact` rounds to.
///
/// Invariant: a sticky `exact` has more than sb significant bits, so that the sticky bit lies below the rounding position.
pub(super) fn round<M: Magnitude>(exact: ExactReal<M>, format: FloatFormat, mode: RoundingMode) -> Float {
    let ExactReal { negative, significand, exponent, sticky } = exact;
    let length = significand.bit_len();
    let precision = i64::from(format.sb());
    if exponent + length - 1 > format.max_exponent() {
        return if mode.overflows_to_infinity(negative) {
            Float::infinity(format, negative)
        } else {
            Float::largest(format, negative)
        };
    }
    let min_quantum = format.min_quantum();
    let quantum = (exponent + length - precision).max(min_quantum);
    let multiple = if quantum <= exponent {
        assert!(!sticky, "a sticky result must be longer than the significand");
        significand.shl(exponent - quantum)
    } else {
        drop_bits(significand, quantum - exponent, sticky, negative, mode)
    };
    // A subnormal multiple is its own encoding; the hidden bit of a normal one adds one to the exponent field, and so
    // does the carry of a significand rounded up to the next binade, up to and including infinity.
    let field = M::from_u64((quantum - min_quantum) as u64).shl(precision - 1);
    Float::from_magnitude(format, negative, field.plus(&multiple))
}

/// `magnitude` divided by two to `count` (at least 1), rounded to an integer by `mode`; `sticky` says that a little more
/// than `magnitude` is meant, `negative` is the sign of the number.
pub(super) fn drop_bits<M: Magnitude>(magnitude: M, count: i64, sticky: bool, negative: bool, mode: RoundingMode) -> M {
    let half = magnitude.bit(count - 1);
    let rest = sticky || magnitude.low_bits_nonzero(count - 1);
    let kept = magnitude.shr(count);
    let up = match mode {
        RoundingMode::Rne => half && (rest || kept.bit(0)),
        RoundingMode::Rna => half,
        RoundingMode::Rtp => !negative && (half || rest),
        RoundingMode::Rtn => negative && (half || rest),
        RoundingMode::Rtz => false,
    };
    if up { kept.plus(&M::from_u64(1)) } else { kept }
}
