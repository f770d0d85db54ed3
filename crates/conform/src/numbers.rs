//! Random integers, rationals, bit patterns and floats, mostly edge cases, where bugs are likely.

use crate::setting::pick;
use dashu_int::ops::BitTest;
use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;
use rand::{Rng, RngExt};
use rand_xoshiro::Xoshiro256PlusPlus;
use semantics::float::{Float, FloatFormat};

/// The maximum width of a random integer, in bits.
const INTEGER_BITS: u32 = 200;

/// Returns an integer: small, near a power of two or ten, or of random length.
pub fn integer(rng: &mut Xoshiro256PlusPlus) -> IBig {
    let magnitude = match rng.random_range(0..10u32) {
        0 => IBig::ZERO,
        1..=4 => IBig::from(rng.random_range(0..12)),
        5 | 6 => power(rng, 2, 130) + IBig::from(rng.random_range(-2..=2)),
        7 => power(rng, 10, 30) + IBig::from(rng.random_range(-1..=1)),
        _ => {
            let bits = rng.random_range(1..=INTEGER_BITS);
            IBig::from(bits_below(rng, bits))
        }
    };
    if rng.random() { -magnitude } else { magnitude }
}

fn power(rng: &mut Xoshiro256PlusPlus, base: u32, largest: usize) -> IBig {
    IBig::from(base).pow(rng.random_range(0..=largest))
}

/// Returns a rational: an integer, a half, a decimal, a small fraction, or any fraction.
pub fn rational(rng: &mut Xoshiro256PlusPlus) -> RBig {
    let numerator = integer(rng);
    let denominator = match rng.random_range(0..6u32) {
        0 | 1 => UBig::ONE,
        2 => UBig::from(2u8).pow(rng.random_range(1..=60)),
        3 => UBig::from(10u8).pow(rng.random_range(1..=20)),
        4 => UBig::from(rng.random_range(1..=13u32)),
        _ => {
            let bits = rng.random_range(2..=80);
            bits_below(rng, bits) + UBig::ONE
        }
    };
    RBig::from_parts(numerator, denominator)
}

/// Returns a representative of an element of the field of this order: 0, 1, -1 and their neighbours, halves, powers of two, or any.
pub fn element(rng: &mut Xoshiro256PlusPlus, order: &UBig) -> IBig {
    let bits = u32::try_from(order.bit_len()).unwrap_or(1);
    match rng.random_range(0..8u32) {
        0 => IBig::ZERO,
        1 => IBig::from(rng.random_range(-3..=3)),
        2 => IBig::from(order.clone() >> 1) + IBig::from(rng.random_range(0..=1)),
        3 => IBig::ONE << rng.random_range(0..bits as usize),
        _ => IBig::from(bits_below(rng, bits)),
    }
}

/// Returns a number below 2^`width`: the ends of the signed and unsigned ranges, single bits and holes, small, or any.
pub fn pattern(rng: &mut Xoshiro256PlusPlus, width: u32) -> UBig {
    let all = || UBig::ones(width as usize);
    let bit = |n: u32| UBig::ONE << n as usize;
    let value = match rng.random_range(0..10u32) {
        0 => UBig::ZERO,
        1 => all(),
        2 => bit(width - 1),
        3 => bit(width - 1) - UBig::ONE,
        4 => UBig::ONE,
        5 => bit(rng.random_range(0..width)),
        6 => all() - bit(rng.random_range(0..width)),
        7 => UBig::from(rng.random_range(0..=width + 1)),
        _ => bits_below(rng, width),
    };
    value & all()
}

/// Returns a number of `width` random bits.
fn bits_below(rng: &mut Xoshiro256PlusPlus, width: u32) -> UBig {
    let words = width.div_ceil(64);
    let value = (0..words).fold(UBig::ZERO, |value, _| (value << 64) + UBig::from(rng.next_u64()));
    value & UBig::ones(width as usize)
}

/// Returns a float: special, at an end of the normal or subnormal range, near a power of two or a small integer, or any.
pub fn float(rng: &mut Xoshiro256PlusPlus, format: FloatFormat) -> Float {
    let (eb, sb) = (format.eb(), format.sb());
    let negative = rng.random();
    let fields = |exponent: UBig, significand: UBig| Float::from_fields(format, negative, &exponent, &significand);
    let full = UBig::ones(sb as usize - 1);
    let bias = UBig::ones(eb as usize - 1);
    match rng.random_range(0..14u32) {
        0 => Float::nan(format),
        1 => Float::infinity(format, negative),
        2 => Float::zero(format, negative),
        3 => Float::largest(format, negative),
        4 => fields(UBig::ZERO, UBig::ONE),
        5 => fields(UBig::ZERO, full),
        6 => fields(UBig::ONE, UBig::ZERO),
        7 => fields(bias, UBig::ZERO),
        8 => fields(bias.clone(), if rng.random() { full } else { UBig::ONE }),
        9 => fields(UBig::ZERO, pattern(rng, sb - 1)),
        // Near the exponent where units in the last place are halves, ones and twos.
        10 | 11 => {
            let shift = UBig::from(sb.saturating_sub(rng.random_range(0..=3)));
            let exponent = (bias + shift).min(UBig::ones(eb as usize) - UBig::ONE);
            fields(exponent, pattern(rng, sb - 1))
        }
        12 => {
            let near = bias + UBig::from(rng.random_range(0..=4u32));
            fields(near.min(UBig::ones(eb as usize) - UBig::ONE), pattern(rng, sb - 1))
        }
        _ => fields(pattern(rng, eb), pattern(rng, sb - 1)),
    }
}

/// Returns a rational near the floats of a format: one of them, a tie between two, or close to either.
pub fn near_float(rng: &mut Xoshiro256PlusPlus, format: FloatFormat) -> RBig {
    let Ok(exact) = float(rng, format).to_real() else { return rational(rng) };
    let Ok(other) = float(rng, format).to_real() else { return exact };
    let nudge = RBig::from_parts(IBig::ONE, UBig::from(2u8).pow(rng.random_range(1..=40)));
    match rng.random_range(0..4u32) {
        0 => exact,
        1 => (exact + other) / RBig::from(2),
        2 => &exact + &exact * nudge,
        _ => {
            let half_step = RBig::from_parts(IBig::ONE, UBig::from(2u8).pow(format.sb() as usize));
            &exact + &exact * half_step
        }
    }
}

/// Returns a code point, mostly a letter or digit, sometimes one that printers and character sets often get wrong.
pub fn code_point(rng: &mut Xoshiro256PlusPlus) -> u32 {
    const EDGES: &[u32] = &[
        0, 10, 32, 34, 47, 58, 64, 65, 90, 92, 110, 117, 120, 123, 125, 127, 128, 0xFF, 0x100, 0xD800, 0xFFFF, 0x10000,
        0x2FFFF,
    ];
    match rng.random_range(0..12u32) {
        0..=4 => 97,
        5..=7 => 98,
        8 => 99,
        9 | 10 => 48 + rng.random_range(0..10),
        _ => pick(rng, EDGES),
    }
}
