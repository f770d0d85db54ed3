//! Finite fields: integers modulo a prime number.

use crate::unknown::UnknownReason;
use crate::value::Value;
use dashu_int::UBig;
use smtlib::{FieldOrder, Kind};

/// An operator of finite fields on elements of one field.
pub fn apply(kind: Kind, args: &[&Value]) -> Result<Value, UnknownReason> {
    let Some(Value::FieldElement { order, .. }) = args.first() else { return Err(UnknownReason::IllSorted) };
    let elements: Vec<&UBig> = args.iter().map(|arg| element(arg, order)).collect::<Result<_, _>>()?;
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

fn element<'v>(value: &'v Value, field: &FieldOrder) -> Result<&'v UBig, UnknownReason> {
    match value {
        Value::FieldElement { order, value } if order == field => Ok(value),
        _ => Err(UnknownReason::IllSorted),
    }
}
