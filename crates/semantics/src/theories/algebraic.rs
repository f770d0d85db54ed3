//! Operators of Reals on irrational algebraic numbers: exact within a work budget, unknown beyond it.

use crate::algebraic::{AlgebraicLimits, AlgebraicNumber};
use crate::open::OperatorContext;
use crate::unknown::UnknownReason;
use crate::value::Value;
use dashu_ratio::RBig;
use smtlib::{Kind, Op};
use std::cmp::Ordering;

/// The work bounds of one operation.
const LIMITS: &AlgebraicLimits = &AlgebraicLimits::EVALUATION;

/// The cost of an operation besides the weights of its operands.
const BASE_COST: u64 = 200;

/// The maximum exponent of a power that is multiplied out.
const MAX_POWER: u64 = 64;

/// Applies an operator of Reals or Reals_Ints to numbers at least one of which is irrational.
/// Errors: [`UnknownReason::Irrational`] beyond a bound, and the reasons that rationals have, too.
pub fn apply(op: Op, args: &[&Value], cx: &mut OperatorContext<'_>) -> Result<Value, UnknownReason> {
    use Kind::*;
    let numbers: Vec<AlgebraicNumber> = args.iter().map(|v| number(v)).collect::<Result<_, _>>()?;
    let first = numbers.first().ok_or(UnknownReason::IllSorted)?;
    match op.kind {
        RealNeg => value(first.negate()),
        RealAbs => match sign(first, cx)? {
            Ordering::Less => value(first.negate()),
            _ => value(first.clone()),
        },
        RealAdd => fold(&numbers, cx, |a, b, _| Ok(a.add(b, LIMITS)?)),
        RealSub => fold(&numbers, cx, |a, b, _| Ok(a.subtract(b, LIMITS)?)),
        RealMul => fold(&numbers, cx, |a, b, _| Ok(a.multiply(b, LIMITS)?)),
        RealDiv => fold(&numbers, cx, |a, b, cx| divide(op, a, b, cx)),
        RealLe => chain(&numbers, cx, Ordering::is_le),
        RealLt => chain(&numbers, cx, Ordering::is_lt),
        RealGe => chain(&numbers, cx, Ordering::is_ge),
        RealGt => chain(&numbers, cx, Ordering::is_gt),
        // Its polynomial is not computed.
        RealSqrt => Err(UnknownReason::Irrational),
        RealPow => power(first, args.get(1).copied(), cx),
        ToInt => {
            charge(cx, &[first])?;
            Ok(Value::Int(first.floor(LIMITS)?))
        }
        // Integers are rational, and this number is not.
        IsInt => Ok(Value::Bool(false)),
        _ => Err(UnknownReason::Opaque),
    }
}

fn number(value: &Value) -> Result<AlgebraicNumber, UnknownReason> {
    match value {
        Value::Real(r) => Ok(AlgebraicNumber::from(r.as_ref().clone())),
        Value::Algebraic(a) => Ok(a.as_ref().clone()),
        _ => Err(UnknownReason::IllSorted),
    }
}

fn value(number: AlgebraicNumber) -> Result<Value, UnknownReason> {
    Ok(Value::algebraic(number, LIMITS)?)
}

/// Charges an operation on these numbers to the budget shared with regular expressions.
fn charge(cx: &mut OperatorContext<'_>, numbers: &[&AlgebraicNumber]) -> Result<(), UnknownReason> {
    let weight = numbers.iter().fold(1u64, |product, n| product.saturating_mul(n.weight()));
    cx.work.charge(weight.saturating_add(BASE_COST)).map_err(|_| UnknownReason::Irrational)
}

fn sign(number: &AlgebraicNumber, cx: &mut OperatorContext<'_>) -> Result<Ordering, UnknownReason> {
    charge(cx, &[number])?;
    Ok(number.sign(LIMITS)?)
}

fn fold(
    numbers: &[AlgebraicNumber],
    cx: &mut OperatorContext<'_>,
    f: impl Fn(&AlgebraicNumber, &AlgebraicNumber, &mut OperatorContext<'_>) -> Result<AlgebraicNumber, UnknownReason>,
) -> Result<Value, UnknownReason> {
    let Some((first, rest)) = numbers.split_first() else { return Err(UnknownReason::IllSorted) };
    let mut accumulator = first.clone();
    for n in rest {
        charge(cx, &[&accumulator, n])?;
        accumulator = f(&accumulator, n, cx)?;
    }
    value(accumulator)
}

fn chain(
    numbers: &[AlgebraicNumber],
    cx: &mut OperatorContext<'_>,
    holds: impl Fn(Ordering) -> bool,
) -> Result<Value, UnknownReason> {
    for pair in numbers.windows(2) {
        charge(cx, &[&pair[0], &pair[1]])?;
        if !holds(pair[0].compare(&pair[1], LIMITS)?) {
            return Ok(Value::Bool(false));
        }
    }
    Ok(Value::Bool(true))
}

fn divide(
    op: Op,
    dividend: &AlgebraicNumber,
    divisor: &AlgebraicNumber,
    cx: &mut OperatorContext<'_>,
) -> Result<AlgebraicNumber, UnknownReason> {
    if divisor.as_rational().is_none_or(|r| !r.is_zero()) {
        return Ok(dividend.divide(divisor, LIMITS)?);
    }
    let dividend = value(dividend.clone())?;
    let chosen = cx.chosen(op, &[&dividend, &Value::real(RBig::ZERO)], UnknownReason::DivisionByZero)?;
    number(&chosen)
}

/// The extension `base ^ exponent` for whole exponents; an irrational base is not zero, so negative ones are defined.
fn power(
    base: &AlgebraicNumber,
    exponent: Option<&Value>,
    cx: &mut OperatorContext<'_>,
) -> Result<Value, UnknownReason> {
    let exponent = match exponent {
        Some(Value::Real(r)) if r.is_int() => i64::try_from(r.numerator()).map_err(|_| UnknownReason::TooLarge)?,
        Some(Value::Real(_) | Value::Algebraic(_)) => return Err(UnknownReason::Extension),
        _ => return Err(UnknownReason::IllSorted),
    };
    if base.as_rational().is_some() {
        return Err(UnknownReason::Extension);
    }
    if exponent.unsigned_abs() > MAX_POWER {
        return Err(UnknownReason::Irrational);
    }
    let mut result = AlgebraicNumber::from(RBig::ONE);
    for _ in 0..exponent.unsigned_abs() {
        charge(cx, &[&result, base])?;
        result = result.multiply(base, LIMITS)?;
    }
    if exponent < 0 {
        result = AlgebraicNumber::from(RBig::ONE).divide(&result, LIMITS)?;
    }
    value(result)
}
