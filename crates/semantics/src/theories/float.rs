//! FloatingPoint: every operator on values, by the exact operations of [`float`](crate::float).

use crate::float::{Float, FloatFormat, RoundingMode};
use crate::open::OperatorContext;
use crate::unknown::UnknownReason;
use crate::value::Value;
use dashu_int::UBig;
use smtlib::{Kind, Op};

/// Applies an operator of FloatingPoint to values.
pub fn apply(op: Op, args: &[&Value], cx: &mut OperatorContext<'_>) -> Result<Value, UnknownReason> {
    use Kind::*;
    let value = |f: Float| Ok(Value::Float(f));
    let truth = |b: bool| Ok(Value::Bool(b));
    if let Some(mode) = RoundingMode::of(op.kind) {
        return Ok(Value::RoundingMode(mode));
    }
    match op.kind {
        Fp => from_fields(args),
        FpPlusInfinity => value(Float::infinity(format(op)?, false)),
        FpMinusInfinity => value(Float::infinity(format(op)?, true)),
        FpPlusZero => value(Float::zero(format(op)?, false)),
        FpMinusZero => value(Float::zero(format(op)?, true)),
        FpNan => value(Float::nan(format(op)?)),
        FpAbs => value(float(args, 0)?.abs()),
        FpNeg => value(float(args, 0)?.neg()),
        FpAdd => value(float(args, 1)?.add(mode(args)?, float(args, 2)?)),
        FpSub => value(float(args, 1)?.sub(mode(args)?, float(args, 2)?)),
        FpMul => value(float(args, 1)?.mul(mode(args)?, float(args, 2)?)),
        FpDiv => value(float(args, 1)?.div(mode(args)?, float(args, 2)?)),
        FpFma => value(float(args, 1)?.fma(mode(args)?, float(args, 2)?, float(args, 3)?)),
        FpSqrt => value(float(args, 1)?.sqrt(mode(args)?)),
        FpRem => value(float(args, 0)?.rem(float(args, 1)?)),
        FpRoundToIntegral => value(float(args, 1)?.round_to_integral(mode(args)?)),
        FpMin => or_chosen(op, args, cx, float(args, 0)?.min(float(args, 1)?).map(Value::Float)),
        FpMax => or_chosen(op, args, cx, float(args, 0)?.max(float(args, 1)?).map(Value::Float)),
        FpLeq => chain(args, Float::leq),
        FpLt => chain(args, Float::lt),
        FpGeq => chain(args, Float::geq),
        FpGt => chain(args, Float::gt),
        FpEq => chain(args, Float::ieee_eq),
        FpIsNormal => truth(float(args, 0)?.is_normal()),
        FpIsSubnormal => truth(float(args, 0)?.is_subnormal()),
        FpIsZero => truth(float(args, 0)?.is_zero()),
        FpIsInfinite => truth(float(args, 0)?.is_infinite()),
        FpIsNan => truth(float(args, 0)?.is_nan()),
        FpIsNegative => truth(float(args, 0)?.is_negative()),
        FpIsPositive => truth(float(args, 0)?.is_positive()),
        FpFromBits => value(Float::from_bits(format(op)?, bitvec(args, 0)?.1)),
        FpFromFp => value(float(args, 1)?.to_format(format(op)?, mode(args)?)),
        FpFromReal => {
            let real = match args.get(1) {
                Some(Value::Real(r)) => r.as_ref(),
                Some(Value::Algebraic(_)) => return Err(UnknownReason::Irrational),
                _ => return Err(UnknownReason::IllSorted),
            };
            value(Float::from_real(format(op)?, mode(args)?, real))
        }
        FpFromSbv => {
            let (width, bits) = bitvec(args, 1)?;
            value(Float::from_signed(format(op)?, mode(args)?, &super::bitvec::signed(width as usize, bits)))
        }
        FpFromUbv => value(Float::from_unsigned(format(op)?, mode(args)?, bitvec(args, 1)?.1)),
        FpToUbv => {
            let result = float(args, 1)?.to_unsigned(mode(args)?, op.i);
            or_chosen(op, args, cx, result.map(|value| Value::BitVec { width: op.i, value }))
        }
        FpToSbv => {
            let result = float(args, 1)?.to_signed(mode(args)?, op.i);
            let vector = |n| Value::BitVec { width: op.i, value: super::ints::wrap(&n, op.i as usize) };
            or_chosen(op, args, cx, result.map(vector))
        }
        FpToReal => or_chosen(op, args, cx, float(args, 0)?.to_real().map(Value::real)),
        FpToIeeeBv => {
            let f = float(args, 0)?;
            let width = f.format().width();
            or_chosen(op, args, cx, f.to_ieee_bits().map(|value| Value::BitVec { width, value }))
        }
        _ => Err(UnknownReason::Opaque),
    }
}

fn float<'a>(args: &[&'a Value], n: usize) -> Result<&'a Float, UnknownReason> {
    match args.get(n) {
        Some(Value::Float(f)) => Ok(f),
        _ => Err(UnknownReason::IllSorted),
    }
}

fn mode(args: &[&Value]) -> Result<RoundingMode, UnknownReason> {
    match args.first() {
        Some(Value::RoundingMode(m)) => Ok(*m),
        _ => Err(UnknownReason::IllSorted),
    }
}

fn bitvec<'a>(args: &[&'a Value], n: usize) -> Result<(u32, &'a UBig), UnknownReason> {
    args.get(n).and_then(|v| v.as_bitvec()).ok_or(UnknownReason::IllSorted)
}

/// The format of an operator's indices; exponents wider than the float module supports are too large.
fn format(op: Op) -> Result<FloatFormat, UnknownReason> {
    FloatFormat::new(op.i, op.j).map_err(|_| UnknownReason::TooLarge)
}

fn from_fields(args: &[&Value]) -> Result<Value, UnknownReason> {
    let (_, sign) = bitvec(args, 0)?;
    let (eb, exponent) = bitvec(args, 1)?;
    let (trailing, significand) = bitvec(args, 2)?;
    let format = FloatFormat::new(eb, trailing + 1).map_err(|_| UnknownReason::TooLarge)?;
    Ok(Value::Float(Float::from_fields(format, !sign.is_zero(), exponent, significand)))
}

fn chain(args: &[&Value], holds: impl Fn(&Float, &Float) -> bool) -> Result<Value, UnknownReason> {
    for n in 1..args.len() {
        if !holds(float(args, n - 1)?, float(args, n)?) {
            return Ok(Value::Bool(false));
        }
    }
    Ok(Value::Bool(true))
}

/// Returns the result, or the model's choice if the standard leaves it open.
fn or_chosen(
    op: Op,
    args: &[&Value],
    cx: &mut OperatorContext<'_>,
    result: Result<Value, crate::float::UnknownFloat>,
) -> Result<Value, UnknownReason> {
    match result {
        Ok(v) => Ok(v),
        Err(unknown @ crate::float::UnknownFloat::Unspecified(_)) => cx.chosen(op, args, unknown.into()),
        Err(other) => Err(other.into()),
    }
}
