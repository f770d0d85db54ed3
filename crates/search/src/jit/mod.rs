//! Compiled evaluation: a program as machine code, on x86-64 under Unix.
//!
//! The code has two forms over one buffer: *fail-fast* stops at the first false constraint and returns its number and distance; *try-all*
//! counts the true ones and writes the distances of all. Distances are computed off the hot path, only for false constraints.

#[cfg(not(all(target_arch = "x86_64", unix)))]
mod absent;
#[cfg(all(target_arch = "x86_64", unix))]
mod asm;
mod form;
#[cfg(all(target_arch = "x86_64", unix))]
mod native;
#[cfg(all(target_arch = "x86_64", unix))]
mod template;

use crate::interpreter::InputScore;
use crate::ir::Program;
#[cfg(not(all(target_arch = "x86_64", unix)))]
use absent::AbsentCode as CompiledCode;
pub use form::CodeForm;
#[cfg(all(target_arch = "x86_64", unix))]
use native::CompiledCode;
use std::sync::Arc;

/// Whether this machine runs compiled code.
pub const AVAILABLE: bool = cfg!(all(target_arch = "x86_64", unix));

/// Programs with more operations are interpreted: their code would take too much memory.
const MAX_OPERATIONS: usize = 1_000_000;

/// The maximum nanoseconds to compile an operation, on a slow or busy machine.
pub const NANOSECONDS: u64 = 500;

/// A compiled program, with the memory its code works on.
pub struct Jit {
    code: CompiledCode,
}

impl Jit {
    /// Compiles one form of a program. `None` if the machine has no templates, the program is too large, or the system provides no memory
    /// for code; the program can be interpreted then.
    pub fn new(program: &Arc<Program>, form: CodeForm) -> Option<Jit> {
        if program.nodes.len() > MAX_OPERATIONS {
            return None;
        }
        Some(Jit { code: CompiledCode::new(program, form)? })
    }

    /// Runs the fail-fast form.
    ///
    /// # Panics
    /// When this is the try-all form of a program with constraints, or the input is too short.
    #[inline]
    pub fn fail_fast(&mut self, input: &[u8]) -> InputScore {
        let (passed, distance) = self.code.run(input, &mut []);
        InputScore { passed: passed as u32, distance }
    }

    /// Runs the try-all form; see [`Interpreter::try_all`](crate::interpreter::Interpreter::try_all).
    ///
    /// # Panics
    /// When this is the fail-fast form of a program with constraints, the input is too short, or there is not one distance a
    /// constraint.
    #[inline]
    pub fn try_all(&mut self, input: &[u8], distances: &mut [u64]) -> u32 {
        self.code.run(input, distances).0 as u32
    }
}
