//! FixedSizeBitVectors of any width, with the overflow predicates of 2.7 and the common extensions.

use super::ints::wrap;
use crate::unknown::UnknownReason;
use crate::value::Value;
use dashu_base::{BitTest, DivRem};
use dashu_int::{IBig, UBig};
use smtlib::signature::MAX_WIDTH;
use smtlib::{Kind, Op};

/// Applies an operator on bit-vectors.
pub fn apply(op: Op, args: &[&Value]) -> Result<Value, UnknownReason> {
    use Kind::*;
    if op.kind == IntToBv {
        let n = args.first().and_then(|v| v.as_int()).ok_or(UnknownReason::IllSorted)?;
        return Ok(Value::BitVec { width: op.i, value: wrap(n, op.i as usize) });
    }
    let (w, a) = bv(args, 0)?;
    let bits = w as usize;
    let vector = |value: UBig| Ok(Value::BitVec { width: w, value });
    let modular = |value: UBig| Ok(Value::bitvec(w, value));
    match op.kind {
        BvConcat => concat(args),
        BvExtract => Ok(Value::bitvec(op.i - op.j + 1, a >> op.j as usize)),
        BvNot => vector(complement(bits, a)),
        BvNeg => vector(negate(bits, a)),
        BvAnd => fold(args, |a, b| a & b),
        BvOr => fold(args, |a, b| a | b),
        BvXor => fold(args, |a, b| a ^ b),
        BvAdd => fold(args, |a, b| modulo(bits, a + b)),
        BvMul => fold(args, |a, b| modulo(bits, a * b)),
        BvSub => fold(args, |a, b| modulo(bits, a + negate(bits, b))),
        BvNand => vector(complement(bits, &(a & second(args)?))),
        BvNor => vector(complement(bits, &(a | second(args)?))),
        BvXnor => vector(complement(bits, &(a ^ second(args)?))),
        BvUdiv => vector(udiv(bits, a, second(args)?)),
        BvUrem => vector(urem(a, second(args)?)),
        BvSdiv => vector(sdiv(bits, a, second(args)?)),
        BvSrem => vector(srem(bits, a, second(args)?)),
        BvSmod => vector(smod(bits, a, second(args)?)),
        BvShl => match amount(bits, second(args)?) {
            Some(n) => modular(a << n),
            None => vector(UBig::ZERO),
        },
        BvLshr => match amount(bits, second(args)?) {
            Some(n) => vector(a >> n),
            None => vector(UBig::ZERO),
        },
        BvAshr => {
            let n = amount(bits, second(args)?).unwrap_or(bits);
            let high = if a.bit(bits - 1) { UBig::ones(n) << (bits - n) } else { UBig::ZERO };
            vector((a >> n) | high)
        }
        BvComp => Ok(bit(a == second(args)?)),
        BvUlt => Ok(Value::Bool(a < second(args)?)),
        BvUle => Ok(Value::Bool(a <= second(args)?)),
        BvUgt => Ok(Value::Bool(a > second(args)?)),
        BvUge => Ok(Value::Bool(a >= second(args)?)),
        BvSlt => Ok(Value::Bool(biased(bits, a) < biased(bits, second(args)?))),
        BvSle => Ok(Value::Bool(biased(bits, a) <= biased(bits, second(args)?))),
        BvSgt => Ok(Value::Bool(biased(bits, a) > biased(bits, second(args)?))),
        BvSge => Ok(Value::Bool(biased(bits, a) >= biased(bits, second(args)?))),
        BvUltbv => Ok(bit(a < second(args)?)),
        BvSltbv => Ok(bit(biased(bits, a) < biased(bits, second(args)?))),
        BvRedor => Ok(bit(!a.is_zero())),
        BvRedand => Ok(bit(*a == UBig::ones(bits))),
        BvRepeat => repeat(w, a, op.i),
        BvZeroExtend => Ok(Value::BitVec { width: widened(w, op.i)?, value: a.clone() }),
        BvSignExtend => {
            let width = widened(w, op.i)?;
            let high = if a.bit(bits - 1) { UBig::ones(op.i as usize) << bits } else { UBig::ZERO };
            Ok(Value::BitVec { width, value: a | high })
        }
        BvRotateLeft => vector(rotate_left(bits, a, op.i as usize % bits)),
        BvRotateRight => vector(rotate_left(bits, a, bits - op.i as usize % bits)),
        BvExtRotateLeft => vector(rotate_left(bits, a, rotation(bits, second(args)?))),
        BvExtRotateRight => vector(rotate_left(bits, a, bits - rotation(bits, second(args)?))),
        UbvToInt => Ok(Value::Int(IBig::from(a.clone()))),
        SbvToInt => Ok(Value::Int(signed(bits, a))),
        _ => overflow(op.kind, bits, a, args),
    }
}

/// Applies the predicates that ask whether the exact result of an operation is out of range.
fn overflow(kind: Kind, bits: usize, a: &UBig, args: &[&Value]) -> Result<Value, UnknownReason> {
    use Kind::*;
    let least = -(IBig::ONE << (bits - 1));
    if kind == BvNego {
        return Ok(Value::Bool(signed(bits, a) == least));
    }
    let b = second(args)?;
    let too_wide = |n: UBig| n.bit_len() > bits;
    let above = |n: &IBig| *n >= -least.clone();
    let outside = |n: IBig| n < least || above(&n);
    let (x, y) = (signed(bits, a), signed(bits, b));
    Ok(Value::Bool(match kind {
        BvUaddo => too_wide(a + b),
        BvSaddo => outside(x + y),
        BvUmulo => too_wide(a * b),
        BvSmulo => outside(x * y),
        BvUsubo => a < b,
        BvSsubo => outside(x - y),
        BvSdivo => x == least && y == IBig::NEG_ONE,
        BvUmulNoOverflow => !too_wide(a * b),
        BvSmulNoOverflow => !above(&(x * y)),
        BvSmulNoUnderflow => x * y >= least,
        _ => return Err(UnknownReason::Opaque),
    }))
}

fn bv<'a>(args: &[&'a Value], n: usize) -> Result<(u32, &'a UBig), UnknownReason> {
    args.get(n).and_then(|v| v.as_bitvec()).ok_or(UnknownReason::IllSorted)
}

fn second<'a>(args: &[&'a Value]) -> Result<&'a UBig, UnknownReason> {
    bv(args, 1).map(|b| b.1)
}

fn bit(b: bool) -> Value {
    Value::BitVec { width: 1, value: UBig::from(u8::from(b)) }
}

fn fold(args: &[&Value], f: impl Fn(&UBig, &UBig) -> UBig) -> Result<Value, UnknownReason> {
    let (width, a) = bv(args, 0)?;
    let mut value = f(a, bv(args, 1)?.1);
    for n in 2..args.len() {
        value = f(&value, bv(args, n)?.1);
    }
    Ok(Value::BitVec { width, value })
}

/// `n` modulo 2^`bits`.
pub(crate) fn modulo(bits: usize, mut n: UBig) -> UBig {
    n.clear_high_bits(bits);
    n
}

/// 2^`bits` - 1 - a.
fn complement(bits: usize, a: &UBig) -> UBig {
    UBig::ones(bits) ^ a
}

/// -a modulo 2^`bits`.
fn negate(bits: usize, a: &UBig) -> UBig {
    if a.is_zero() { UBig::ZERO } else { (UBig::ONE << bits) - a }
}

/// Returns the two's complement integer.
pub(crate) fn signed(bits: usize, a: &UBig) -> IBig {
    let n = IBig::from(a.clone());
    if a.bit(bits - 1) { n - (IBig::ONE << bits) } else { n }
}

/// Returns the vector with its sign bit flipped, which orders signed vectors like unsigned ones.
fn biased(bits: usize, a: &UBig) -> UBig {
    a ^ (UBig::ONE << (bits - 1))
}

fn udiv(bits: usize, a: &UBig, b: &UBig) -> UBig {
    if b.is_zero() { UBig::ones(bits) } else { a / b }
}

fn urem(a: &UBig, b: &UBig) -> UBig {
    if b.is_zero() { a.clone() } else { a % b }
}

/// Sign and magnitude of a two's complement vector; the least number has magnitude 2^(bits-1).
fn parts(bits: usize, a: &UBig) -> (bool, UBig) {
    if a.bit(bits - 1) { (true, negate(bits, a)) } else { (false, a.clone()) }
}

fn with_sign(bits: usize, negative: bool, magnitude: UBig) -> UBig {
    if negative { negate(bits, &magnitude) } else { magnitude }
}

/// Truncating; defined through `bvudiv`, so by zero it is 1 for negative dividends and -1 for others.
fn sdiv(bits: usize, a: &UBig, b: &UBig) -> UBig {
    let ((s, x), (t, y)) = (parts(bits, a), parts(bits, b));
    modulo(bits, with_sign(bits, s != t, udiv(bits, &x, &y)))
}

/// `bvsrem`: the result has the sign of the dividend; by zero it is the dividend.
fn srem(bits: usize, a: &UBig, b: &UBig) -> UBig {
    let ((s, x), (_, y)) = (parts(bits, a), parts(bits, b));
    with_sign(bits, s, urem(&x, &y))
}

/// `bvsmod`: the result has the sign of the divisor; by zero it is the dividend.
fn smod(bits: usize, a: &UBig, b: &UBig) -> UBig {
    let ((s, x), (t, y)) = (parts(bits, a), parts(bits, b));
    let u = urem(&x, &y);
    match (s, t) {
        _ if u.is_zero() => u,
        (false, false) => u,
        (true, false) => modulo(bits, negate(bits, &u) + b),
        (false, true) => modulo(bits, u + b),
        (true, true) => negate(bits, &u),
    }
}

/// Returns the shift amount if it is below the width.
fn amount(bits: usize, b: &UBig) -> Option<usize> {
    usize::try_from(b).ok().filter(|n| *n < bits)
}

/// Returns the amount of a rotation by a vector.
fn rotation(bits: usize, b: &UBig) -> usize {
    let (_, r) = b.div_rem(UBig::from(bits));
    usize::try_from(r).unwrap_or(0)
}

/// Rotates by `n`, 0 to `bits`.
fn rotate_left(bits: usize, a: &UBig, n: usize) -> UBig {
    modulo(bits, (a << n) | (a >> (bits - n)))
}

fn widened(width: u32, by: u32) -> Result<u32, UnknownReason> {
    width.checked_add(by).filter(|w| *w <= MAX_WIDTH).ok_or(UnknownReason::TooLarge)
}

fn repeat(width: u32, a: &UBig, times: u32) -> Result<Value, UnknownReason> {
    let total = width.checked_mul(times).filter(|w| (1..=MAX_WIDTH).contains(w)).ok_or(UnknownReason::TooLarge)?;
    // By doubling, so that the cost is linear in the result.
    let (mut value, mut done) = (UBig::ZERO, 0usize);
    for position in (0..u32::BITS - times.leading_zeros()).rev() {
        value = (&value << (done * width as usize)) | &value;
        done *= 2;
        if times >> position & 1 == 1 {
            value = (value << width as usize) | a;
            done += 1;
        }
    }
    Ok(Value::BitVec { width: total, value })
}

fn concat(args: &[&Value]) -> Result<Value, UnknownReason> {
    let (mut width, first) = bv(args, 0)?;
    let mut value = first.clone();
    for n in 1..args.len() {
        let (w, b) = bv(args, n)?;
        width = widened(width, w)?;
        value = (value << w as usize) | b;
    }
    Ok(Value::BitVec { width, value })
}
