//! Floats of native formats and rounding modes as machine words: their patterns and their order.

use semantics::float::RoundingMode;

/// The single NaN of Float32.
pub const NAN32: u64 = 0x7fc0_0000;
/// The single NaN of Float64.
pub const NAN64: u64 = 0x7ff8_0000_0000_0000;

/// The sign bit of a native format.
#[inline]
pub fn sign_bit(width: u32) -> u64 {
    1 << (width - 1)
}

/// The pattern of +oo of a native format.
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
