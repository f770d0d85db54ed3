//! Float32 and Float64 on the machine's own arithmetic, where the processor computes exactly what IEEE 754 says.
//!
//! Only round-to-nearest-even, the one mode Rust guarantees, and only the operations whose correct rounding the language
//! promises; `mul_add` is left out because some C libraries get it wrong. Machines whose floating-point unit keeps excess
//! precision compute in software.

use super::format::FloatFormat;
use super::rounding::RoundingMode;
use super::value::Float;

const EXACT_MACHINE: bool = cfg!(any(target_arch = "x86_64", target_arch = "aarch64", target_arch = "riscv64"));

pub(super) fn add(mode: RoundingMode, x: &Float, y: &Float) -> Option<Float> {
    binary(mode, x, y, |a, b| a + b, |a, b| a + b)
}

pub(super) fn sub(mode: RoundingMode, x: &Float, y: &Float) -> Option<Float> {
    binary(mode, x, y, |a, b| a - b, |a, b| a - b)
}

pub(super) fn mul(mode: RoundingMode, x: &Float, y: &Float) -> Option<Float> {
    binary(mode, x, y, |a, b| a * b, |a, b| a * b)
}

pub(super) fn div(mode: RoundingMode, x: &Float, y: &Float) -> Option<Float> {
    binary(mode, x, y, |a, b| a / b, |a, b| a / b)
}

pub(super) fn sqrt(mode: RoundingMode, x: &Float) -> Option<Float> {
    binary(mode, x, x, |a, _| a.sqrt(), |a, _| a.sqrt())
}

#[inline]
fn binary(
    mode: RoundingMode,
    x: &Float,
    y: &Float,
    single: impl Fn(f32, f32) -> f32,
    double: impl Fn(f64, f64) -> f64,
) -> Option<Float> {
    if !EXACT_MACHINE || mode != RoundingMode::Rne {
        return None;
    }
    let format = x.format();
    let (x, y) = (x.narrow_bits()?, y.narrow_bits()?);
    let bits = match format {
        FloatFormat::FLOAT64 => double(f64::from_bits(x), f64::from_bits(y)).to_bits(),
        FloatFormat::FLOAT32 => u64::from(single(f32::from_bits(x as u32), f32::from_bits(y as u32)).to_bits()),
        _ => return None,
    };
    // Machines differ in their NaN; reading the bits back makes it the theory's.
    Some(Float::from_u64_bits(format, bits))
}
