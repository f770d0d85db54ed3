//! Half, Single, Double and Quad against `rustc_apfloat` on random and special operands, in every rounding mode.

use std::fmt::Debug;

use dashu_int::{IBig, UBig};
use rustc_apfloat::ieee::{Double, Half, Quad, Single};
use rustc_apfloat::{Float as Reference, FloatConvert, Round, Status};
use semantics::float::{Float, FloatFormat, RoundingMode};

use crate::float_operands::{Operands, cases};

fn reference_mode(mode: RoundingMode) -> Round {
    match mode {
        RoundingMode::Rne => Round::NearestTiesToEven,
        RoundingMode::Rna => Round::NearestTiesToAway,
        RoundingMode::Rtp => Round::TowardPositive,
        RoundingMode::Rtn => Round::TowardNegative,
        RoundingMode::Rtz => Round::TowardZero,
    }
}

fn ours(format: FloatFormat, bits: u128) -> Float {
    Float::from_bits(format, &UBig::from(bits))
}

/// Half to Quad by `rustc_apfloat`, in every rounding mode.
fn check_format<F>(format: FloatFormat)
where
    F: Reference + Debug + FloatConvert<Half> + FloatConvert<Single> + FloatConvert<Double> + FloatConvert<Quad>,
{
    let mut operands = Operands::new(format);
    for case in 0..cases() {
        let a = operands.operand();
        let b = operands.partner(a);
        let c = operands.partner(if case % 2 == 0 { a } else { b });
        let mode = RoundingMode::ALL[(case % 5) as usize];
        let round = reference_mode(mode);
        let (rx, ry, rz) = (F::from_bits(a), F::from_bits(b), F::from_bits(c));
        let (x, y, z) = (ours(format, a), ours(format, b), ours(format, c));
        let check = |what: &str, result: Float, reference: F| {
            let reference = ours(format, reference.to_bits());
            assert_eq!(result, reference, "{what} {mode} of {x}, {y}, {z}");
        };
        check("add", x.add(mode, &y), rx.add_r(ry, round).value);
        check("sub", x.sub(mode, &y), rx.sub_r(ry, round).value);
        check("mul", x.mul(mode, &y), rx.mul_r(ry, round).value);
        check("div", x.div(mode, &y), rx.div_r(ry, round).value);
        check("fma", x.fma(mode, &y, &z), rx.mul_add_r(ry, rz, round).value);
        check("roundToIntegral", x.round_to_integral(mode), rx.round_to_integral(round).value);
        check("abs", x.abs(), rx.abs());
        check("neg", x.neg(), -rx);
        assert_eq!(x.compare(&y), rx.partial_cmp(&ry), "compare {x} {y}");
        check_conversions(&x, rx, mode);
        if case % 16 == 0 {
            check_root(&x, mode);
            check("rem", x.rem(&y), rx.ieee_rem(ry).value);
        }
    }
}

fn check_conversions<F>(x: &Float, reference: F, mode: RoundingMode)
where
    F: Reference + FloatConvert<Half> + FloatConvert<Single> + FloatConvert<Double> + FloatConvert<Quad>,
{
    let round = reference_mode(mode);
    let check = |format: FloatFormat, bits: u128| {
        assert_eq!(x.to_format(format, mode), ours(format, bits), "{x} to {format:?} {mode}");
    };
    let mut inexact = false;
    check(FloatFormat::FLOAT16, FloatConvert::<Half>::convert_r(reference, round, &mut inexact).value.to_bits());
    check(FloatFormat::FLOAT32, FloatConvert::<Single>::convert_r(reference, round, &mut inexact).value.to_bits());
    check(FloatFormat::FLOAT64, FloatConvert::<Double>::convert_r(reference, round, &mut inexact).value.to_bits());
    check(FloatFormat::FLOAT128, FloatConvert::<Quad>::convert_r(reference, round, &mut inexact).value.to_bits());
    // The reference shifts by 128 when asked for one signed bit.
    for width in [2, 8, 32, 64, 100] {
        let signed = reference.to_i128_r(width, round, &mut inexact);
        let expect = (!signed.status.contains(Status::INVALID_OP)).then(|| IBig::from(signed.value));
        assert_eq!(x.to_signed(mode, width as u32).ok(), expect, "{x} to_sbv {width} {mode}");
        let unsigned = reference.to_u128_r(width, round, &mut inexact);
        let expect = (!unsigned.status.contains(Status::INVALID_OP)).then(|| UBig::from(unsigned.value));
        assert_eq!(x.to_unsigned(mode, width as u32).ok(), expect, "{x} to_ubv {width} {mode}");
    }
    if let Ok(real) = x.to_real() {
        let there_and_back = Float::from_real(x.format(), mode, &real);
        assert!(there_and_back.ieee_eq(x), "{x} is not itself after going through the reals");
    }
}

/// A root has no reference in `rustc_apfloat`: squares of it and its neighbours must enclose the radicand.
fn check_root(x: &Float, mode: RoundingMode) {
    let root = x.sqrt(mode);
    let positive_number = x.is_positive() && !x.is_zero() && !x.is_infinite();
    if !positive_number {
        let expect =
            if x.is_zero() || (x.is_infinite() && x.is_positive()) { x.clone() } else { Float::nan(x.format()) };
        assert_eq!(root, expect);
        return;
    }
    let bits = root.to_ieee_bits().expect("the root of a positive number is a number");
    let real = |bits: &UBig| Float::from_bits(x.format(), bits).to_real().expect("a finite neighbour");
    let (below, here, above) = (real(&(&bits - UBig::ONE)), real(&bits), real(&(&bits + UBig::ONE)));
    let radicand = x.to_real().expect("x is finite");
    let square = |r: &dashu_ratio::RBig| r * r;
    let middle = |a: &dashu_ratio::RBig, b: &dashu_ratio::RBig| (a + b) / UBig::from(2u8);
    let encloses = match mode {
        RoundingMode::Rne | RoundingMode::Rna => {
            square(&middle(&below, &here)) <= radicand && radicand <= square(&middle(&here, &above))
        }
        RoundingMode::Rtp => square(&below) < radicand && radicand <= square(&here),
        RoundingMode::Rtn | RoundingMode::Rtz => square(&here) <= radicand && radicand < square(&above),
    };
    assert!(encloses, "sqrt {x} {mode} is not {root}");
}

#[test]
fn half() {
    check_format::<Half>(FloatFormat::FLOAT16);
}

#[test]
fn single() {
    check_format::<Single>(FloatFormat::FLOAT32);
}

#[test]
fn double() {
    check_format::<Double>(FloatFormat::FLOAT64);
}

#[test]
fn quad() {
    check_format::<Quad>(FloatFormat::FLOAT128);
}

#[test]
fn integers_become_floats() {
    let mut operands = Operands::new(FloatFormat::FLOAT128);
    for case in 0..cases() {
        let integer = operands.bits() >> operands.below(128);
        let mode = RoundingMode::ALL[(case % 5) as usize];
        let round = reference_mode(mode);
        let (signed, unsigned) = (IBig::from(integer as i128), UBig::from(integer));
        let check = |format: FloatFormat, from_signed: u128, from_unsigned: u128| {
            assert_eq!(Float::from_signed(format, mode, &signed), ours(format, from_signed), "{mode} {signed}");
            assert_eq!(Float::from_unsigned(format, mode, &unsigned), ours(format, from_unsigned), "{mode} {unsigned}");
        };
        macro_rules! check_reference {
            ($($format:ident $reference:ident),*) => {$(check(
                FloatFormat::$format,
                $reference::from_i128_r(integer as i128, round).value.to_bits(),
                $reference::from_u128_r(integer, round).value.to_bits(),
            );)*};
        }
        check_reference!(FLOAT16 Half, FLOAT32 Single, FLOAT64 Double, FLOAT128 Quad);
    }
}
