//! The semantics of operations on machine words, for the interpreter, for constant folding, and as the templates' reference.

use crate::ir::{FAR, IrNode, OpCode};
use crate::rounding;
use crate::types::{NativeFormat, Ty, WORD, mask};
use semantics::float::RoundingMode;

pub use crate::types::{NAN32, NAN64, canonical, infinity, is_nan, mode, nan, rank, sign_bit};

/// Computes an operation whose arguments and result are words.
///
/// [`OpCode::Input`], [`OpCode::Const`], [`OpCode::Limb`] and [`OpCode::Exact`] are not among these; they return 0.
#[inline]
pub fn apply(node: &IrNode, a: u64, b: u64, c: u64) -> u64 {
    use OpCode::*;
    let width = node.ty.width();
    let imm = node.imm as u32;
    match node.code {
        Input | Const | Exact | Limb => 0,
        Ite => {
            if a != 0 {
                b
            } else {
                c
            }
        }
        Not => !a & mask(width),
        And => a & b,
        Or => a | b,
        Xor => a ^ b,
        Eq => u64::from(a == b),
        Add => a.wrapping_add(b) & mask(width),
        Sub => a.wrapping_sub(b) & mask(width),
        Mul => a.wrapping_mul(b) & mask(width),
        Neg => a.wrapping_neg() & mask(width),
        Udiv => udiv(a, b, width),
        Urem => urem(a, b),
        Sdiv => sdiv(a, b, width),
        Srem => srem(a, b, width),
        Smod => smod(a, b, width),
        Shl => {
            if b >= u64::from(width) {
                0
            } else {
                (a << b) & mask(width)
            }
        }
        Lshr => {
            if b >= u64::from(width) {
                0
            } else {
                a >> b
            }
        }
        Ashr => ((signed(a, width) >> b.min(u64::from(WORD - 1))) as u64) & mask(width),
        Ult => u64::from(a < b),
        Ule => u64::from(a <= b),
        Slt => u64::from(signed(a, imm) < signed(b, imm)),
        Sle => u64::from(signed(a, imm) <= signed(b, imm)),
        Concat => a << imm | b,
        Extract => (a >> imm) & mask(width),
        SignExtend => (signed(a, imm) as u64) & mask(width),
        Same => a,
        FAdd | FSub | FMul | FDiv | FSqrt => arithmetic(node.code, node.ty, a, b),
        FAddIn => rounding::apply(rounding::Operation::Add, node.ty, a, b, c),
        FSubIn => rounding::apply(rounding::Operation::Sub, node.ty, a, b, c),
        FMulIn => rounding::apply(rounding::Operation::Mul, node.ty, a, b, c),
        FDivIn => rounding::apply(rounding::Operation::Div, node.ty, a, b, c),
        FSqrtIn => rounding::apply(rounding::Operation::Sqrt, node.ty, a, b, b),
        FIntegral => integral(node.ty, mode(node.imm), a),
        FNeg => {
            if is_nan(a, width) {
                a
            } else {
                a ^ sign_bit(width)
            }
        }
        FAbs => a & !sign_bit(width),
        FLt => u64::from(compare(a, b, imm, |x, y| x < y)),
        FLe => u64::from(compare(a, b, imm, |x, y| x <= y)),
        FEq => u64::from(compare(a, b, imm, |x, y| x == y)),
        FSame => u64::from(same(a, b, imm)),
        FIsNan => u64::from(is_nan(a, imm)),
        FIsInfinite => u64::from(a & !sign_bit(imm) == infinity(imm)),
        FIsZero => u64::from(a & !sign_bit(imm) == 0),
        FIsNormal => {
            let magnitude = a & !sign_bit(imm);
            u64::from(magnitude >= least_normal(imm) && magnitude < infinity(imm))
        }
        FIsSubnormal => {
            let magnitude = a & !sign_bit(imm);
            u64::from(magnitude != 0 && magnitude < least_normal(imm))
        }
        FIsNegative => u64::from(a & sign_bit(imm) != 0 && !is_nan(a, imm)),
        FIsPositive => u64::from(a & sign_bit(imm) == 0 && !is_nan(a, imm)),
        FFromBits => canonical(a, width),
        FToBits => canonical(a, imm),
        FPromote => canonical(f64::from(f32::from_bits(a as u32)).to_bits(), width),
        FDemote => canonical(u64::from((f64::from_bits(a) as f32).to_bits()), width),
        FFromSigned => match node.ty.native() {
            Some(NativeFormat::Single) => u64::from((signed(a, imm) as f32).to_bits()),
            _ => (signed(a, imm) as f64).to_bits(),
        },
        FFromUnsigned => match node.ty.native() {
            Some(NativeFormat::Single) => u64::from((a as f32).to_bits()),
            _ => (a as f64).to_bits(),
        },
        Saturate => a.saturating_add(b),
        Min => a.min(b),
        GapEq => {
            let forward = a.wrapping_sub(b) & mask(imm);
            forward.min(b.wrapping_sub(a) & mask(imm))
        }
        GapUlt => gap_lt(a, b),
        GapUle => a.saturating_sub(b),
        GapSlt => gap_lt(biased(a, imm), biased(b, imm)),
        GapSle => biased(a, imm).saturating_sub(biased(b, imm)),
        GapFLt => gap_float(a, b, imm, gap_lt),
        GapFLe => gap_float(a, b, imm, u64::saturating_sub),
        GapFEq => gap_float(a, b, imm, u64::abs_diff),
        GapFSame => {
            if same(a, b, imm) {
                0
            } else {
                // Zeros of different sign are equal for `fp.eq`, but not for `=`.
                gap_float(a, b, imm, u64::abs_diff).max(1)
            }
        }
    }
}

/// Returns the signed number of the low `width` bits.
#[inline]
pub fn signed(a: u64, width: u32) -> i64 {
    let unused = WORD - width;
    (a << unused) as i64 >> unused
}

/// Returns the bits with the sign flipped, which orders signed vectors like unsigned ones.
#[inline]
fn biased(a: u64, width: u32) -> u64 {
    a ^ (1 << (width - 1))
}

#[inline]
fn gap_lt(a: u64, b: u64) -> u64 {
    if a < b { 0 } else { (a - b).saturating_add(1) }
}

#[inline]
fn udiv(a: u64, b: u64, width: u32) -> u64 {
    a.checked_div(b).unwrap_or(mask(width))
}

#[inline]
fn urem(a: u64, b: u64) -> u64 {
    a.checked_rem(b).unwrap_or(a)
}

/// `bvsdiv`: the quotient is truncated. Division by zero gives 1 for a negative dividend, and -1 for any other.
pub fn sdiv(a: u64, b: u64, width: u32) -> u64 {
    let (x, y) = (signed(a, width), signed(b, width));
    let quotient = match y {
        0 if x < 0 => 1,
        0 => -1,
        _ => x.wrapping_div(y),
    };
    quotient as u64 & mask(width)
}

/// `bvsrem`: the result has the sign of the dividend. With divisor zero it is the dividend.
pub fn srem(a: u64, b: u64, width: u32) -> u64 {
    let (x, y) = (signed(a, width), signed(b, width));
    let remainder = if y == 0 { x } else { x.wrapping_rem(y) };
    remainder as u64 & mask(width)
}

/// `bvsmod`: the result has the sign of the divisor. With divisor zero it is the dividend.
pub fn smod(a: u64, b: u64, width: u32) -> u64 {
    let (x, y) = (signed(a, width), signed(b, width));
    let remainder = if y == 0 { x } else { x.wrapping_rem(y) };
    let moved =
        if y != 0 && remainder != 0 && (remainder < 0) != (y < 0) { remainder.wrapping_add(y) } else { remainder };
    moved as u64 & mask(width)
}

#[inline]
fn least_normal(width: u32) -> u64 {
    if width == 32 { 1 << 23 } else { 1 << 52 }
}

#[inline]
fn same(a: u64, b: u64, width: u32) -> bool {
    a == b || is_nan(a, width) && is_nan(b, width)
}

#[inline]
fn compare(a: u64, b: u64, width: u32, holds: impl Fn(f64, f64) -> bool) -> bool {
    if width == 32 {
        // Every Float32 is a Float64, in the same order.
        holds(f64::from(f32::from_bits(a as u32)), f64::from(f32::from_bits(b as u32)))
    } else {
        holds(f64::from_bits(a), f64::from_bits(b))
    }
}

#[inline]
fn gap_float(a: u64, b: u64, width: u32, gap: impl Fn(u64, u64) -> u64) -> u64 {
    if is_nan(a, width) || is_nan(b, width) {
        return FAR;
    }
    gap(rank(a, width), rank(b, width)).min(FAR - 1)
}

/// Arithmetic that rounds to nearest even. Each operation is one instruction.
macro_rules! arithmetic_of {
    ($code:expr, $x:expr, $y:expr) => {{
        let (x, y) = ($x, $y);
        match $code {
            OpCode::FAdd => x + y,
            OpCode::FSub => x - y,
            OpCode::FMul => x * y,
            OpCode::FDiv => x / y,
            _ => x.sqrt(),
        }
    }};
}

#[inline]
fn arithmetic(code: OpCode, ty: Ty, a: u64, b: u64) -> u64 {
    if ty.native() == Some(NativeFormat::Single) {
        let result = arithmetic_of!(code, f32::from_bits(a as u32), f32::from_bits(b as u32));
        return canonical(u64::from(result.to_bits()), 32);
    }
    canonical(arithmetic_of!(code, f64::from_bits(a), f64::from_bits(b)).to_bits(), 64)
}

/// Rounds a float to an integral value in a mode.
macro_rules! integral_of {
    ($mode:expr, $x:expr) => {{
        let x = $x;
        match $mode {
            RoundingMode::Rne => x.round_ties_even(),
            RoundingMode::Rna => x.round(),
            RoundingMode::Rtp => x.ceil(),
            RoundingMode::Rtn => x.floor(),
            RoundingMode::Rtz => x.trunc(),
        }
    }};
}

/// `fp.roundToIntegral` of a native format.
pub fn integral(ty: Ty, mode: RoundingMode, a: u64) -> u64 {
    if ty.native() == Some(NativeFormat::Single) {
        return canonical(u64::from(integral_of!(mode, f32::from_bits(a as u32)).to_bits()), 32);
    }
    canonical(integral_of!(mode, f64::from_bits(a)).to_bits(), 64)
}
