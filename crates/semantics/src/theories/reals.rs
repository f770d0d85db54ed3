//! Reals and Reals_Ints: exact rationals; irrational numbers are in [`algebraic`](super::algebraic).

use crate::algebraic::{AlgebraicLimits, AlgebraicNumber, IntPolynomial};
use crate::open::OperatorContext;
use crate::unknown::UnknownReason;
use crate::value::Value;
use dashu_base::{Abs, BitTest};
use dashu_int::IBig;
use dashu_ratio::RBig;
use smtlib::{Kind, Op};

/// Applies an operator of Reals, or of what Reals_Ints adds, to numbers.
pub fn apply(op: Op, args: &[&Value], cx: &mut OperatorContext<'_>) -> Result<Value, UnknownReason> {
    use Kind::*;
    if op.kind == ToReal {
        let n = args.first().and_then(|v| v.as_int()).ok_or(UnknownReason::IllSorted)?;
        return Ok(Value::real(RBig::from(n.clone())));
    }
    if args.iter().any(|v| matches!(v, Value::Algebraic(_))) {
        return super::algebraic::apply(op, args, cx);
    }
    let first = real(args, 0)?;
    match op.kind {
        RealNeg => Ok(Value::real(-first)),
        RealAbs => Ok(Value::real(first.clone().abs())),
        RealAdd => fold(args, |a, b| checked(cx, &a, b, |a, b| a + b)),
        RealSub => fold(args, |a, b| checked(cx, &a, b, |a, b| a - b)),
        RealMul => fold(args, |a, b| checked(cx, &a, b, |a, b| a * b)),
        RealDiv => fold(args, |a, b| match b.is_zero() {
            false => checked(cx, &a, b, |a, b| a / b),
            true => by_zero(op, a, cx),
        }),
        RealLe => chain(args, |a, b| a <= b),
        RealLt => chain(args, |a, b| a < b),
        RealGe => chain(args, |a, b| a >= b),
        RealGt => chain(args, |a, b| a > b),
        RealPow => power(first, real(args, 1)?, cx),
        RealSqrt => root(first, cx),
        ToInt => Ok(Value::Int(first.floor())),
        IsInt => Ok(Value::Bool(first.is_int())),
        _ => Err(UnknownReason::Opaque),
    }
}

fn real<'a>(args: &[&'a Value], n: usize) -> Result<&'a RBig, UnknownReason> {
    args.get(n).and_then(|v| v.as_real()).ok_or(UnknownReason::IllSorted)
}

/// Returns the larger of the bits of numerator and denominator.
fn bits(r: &RBig) -> usize {
    r.numerator().bit_len().max(r.denominator().bit_len())
}

/// A field operation with results no longer than both operands together and a carry.
fn checked(
    cx: &OperatorContext<'_>,
    a: &RBig,
    b: &RBig,
    f: impl Fn(&RBig, &RBig) -> RBig,
) -> Result<RBig, UnknownReason> {
    cx.check_bits(bits(a) + bits(b))?;
    Ok(f(a, b))
}

fn fold(
    args: &[&Value],
    mut f: impl FnMut(RBig, &RBig) -> Result<RBig, UnknownReason>,
) -> Result<Value, UnknownReason> {
    let mut accumulator = real(args, 0)?.clone();
    for n in 1..args.len() {
        accumulator = f(accumulator, real(args, n)?)?;
    }
    Ok(Value::real(accumulator))
}

fn chain(args: &[&Value], holds: impl Fn(&RBig, &RBig) -> bool) -> Result<Value, UnknownReason> {
    for n in 1..args.len() {
        if !holds(real(args, n - 1)?, real(args, n)?) {
            return Ok(Value::Bool(false));
        }
    }
    Ok(Value::Bool(true))
}

fn by_zero(op: Op, dividend: RBig, cx: &mut OperatorContext<'_>) -> Result<RBig, UnknownReason> {
    let chosen = cx.chosen(op, &[&Value::real(dividend), &Value::real(RBig::ZERO)], UnknownReason::DivisionByZero)?;
    chosen.as_real().cloned().ok_or(UnknownReason::IllSorted)
}

/// The extension `sqrt`; that of a negative number is open.
fn root(square: &RBig, cx: &OperatorContext<'_>) -> Result<Value, UnknownReason> {
    if *square < RBig::ZERO {
        return Err(UnknownReason::Extension);
    }
    if square.is_zero() {
        return Ok(Value::real(RBig::ZERO));
    }
    cx.check_bits(bits(square))?;
    let polynomial = IntPolynomial::new(vec![-square.numerator(), IBig::ZERO, square.denominator().clone().into()]);
    let limits = &AlgebraicLimits::EVALUATION;
    Ok(Value::algebraic(AlgebraicNumber::root(&polynomial, 2, limits)?, limits)?)
}

/// The extension `base ^ exponent` for whole exponents, where defined; other exponents give irrational numbers or none.
fn power(base: &RBig, exponent: &RBig, cx: &OperatorContext<'_>) -> Result<Value, UnknownReason> {
    if !exponent.is_int() || (base.is_zero() && *exponent <= RBig::ZERO) {
        return Err(UnknownReason::Extension);
    }
    if base.is_zero() || base.is_one() {
        return Ok(Value::real(base.clone()));
    }
    let exponent = isize::try_from(exponent.numerator()).map_err(|_| UnknownReason::TooLarge)?;
    cx.check_bits(bits(base).saturating_mul(exponent.unsigned_abs()))?;
    Ok(Value::real(base.pow(exponent)))
}
