//! The meaning of every theory's operators on values, one file per large theory.

pub mod algebraic;
pub mod arrays;
pub mod bags;
pub mod bitvec;
pub mod datatypes;
pub mod float;
pub mod function_values;
pub mod functions;
pub mod instances;
pub mod ints;
pub mod quantifiers;
pub mod reals;
pub mod relations;
pub mod sequences;
pub mod sets;
pub mod strings;
pub mod traversals;

pub use crate::open::OperatorContext;
use crate::unknown::UnknownReason;
use crate::value::Value;
use dashu_int::UBig;
use smtlib::{FieldOrder, Kind, Op};

/// Applies a strict operator (one that needs all its arguments) to values.
///
/// The term store only has well-sorted terms and models are sort-checked, so a mismatch can only come from a model's
/// body; it is [`UnknownReason::IllSorted`], never a panic.
pub fn apply(op: Op, args: &[&Value], cx: &mut OperatorContext<'_>) -> Result<Value, UnknownReason> {
    use Kind::*;
    match op.kind {
        Not | Xor | True | False => apply_core(op.kind, args),
        IntNeg | IntSub | IntAdd | IntMul | IntDiv | IntMod | IntAbs | IntLe | IntLt | IntGe | IntGt | IntDivisible
        | IntAnd | IntPiand | IntPow2 | IntPow | IntRem => ints::apply(op, args, cx),
        RealNeg | RealSub | RealAdd | RealMul | RealDiv | RealLe | RealLt | RealGe | RealGt | RealPow | RealAbs
        | RealSqrt | ToReal | ToInt | IsInt => reals::apply(op, args, cx),
        kind if (BvConcat..=BvSmulNoUnderflow).contains(&kind) => bitvec::apply(op, args),
        kind if (Rne..=FpToIeeeBv).contains(&kind) => float::apply(op, args, cx),
        kind if (StrConcat..=StrUpdate).contains(&kind) => strings::apply(op, args, cx),
        kind if kind == SeqEmpty || (SeqUnit..=SeqRev).contains(&kind) => sequences::apply(op, args, cx),
        kind if (SetEmpty..=SetRange).contains(&kind) => sets::apply(op, args, cx),
        kind if (RelTranspose..=RelJoinImage).contains(&kind) => relations::apply(op, args, cx),
        kind if (BagEmpty..=BagChoose).contains(&kind) => bags::apply(op, args, cx),
        kind if (FfAdd..=FfBitsum).contains(&kind) => apply_field(kind, args),
        ConstArray => arrays::constant(args, cx),
        Construct | Test | Select | Update => datatypes::apply(op, args, cx),
        _ => Err(UnknownReason::Opaque),
    }
}

/// `true`, `false`, `not`, `xor`.
fn apply_core(kind: Kind, args: &[&Value]) -> Result<Value, UnknownReason> {
    let mut odd = kind == Kind::True;
    for a in args {
        odd ^= a.as_bool().ok_or(UnknownReason::IllSorted)?;
    }
    Ok(Value::Bool(if kind == Kind::Not { !odd } else { odd }))
}

/// Returns an operator of finite fields on elements of one field.
fn apply_field(kind: Kind, args: &[&Value]) -> Result<Value, UnknownReason> {
    let Some(Value::FieldElement { order, .. }) = args.first() else { return Err(UnknownReason::IllSorted) };
    let elements: Vec<&UBig> = args.iter().map(|arg| field_element(arg, order)).collect::<Result<_, _>>()?;
    let modulus = order.get();
    let value = match (kind, &elements[..]) {
        (Kind::FfAdd, all) => all.iter().fold(UBig::ZERO, |sum, &x| (sum + x) % modulus),
        (Kind::FfMul, all) => all.iter().fold(UBig::ONE % modulus, |product, &x| product * x % modulus),
        (Kind::FfNeg, &[x]) if x.is_zero() => UBig::ZERO,
        (Kind::FfNeg, &[x]) => modulus - x,
        // a + 2b + 4c is a + 2(b + 2c).
        (Kind::FfBitsum, all) => all.iter().rfold(UBig::ZERO, |sum, &x| ((sum << 1) + x) % modulus),
        _ => return Err(UnknownReason::IllSorted),
    };
    Ok(Value::FieldElement { order: order.clone(), value })
}

fn field_element<'v>(value: &'v Value, field: &FieldOrder) -> Result<&'v UBig, UnknownReason> {
    match value {
        Value::FieldElement { order, value } if order == field => Ok(value),
        _ => Err(UnknownReason::IllSorted),
    }
}
