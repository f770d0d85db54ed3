//! Compiled evaluation: a program as machine code, through Cranelift.
//!
//! The code comes in two forms over one buffer: *fail-fast* stops at the first false constraint and says which and how far;
//! *try-all* counts the true ones and writes the distances of all. Distances are computed off the hot path, only where a
//! constraint is false. [`CompileEffort`] says how much time making it takes.

#[cfg(all(target_arch = "x86_64", unix))]
mod asm;
mod emit;
mod native;
#[cfg(all(target_arch = "x86_64", unix))]
mod template;

use crate::interpreter::{InputScore, Interpreter};
use crate::ir::Program;
use cranelift_codegen::ir::{AbiParam, Signature, UserFuncName, types};
use cranelift_codegen::isa::OwnedTargetIsa;
use cranelift_codegen::settings::{self, Configurable};
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};
use cranelift_jit::{JITBuilder, JITModule};
use cranelift_module::{FuncId, Linkage, Module, default_libcall_names};
pub use emit::CodeForm;
use emit::Emitter;
use native::CompiledCode;
use std::sync::Arc;

/// Programs with more operations are not compiled by Cranelift: that would take longer than most searches.
pub const MAX_OPERATIONS: usize = 60_000;

/// How much work compiling takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CompileEffort {
    /// A template for each operation, on x86-64 only.
    Template,
    /// Cranelift with nothing optimised and registers given in one pass.
    Fast,
    /// Cranelift's optimised code.
    Thorough,
}

impl CompileEffort {
    /// The least that this machine knows.
    pub const LEAST: CompileEffort =
        if cfg!(all(target_arch = "x86_64", unix)) { CompileEffort::Template } else { CompileEffort::Fast };

    /// Nanoseconds that compiling an operation takes at most, on a slow or busy machine.
    pub fn nanoseconds(self) -> u64 {
        match self {
            CompileEffort::Template => 500,
            CompileEffort::Fast => 40_000,
            CompileEffort::Thorough => 200_000,
        }
    }

    fn max_operations(self) -> usize {
        match self {
            #[cfg(all(target_arch = "x86_64", unix))]
            CompileEffort::Template => template::MAX_OPERATIONS,
            _ => MAX_OPERATIONS,
        }
    }
}

/// Why there is no machine code.
#[derive(Debug, thiserror::Error)]
pub enum JitError {
    /// This processor or system is not one Cranelift compiles for.
    #[error("this machine has no compiler: {0}")]
    Machine(String),
    /// The program is too large.
    #[error("the program has more than {0} operations")]
    TooLarge(usize),
    /// Cranelift refused the code.
    #[error("cannot compile: {0}")]
    Compile(String),
}

/// A compiled program, with the memory its code works on.
pub struct Jit {
    code: CompiledCode,
    constraints: u32,
}

impl Jit {
    /// Compiles one form of a program.
    ///
    /// # Errors
    /// [`JitError`], and the program can be interpreted.
    pub fn new(program: &Arc<Program>, form: CodeForm, effort: CompileEffort) -> Result<Jit, JitError> {
        let limit = effort.max_operations();
        if program.nodes.len() > limit {
            return Err(JitError::TooLarge(limit));
        }
        let interpreter = Interpreter::new(program.clone());
        let mut module = JITModule::new(JITBuilder::with_isa(isa(effort)?, default_libcall_names()));
        let mut signature = module.make_signature();
        signature.params.extend([AbiParam::new(types::I64); 4]);
        signature.returns.extend([AbiParam::new(types::I64); 2]);
        let id = module.declare_function("program", Linkage::Local, &signature).map_err(failed)?;
        match effort {
            CompileEffort::Template => by_templates(&mut module, id, &interpreter, form)?,
            _ => by_cranelift(&mut module, id, signature, &interpreter, form)?,
        }
        module.finalize_definitions().map_err(failed)?;
        let entry = module.get_finalized_function(id);
        let buffer = program.layout.zeros().len();
        Ok(Jit {
            code: CompiledCode::new(module, entry, interpreter, buffer),
            constraints: program.constraints.len() as u32,
        })
    }

    /// Runs the fail-fast form.
    #[inline]
    pub fn fail_fast(&mut self, input: &[u8]) -> InputScore {
        let (passed, distance) = self.code.run(input, &mut []);
        InputScore { passed: passed as u32, distance }
    }

    /// Runs the try-all form; see [`Interpreter::try_all`].
    #[inline]
    pub fn try_all(&mut self, input: &[u8], distances: &mut [u64]) -> u32 {
        debug_assert_eq!(distances.len(), self.constraints as usize);
        self.code.run(input, distances).0 as u32
    }
}

fn failed(error: cranelift_module::ModuleError) -> JitError {
    JitError::Compile(error.to_string())
}

fn by_cranelift(
    module: &mut JITModule,
    id: FuncId,
    signature: Signature,
    interpreter: &Interpreter,
    form: CodeForm,
) -> Result<(), JitError> {
    let mut context = module.make_context();
    context.func.signature = signature;
    context.func.name = UserFuncName::user(0, id.as_u32());
    let mut shared = FunctionBuilderContext::new();
    let mut builder = FunctionBuilder::new(&mut context.func, &mut shared);
    Emitter::new(interpreter.program(), interpreter.places(), &mut builder).function(form);
    builder.seal_all_blocks();
    builder.finalize(module.target_config());
    module.define_function(id, &mut context).map_err(failed)
}

/// Cranelift's module only gives the memory here.
#[cfg(all(target_arch = "x86_64", unix))]
fn by_templates(module: &mut JITModule, id: FuncId, interpreter: &Interpreter, form: CodeForm) -> Result<(), JitError> {
    let code = template::Templates::function(interpreter.program(), interpreter.places(), form);
    module.define_function_bytes(id, 16, &code, &[]).map_err(failed)
}

#[cfg(not(all(target_arch = "x86_64", unix)))]
fn by_templates(_: &mut JITModule, _: FuncId, _: &Interpreter, _: CodeForm) -> Result<(), JitError> {
    Err(JitError::Machine("there are templates for x86-64 only".to_string()))
}

fn isa(effort: CompileEffort) -> Result<OwnedTargetIsa, JitError> {
    let mut flags = settings::builder();
    let (level, algorithm) = match effort {
        CompileEffort::Template | CompileEffort::Fast => ("none", "single_pass"),
        CompileEffort::Thorough => ("speed", "backtracking"),
    };
    let verifier = if cfg!(debug_assertions) { "true" } else { "false" };
    for (flag, value) in [
        ("opt_level", level),
        ("regalloc_algorithm", algorithm),
        ("enable_verifier", verifier),
        ("is_pic", "false"),
        ("use_colocated_libcalls", "false"),
        ("unwind_info", "false"),
    ] {
        flags.set(flag, value).map_err(|e| JitError::Machine(e.to_string()))?;
    }
    let builder = cranelift_native::builder().map_err(|e| JitError::Machine(e.to_string()))?;
    builder.finish(settings::Flags::new(flags)).map_err(|e| JitError::Machine(e.to_string()))
}
