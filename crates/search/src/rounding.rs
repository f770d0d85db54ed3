//! Float32 and Float64 arithmetic in every rounding mode: by the processor, with its mode set around one instruction, and by exact code
//! if the processor has no such mode.

use crate::types::{self, canonical};
use crate::types::{NativeFormat, Ty};
use semantics::float::{Float, FloatFormat, RoundingMode};

/// An operation that rounds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Operation {
    /// `fp.add`.
    Add,
    /// `fp.sub`.
    Sub,
    /// `fp.mul`.
    Mul,
    /// `fp.div`.
    Div,
    /// `fp.sqrt` of the first argument.
    Sqrt,
}

/// Returns the result in the mode of index `mode`, for a native type.
pub fn apply(operation: Operation, ty: Ty, mode: u64, x: u64, y: u64) -> u64 {
    let mode = types::mode(mode);
    let single = ty.native() == Some(NativeFormat::Single);
    if let Some(result) = directed::apply(operation, single, mode, x, y) {
        return canonical(result, if single { 32 } else { 64 });
    }
    let format = if single { FloatFormat::FLOAT32 } else { FloatFormat::FLOAT64 };
    let (x, y) = (Float::from_u64_bits(format, x), Float::from_u64_bits(format, y));
    let result = match operation {
        Operation::Add => x.add(mode, &y),
        Operation::Sub => x.sub(mode, &y),
        Operation::Mul => x.mul(mode, &y),
        Operation::Div => x.div(mode, &y),
        Operation::Sqrt => x.sqrt(mode),
    };
    result.narrow_bits().unwrap_or(0)
}

/// The processor's directed modes.
#[cfg(target_arch = "x86_64")]
mod directed {
    use super::{Operation, RoundingMode};
    use std::arch::asm;

    /// One instruction between two writes of MXCSR, in one block: the compiler neither moves the operation out of it nor merges it with
    /// one in another mode.
    macro_rules! in_mode {
        ($instruction:literal, $kind:ty, $control:expr, $x:expr, $y:expr) => {{
            let (mut x, y): ($kind, $kind) = ($x, $y);
            let (control, mut saved): (u32, u32) = ($control, 0);
            // SAFETY: the block reads and writes the two variables it is given the addresses of, and leaves MXCSR as it
            // found it, so that no code outside sees another rounding mode. All exceptions are masked in `control`.
            unsafe {
                asm!(
                    "stmxcsr dword ptr [{saved}]",
                    "ldmxcsr dword ptr [{control}]",
                    concat!($instruction, " {x}, {y}"),
                    "ldmxcsr dword ptr [{saved}]",
                    x = inout(xmm_reg) x,
                    y = in(xmm_reg) y,
                    saved = in(reg) &mut saved,
                    control = in(reg) &control,
                    options(nostack),
                );
            }
            x
        }};
    }

    /// Returns the result's pattern; `None` if the processor has no such mode.
    pub fn apply(operation: Operation, single: bool, mode: RoundingMode, x: u64, y: u64) -> Option<u64> {
        // MXCSR: all exceptions masked (bits 7 to 12), the rounding control in bits 13 and 14, subnormals as they are.
        let control = 0x1f80
            | match mode {
                RoundingMode::Rna => return None,
                RoundingMode::Rne => 0,
                RoundingMode::Rtn => 1 << 13,
                RoundingMode::Rtp => 2 << 13,
                RoundingMode::Rtz => 3 << 13,
            };
        Some(if single {
            let (x, y) = (f32::from_bits(x as u32), f32::from_bits(y as u32));
            u64::from(f32::to_bits(match operation {
                Operation::Add => in_mode!("addss", f32, control, x, y),
                Operation::Sub => in_mode!("subss", f32, control, x, y),
                Operation::Mul => in_mode!("mulss", f32, control, x, y),
                Operation::Div => in_mode!("divss", f32, control, x, y),
                Operation::Sqrt => in_mode!("sqrtss", f32, control, x, x),
            }))
        } else {
            let (x, y) = (f64::from_bits(x), f64::from_bits(y));
            f64::to_bits(match operation {
                Operation::Add => in_mode!("addsd", f64, control, x, y),
                Operation::Sub => in_mode!("subsd", f64, control, x, y),
                Operation::Mul => in_mode!("mulsd", f64, control, x, y),
                Operation::Div => in_mode!("divsd", f64, control, x, y),
                Operation::Sqrt => in_mode!("sqrtsd", f64, control, x, x),
            })
        })
    }
}

/// Machines whose modes this program does not set.
#[cfg(not(target_arch = "x86_64"))]
mod directed {
    use super::{Operation, RoundingMode};

    /// None: exact code computes the result.
    pub fn apply(_: Operation, _: bool, _: RoundingMode, _: u64, _: u64) -> Option<u64> {
        None
    }
}

#[cfg(test)]
#[path = "../tests/unit/rounding.rs"]
mod tests;
