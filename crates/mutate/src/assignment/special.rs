//! Special values of sorts that need no model: those on which solvers tend to err.

use crate::rng::RandomStream;
use dashu_int::ops::BitTest;
use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;
use semantics::Value;
use semantics::float::{Float, FloatFormat, RoundingMode};
use semantics::strings::SmtString;
use smtlib::{FieldOrder, Sort};

/// Largest exponent of the powers of two among integers.
const MAX_POWER: u64 = 70;

/// Returns a random value of a sort; `None` if the sort needs a model or other values.
pub fn random(sort: &Sort, rng: &mut RandomStream) -> Option<Value> {
    Some(match sort {
        Sort::Bool => Value::Bool(rng.coin()),
        Sort::Int => Value::Int(integer(rng)),
        Sort::Real => Value::real(rational(rng)),
        Sort::BitVec(width) => Value::bitvec(*width, bits(*width, rng)),
        Sort::FiniteField(order) => field_element(order, &element(order, rng)),
        Sort::Float { eb, sb } => Value::Float(float(FloatFormat::new(*eb, *sb).ok()?, rng)),
        Sort::RoundingMode => Value::RoundingMode(*rng.pick(&RoundingMode::ALL)?),
        Sort::String => Value::String(string(rng)?),
        _ => return None,
    })
}

/// Returns a value near `value`: the next or the previous one, the negation, a piece or an extension of a string.
pub fn neighbour(value: &Value, rng: &mut RandomStream) -> Value {
    match value {
        Value::Int(n) => Value::Int(match rng.below(4) {
            0 => n + IBig::ONE,
            1 => n - IBig::ONE,
            2 => -n.clone(),
            _ => n.clone(),
        }),
        Value::Real(r) => Value::real(match rng.below(5) {
            0 => r.as_ref() + RBig::ONE,
            1 => r.as_ref() - RBig::ONE,
            2 => -r.as_ref().clone(),
            3 => r.as_ref() / RBig::from(2),
            _ => r.as_ref().clone(),
        }),
        Value::BitVec { width, value } => {
            let all = ones(*width);
            Value::bitvec(
                *width,
                match rng.below(4) {
                    0 => value + UBig::ONE,
                    1 => value + &all,
                    2 => &all - value,
                    _ => value.clone(),
                },
            )
        }
        Value::FieldElement { order, value } => {
            let value = IBig::from(value.clone());
            field_element(
                order,
                &match rng.below(4) {
                    0 => value + IBig::ONE,
                    1 => value - IBig::ONE,
                    2 => -value,
                    _ => value,
                },
            )
        }
        Value::Float(f) if !f.is_nan() => match (rng.below(4), f.to_ieee_bits()) {
            // The next pattern is the next float away from zero, and an infinity after the largest one.
            (0, Ok(bits)) if !f.is_infinite() => Value::Float(Float::from_bits(f.format(), &(bits + UBig::ONE))),
            (1, Ok(bits)) if !f.is_zero() => Value::Float(Float::from_bits(f.format(), &(bits - UBig::ONE))),
            (2, _) => Value::Float(f.neg()),
            _ => value.clone(),
        },
        Value::String(s) => {
            let mut text = s.code_points().to_vec();
            match rng.below(4) {
                0 => text.push(code_point(rng)),
                1 => text.truncate(rng.index(text.len() + 1)),
                2 => text.extend_from_within(..),
                _ => {}
            }
            SmtString::new(&text).map_or_else(|_| value.clone(), Value::String)
        }
        other => other.clone(),
    }
}

fn integer(rng: &mut RandomStream) -> IBig {
    let magnitude = match rng.below(8) {
        0 | 1 => UBig::from(rng.below(2)),
        2 | 3 => UBig::from(rng.below(21)),
        4 => UBig::ONE << rng.below(MAX_POWER + 1) as usize,
        5 => (UBig::ONE << rng.below(MAX_POWER + 1) as usize) - UBig::ONE,
        6 => UBig::from(rng.below(1_000_000)),
        _ => UBig::from(rng.bits()),
    };
    if rng.coin() { IBig::from(magnitude) } else { -IBig::from(magnitude) }
}

/// Returns the field element for an integer.
fn field_element(order: &FieldOrder, n: &IBig) -> Value {
    Value::FieldElement { order: order.clone(), value: order.reduce(n) }
}

/// 0, 1, -1 and 2, halves, powers of two, small or any; to be taken modulo the order.
fn element(order: &FieldOrder, rng: &mut RandomStream) -> IBig {
    let bits = u32::try_from(order.get().bit_len()).unwrap_or(1);
    match rng.below(10) {
        0 => IBig::ZERO,
        1 => IBig::ONE,
        2 => IBig::NEG_ONE,
        3 => IBig::from(2),
        // 1/2 and -1/2 if the order is odd.
        4 => IBig::from((order.get() + UBig::ONE) >> 1usize),
        5 => IBig::from(order.get() >> 1usize),
        6 => IBig::ONE << rng.below(u64::from(bits)) as usize,
        7 => IBig::from(rng.below(20)) - IBig::from(4),
        _ => IBig::from(uniform(bits, rng)),
    }
}

fn rational(rng: &mut RandomStream) -> RBig {
    let numerator = integer(rng);
    let denominator = match rng.below(6) {
        0..=2 => UBig::ONE,
        3 => UBig::from(1 + rng.below(12)),
        4 => UBig::ONE << rng.below(MAX_POWER + 1) as usize,
        _ => UBig::from(10u8).pow(rng.below(10) as usize),
    };
    RBig::from_parts(numerator, denominator)
}

fn ones(width: u32) -> UBig {
    (UBig::ONE << width as usize) - UBig::ONE
}

fn bits(width: u32, rng: &mut RandomStream) -> UBig {
    let top = u64::from(width) - 1;
    match rng.below(10) {
        0 => UBig::ZERO,
        1 => UBig::ONE,
        2 => ones(width),
        3 => UBig::ONE << top as usize,
        4 => (UBig::ONE << top as usize) - UBig::ONE,
        5 => UBig::ONE << rng.between(0, top) as usize,
        6 => (UBig::ONE << rng.between(0, top) as usize) - UBig::ONE,
        7 => UBig::from(rng.below(16)),
        _ => uniform(width, rng),
    }
}

/// All patterns of `width` bits equally likely. Only the lowest 4096 bits are random, so that wide sorts stay cheap.
fn uniform(width: u32, rng: &mut RandomStream) -> UBig {
    let words: Vec<u64> = (0..width.div_ceil(64).min(64)).map(|_| rng.bits()).collect();
    let mut value = UBig::from_le_bytes(&words.iter().flat_map(|w| w.to_le_bytes()).collect::<Vec<u8>>());
    value.clear_high_bits(width as usize);
    value
}

fn float(format: FloatFormat, rng: &mut RandomStream) -> Float {
    let negative = rng.coin();
    let (eb, sb) = (format.eb() as usize, format.sb() as usize);
    // The magnitude's bits: exponent field above `sb - 1` bits of trailing significand.
    let trailing = sb - 1;
    let one = ((UBig::ONE << (eb - 1)) - UBig::ONE) << trailing;
    let magnitude = match rng.below(14) {
        0 => return Float::nan(format),
        1 => return Float::infinity(format, negative),
        2 | 3 => return Float::zero(format, negative),
        4 => return Float::largest(format, negative),
        // The smallest subnormal, the largest subnormal, the smallest normal.
        5 => UBig::ONE,
        6 => (UBig::ONE << trailing) - UBig::ONE,
        7 => UBig::ONE << trailing,
        8 => one,
        // The neighbours of one, two, and a half.
        9 => one + UBig::ONE,
        10 => one - UBig::ONE,
        11 => one + (UBig::ONE << trailing),
        12 => (UBig::from(rng.below(1 << 20)) << trailing) & ((UBig::ONE << (eb + trailing)) - UBig::ONE),
        _ => uniform(format.width() - 1, rng),
    };
    let pattern = if negative { magnitude | (UBig::ONE << (eb + trailing)) } else { magnitude };
    Float::from_bits(format, &pattern)
}

/// Characters of texts: often letters and digits, and the edges of every escape rule.
fn code_point(rng: &mut RandomStream) -> u32 {
    const EDGES: [u32; 12] =
        [0, 9, 10, 0x20, 0x22, 0x5c, 0x7e, 0x7f, 0xff, 0x100, 0xffff, semantics::strings::MAX_CODE_POINT];
    match rng.below(8) {
        0..=2 => u32::from(b'a') + rng.below(3) as u32,
        3 => u32::from(b'A') + rng.below(26) as u32,
        4 | 5 => u32::from(b'0') + rng.below(10) as u32,
        6 => rng.pick(&EDGES).copied().unwrap_or(0),
        _ => 0x20 + rng.below(0x5f) as u32,
    }
}

fn string(rng: &mut RandomStream) -> Option<SmtString> {
    let length = match rng.below(6) {
        0 => 0,
        1 | 2 => 1,
        3 | 4 => rng.between(2, 4),
        _ => rng.between(5, 12),
    };
    let text: Vec<u32> = match rng.below(4) {
        // A number, sometimes with leading zeros.
        0 => (0..length).map(|_| u32::from(b'0') + rng.below(10) as u32).collect(),
        _ => (0..length).map(|_| code_point(rng)).collect(),
    };
    SmtString::new(&text).ok()
}
