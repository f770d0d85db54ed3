//! Formats of unusual shape and size: against exact rationals where those are writable, by laws where they are not.

use dashu_base::{Abs, BitTest};
use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;
use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use semantics::float::{Float, FloatFormat, FormatError, MAX_EXACT_BITS, RoundingMode, UnknownFloat};

fn format(eb: u32, sb: u32) -> FloatFormat {
    FloatFormat::new(eb, sb).unwrap()
}

fn random_bits(random: &mut Xoshiro256PlusPlus, count: u32) -> UBig {
    let mut bits = UBig::ZERO;
    for _ in 0..count.div_ceil(64) {
        bits = (bits << 64) | UBig::from(random.next_u64());
    }
    bits.clear_high_bits(count as usize);
    bits
}

/// A finite number; one in four has a sparse significand, so that exact and tied results come up.
fn random_finite(random: &mut Xoshiro256PlusPlus, format: FloatFormat) -> Float {
    let trailing = format.sb() - 1;
    let significand = match random.next_u64() % 8 {
        0 => UBig::ZERO,
        1 => UBig::ones(trailing as usize),
        2 => UBig::ONE << (random.next_u64() % u64::from(trailing)) as usize,
        _ => random_bits(random, trailing),
    };
    let top = (1u64 << format.eb()) - 1;
    // Half of the exponents close together, or nothing but the larger operand would ever show in a sum.
    let field = match random.next_u64() % 4 {
        0 => random.next_u64() % top,
        1 => random.next_u64() % 3,
        _ => (top / 2 + random.next_u64() % (2 * u64::from(format.sb()))) % top,
    };
    Float::from_fields(format, random.next_u64() % 2 == 1, &UBig::from(field), &significand)
}

/// All operations must be the rounding of the rational operation (zero results apart, whose sign needs other rules).
fn check_against_rationals(format: FloatFormat, cases: usize) {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(u64::from(format.width()));
    for case in 0..cases {
        let mode = RoundingMode::ALL[case % 5];
        let [x, y, z] = std::array::from_fn(|_| random_finite(&mut random, format));
        let [rx, ry, rz] = [&x, &y, &z].map(|number| number.to_real().unwrap());
        let check = |what: &str, result: Float, exact: RBig| {
            if exact.is_zero() {
                assert!(result.is_zero(), "{what} {mode} of {x}, {y}, {z} is zero");
            } else {
                assert_eq!(result, Float::from_real(format, mode, &exact), "{what} {mode} of {x}, {y}, {z}");
            }
        };
        check("add", x.add(mode, &y), &rx + &ry);
        check("sub", x.sub(mode, &y), &rx - &ry);
        check("mul", x.mul(mode, &y), &rx * &ry);
        check("fma", x.fma(mode, &y, &z), &rx * &ry + &rz);
        assert_eq!(x.compare(&y), Some(rx.cmp(&ry)));
        let integral = x.round_to_integral(mode);
        if let Ok(integer) = integral.to_real() {
            assert!((&integer - &rx).abs() < RBig::ONE && integer.is_int(), "roundToIntegral {mode} {x}");
            let as_signed = x.to_signed(mode, 1 << 20).unwrap();
            assert_eq!(RBig::from(as_signed), integer, "to_sbv {mode} {x}");
        }
        if ry.is_zero() {
            assert!(x.rem(&y).is_nan());
        } else {
            check("div", x.div(mode, &y), &rx / &ry);
            check("rem", x.rem(&y), rational_remainder(&rx, &ry));
        }
        if x.is_positive() && !x.is_zero() {
            check_root(&x, &rx, mode);
        }
    }
}

fn rational_remainder(x: &RBig, y: &RBig) -> RBig {
    let quotient = x / y;
    let floor = quotient.floor();
    let rest = &quotient - RBig::from(floor.clone());
    let half = RBig::from_parts(IBig::ONE, UBig::from(2u8));
    let odd = BitTest::bit(&floor, 0);
    let up = rest > half || (rest == half && odd);
    let nearest = if up { floor + IBig::ONE } else { floor };
    x - y * RBig::from(nearest)
}

fn check_root(x: &Float, real: &RBig, mode: RoundingMode) {
    let root = x.sqrt(mode);
    let bits = root.to_ieee_bits().unwrap();
    let neighbour = |bits: &UBig| Float::from_bits(x.format(), bits).to_real().unwrap();
    let (below, here, above) = (neighbour(&(&bits - UBig::ONE)), neighbour(&bits), neighbour(&(&bits + UBig::ONE)));
    let square = |r: &RBig| r * r;
    let half = RBig::from_parts(IBig::ONE, UBig::from(2u8));
    let encloses = match mode {
        RoundingMode::Rne | RoundingMode::Rna => {
            square(&((&below + &here) * &half)) <= *real && *real <= square(&((&here + &above) * &half))
        }
        RoundingMode::Rtp => square(&below) < *real && *real <= square(&here),
        RoundingMode::Rtn | RoundingMode::Rtz => square(&here) <= *real && *real < square(&above),
    };
    assert!(encloses, "sqrt {mode} {x} is not {root}");
}

#[test]
fn operations_round_the_rational_result() {
    for (eb, sb, cases) in [
        (3, 5, 3000),
        (5, 11, 3000),
        (8, 24, 3000),
        (8, 56, 3000),
        (2, 62, 3000),
        (11, 53, 1000),
        (2, 63, 3000),
        (3, 64, 3000),
        (4, 65, 3000),
        (9, 100, 2000),
        (8, 500, 500),
        (11, 2, 1000),
        (15, 113, 60),
        (15, 3, 60),
        (19, 237, 5),
    ] {
        check_against_rationals(format(eb, sb), cases);
    }
}

#[test]
fn indices_are_bounded() {
    for (eb, sb) in [(0, 5), (1, 5), (5, 1), (0, 0)] {
        assert_eq!(FloatFormat::new(eb, sb), Err(FormatError::TooSmall { eb, sb }));
    }
    for (eb, sb) in [(61, 5), (u32::MAX, 2), (5, (1 << 24) + 1), (5, u32::MAX)] {
        assert_eq!(FloatFormat::new(eb, sb), Err(FormatError::TooWide { eb, sb }));
    }
    for (eb, sb) in [(2, 2), (60, 2), (60, 1 << 24), (19, 237)] {
        assert!(FloatFormat::new(eb, sb).is_ok());
    }
}

/// One and the neighbours of numbers in formats whose numbers could never be written down.
fn one(format: FloatFormat) -> Float {
    Float::from_unsigned(format, RoundingMode::Rne, &UBig::ONE)
}

fn next_up(x: &Float) -> Float {
    Float::from_bits(x.format(), &(x.to_ieee_bits().unwrap() + UBig::ONE))
}

#[test]
fn far_exponents_cost_nothing() {
    for (eb, sb) in [(60, 2), (60, 4), (59, 5), (60, 53), (60, 113), (40, 24), (60, 1000)] {
        let format = format(eb, sb);
        let (one, largest) = (one(format), Float::largest(format, false));
        let smallest = next_up(&Float::zero(format, false));
        for mode in RoundingMode::ALL {
            let above = if mode == RoundingMode::Rtp { next_up(&one) } else { one.clone() };
            assert_eq!(one.add(mode, &smallest), above, "{format:?} {mode}");
            assert_eq!(one.fma(mode, &one, &smallest), above);
            let infinite = if mode == RoundingMode::Rtp { Float::infinity(format, false) } else { largest.clone() };
            assert_eq!(largest.add(mode, &smallest), infinite);
            let overflow = match mode {
                RoundingMode::Rtn | RoundingMode::Rtz => largest.clone(),
                _ => Float::infinity(format, false),
            };
            assert_eq!(largest.mul(mode, &largest), overflow);
            let underflow = if mode == RoundingMode::Rtp { smallest.clone() } else { Float::zero(format, false) };
            assert_eq!(smallest.mul(mode, &smallest), underflow);
            assert_eq!(smallest.div(mode, &largest), underflow);
            assert_eq!(smallest.neg().fma(RoundingMode::Rtn, &smallest, &one.neg()), next_up(&one.neg()));
            assert_eq!(largest.round_to_integral(mode), largest);
            assert_eq!(
                smallest.round_to_integral(mode),
                if mode == RoundingMode::Rtp { one.clone() } else { Float::zero(format, false) }
            );
            assert!(largest.to_signed(mode, u32::MAX).is_err());
            assert_eq!(
                largest.to_format(FloatFormat::FLOAT64, mode),
                match mode {
                    RoundingMode::Rtn | RoundingMode::Rtz => Float::largest(FloatFormat::FLOAT64, false),
                    _ => Float::infinity(FloatFormat::FLOAT64, false),
                }
            );
            // The square of the root of the largest power of two is that power or near it, never far.
            assert!(largest.sqrt(mode).lt(&largest) && one.lt(&largest.sqrt(mode)));
        }
        assert!(matches!(largest.to_real(), Err(UnknownFloat::TooLarge { bound: MAX_EXACT_BITS, .. })));
        assert!(matches!(smallest.to_real(), Err(UnknownFloat::TooLarge { .. })));
        assert_eq!(smallest.rem(&largest), smallest);
        assert!(largest.rem(&smallest).is_zero(), "every number is a multiple of the smallest");
    }
}

/// x rem y for x = 2^k: the quotient is far too long to write, but its residue is known from Fermat's theorem.
#[test]
fn remainder_of_a_far_power_of_two() {
    let format = format(60, 60);
    // Modulo the prime 2^31 - 1, two has order 31.
    let divisor = Float::from_unsigned(format, RoundingMode::Rne, &UBig::from((1u64 << 31) - 1));
    let bias = (1u64 << 59) - 1;
    for power in [31, 1 << 20, (1 << 40) + 5, (1 << 58) + 12345, bias] {
        let x = Float::from_fields(format, false, &UBig::from(bias + power), &UBig::ZERO);
        let residue = 1i64 << (power % 31);
        // Above half of the prime, which only the highest power is, the nearest multiple lies above.
        let nearest = if residue > 1 << 29 { residue - ((1 << 31) - 1) } else { residue };
        let expect = Float::from_signed(format, RoundingMode::Rne, &IBig::from(nearest));
        assert_eq!(x.rem(&divisor), expect, "2^{power}");
        assert_eq!(x.neg().rem(&divisor), expect.neg(), "-2^{power}");
        assert_eq!(x.rem(&divisor.neg()), expect, "2^{power} by a negative divisor");
    }
}

#[test]
fn huge_rationals_round_in_time() {
    let digits = UBig::ONE << 3_000_000;
    for (eb, sb) in [(11, 53), (15, 113), (30, 10)] {
        let format = format(eb, sb);
        for mode in RoundingMode::ALL {
            // (2^3000000 + 1) / 2^3000000 lies above one by next to nothing.
            let real = RBig::from_parts(IBig::from(&digits + UBig::ONE), digits.clone());
            let above = if mode == RoundingMode::Rtp { next_up(&one(format)) } else { one(format) };
            assert_eq!(Float::from_real(format, mode, &real), above, "{mode}");
            assert!(Float::from_real(format, mode, &-real).abs().is_normal());
        }
    }
    let tiny = RBig::from_parts(IBig::NEG_ONE, digits.clone());
    let double = FloatFormat::FLOAT64;
    assert_eq!(Float::from_real(double, RoundingMode::Rne, &tiny), Float::zero(double, true));
    assert_eq!(Float::from_real(double, RoundingMode::Rtn, &tiny), next_up(&Float::zero(double, true)));
    assert_eq!(Float::from_signed(double, RoundingMode::Rtz, &IBig::from(digits)), Float::largest(double, false));
}

#[test]
fn a_float_prints_as_the_standard_writes_values() {
    let format = format(3, 4);
    let check = |float: Float, expect: &str| assert_eq!(float.to_string(), expect);
    check(Float::nan(format), "(_ NaN 3 4)");
    check(Float::infinity(format, false), "(_ +oo 3 4)");
    check(Float::infinity(format, true), "(_ -oo 3 4)");
    check(Float::zero(format, true), "(fp #b1 #b000 #b000)");
    check(Float::from_u64_bits(format, 0b0_010_011), "(fp #b0 #b010 #b011)");
    // All encodings of NaN are the one value.
    check(Float::from_u64_bits(format, 0b1_111_001), "(_ NaN 3 4)");
    assert_eq!(Float::from_u64_bits(format, 0b1_111_001), Float::nan(format));
}
