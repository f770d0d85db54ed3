//! Ints: exact integers. `div` and `mod` are Euclidean: `m = n * (div m n) + (mod m n)` with `0 <= (mod m n) < |n|`.

use crate::open::OperatorContext;
use crate::unknown::UnknownReason;
use crate::value::Value;
use dashu_base::{Abs, BitTest, DivEuclid, RemEuclid, Signed};
use dashu_int::{IBig, Sign, UBig};
use smtlib::{Kind, Op};

/// Applies an operator of Ints to integers.
pub fn apply(op: Op, args: &[&Value], cx: &mut OperatorContext<'_>) -> Result<Value, UnknownReason> {
    use Kind::*;
    let first = int(args, 0)?;
    match op.kind {
        IntNeg => Ok(Value::Int(-first)),
        IntAbs => Ok(Value::Int(first.clone().abs())),
        IntAdd => fold(args, |a, b| Ok(a + b)),
        IntSub => fold(args, |a, b| Ok(a - b)),
        IntMul => fold(args, |a, b| {
            cx.check_bits(a.bit_len() + b.bit_len())?;
            Ok(a * b)
        }),
        IntDiv => fold(args, |a, b| match b.is_zero() {
            false => Ok(a.div_euclid(b)),
            true => by_zero(op, a, cx),
        }),
        IntMod => {
            let second = int(args, 1)?;
            if second.is_zero() {
                return by_zero(op, first.clone(), cx).map(Value::Int);
            }
            Ok(Value::Int(IBig::from(first.rem_euclid(second))))
        }
        IntRem => {
            let second = int(args, 1)?;
            if second.is_zero() {
                return by_zero(op, first.clone(), cx).map(Value::Int);
            }
            let modulus = IBig::from(first.rem_euclid(second));
            Ok(Value::Int(if second.is_negative() { -modulus } else { modulus }))
        }
        // (_ divisible n) is defined for positive n only.
        IntDivisible if op.i == 0 => Err(UnknownReason::Extension),
        IntDivisible => Ok(Value::Bool(first.rem_euclid(IBig::from(op.i)).is_zero())),
        IntLe => chain(args, |a, b| a <= b),
        IntLt => chain(args, |a, b| a < b),
        IntGe => chain(args, |a, b| a >= b),
        IntGt => chain(args, |a, b| a > b),
        IntAnd => {
            let width = op.i as usize;
            cx.check_bits(width)?;
            Ok(Value::Int(IBig::from(wrap(first, width) & wrap(int(args, 1)?, width))))
        }
        IntPiand => {
            // Cvc5 leaves a negative width open.
            let width = usize::try_from(first).map_err(|_| UnknownReason::Extension)?;
            cx.check_bits(width)?;
            Ok(Value::Int(IBig::from(wrap(int(args, 1)?, width) & wrap(int(args, 2)?, width))))
        }
        IntPow2 => power(&IBig::from(2), first, cx),
        IntPow => power(first, int(args, 1)?, cx),
        _ => Err(UnknownReason::Opaque),
    }
}

/// `n` modulo 2^`width`.
pub(super) fn wrap(n: &IBig, width: usize) -> UBig {
    let (sign, mut low) = n.clone().into_parts();
    low.clear_high_bits(width);
    if sign == Sign::Negative && !low.is_zero() {
        low = (UBig::ONE << width) - low;
    }
    low
}

fn int<'a>(args: &[&'a Value], n: usize) -> Result<&'a IBig, UnknownReason> {
    args.get(n).and_then(|v| v.as_int()).ok_or(UnknownReason::IllSorted)
}

fn fold(
    args: &[&Value],
    mut f: impl FnMut(IBig, &IBig) -> Result<IBig, UnknownReason>,
) -> Result<Value, UnknownReason> {
    let mut accumulator = int(args, 0)?.clone();
    for n in 1..args.len() {
        accumulator = f(accumulator, int(args, n)?)?;
    }
    Ok(Value::Int(accumulator))
}

fn chain(args: &[&Value], holds: impl Fn(&IBig, &IBig) -> bool) -> Result<Value, UnknownReason> {
    for n in 1..args.len() {
        if !holds(int(args, n - 1)?, int(args, n)?) {
            return Ok(Value::Bool(false));
        }
    }
    Ok(Value::Bool(true))
}

fn by_zero(op: Op, dividend: IBig, cx: &mut OperatorContext<'_>) -> Result<IBig, UnknownReason> {
    let chosen = cx.chosen(op, &[&Value::Int(dividend), &Value::Int(IBig::ZERO)], UnknownReason::DivisionByZero)?;
    chosen.as_int().cloned().ok_or(UnknownReason::IllSorted)
}

/// Computes the extension `base ^ exponent`, for non-negative exponents, where all solvers that have it agree.
fn power(base: &IBig, exponent: &IBig, cx: &OperatorContext<'_>) -> Result<Value, UnknownReason> {
    if exponent.is_negative() || (exponent.is_zero() && base.is_zero()) {
        return Err(UnknownReason::Extension);
    }
    if base.is_zero() || base.is_one() {
        return Ok(Value::Int(base.clone()));
    }
    let exponent = usize::try_from(exponent).map_err(|_| UnknownReason::TooLarge)?;
    cx.check_bits(base.bit_len().saturating_mul(exponent))?;
    Ok(Value::Int(base.pow(exponent)))
}
