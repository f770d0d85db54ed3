//! The one place where machine code made here is called, and calls back.

use crate::interpreter::Interpreter;
use crate::ir::{IrNode, OpCode};
use crate::types::Ty;
use crate::word;
use cranelift_jit::JITModule;
use semantics::float::FloatFormat;

/// What compiled code returns: both words in registers.
#[repr(C)]
struct Returned {
    passed: u64,
    distance: u64,
}

/// The signature of compiled code: input, frame, context for calls back, distances.
type EntryPoint = unsafe extern "C" fn(*const u8, *mut u64, *mut Interpreter, *mut u64) -> Returned;

/// Compiled code with all that it points to.
pub struct CompiledCode {
    /// Owns the executable memory; taken when it is freed.
    module: Option<JITModule>,
    entry: EntryPoint,
    /// The frame for values in memory, and the exact operations called back.
    interpreter: Box<Interpreter>,
    /// Bytes the code may read of the input.
    buffer: usize,
    constraints: usize,
}

impl CompiledCode {
    /// Wraps finished code.
    pub fn new(module: JITModule, entry: *const u8, interpreter: Interpreter, buffer: usize) -> CompiledCode {
        // SAFETY: `entry` is the start of a function that `emit` gave this very signature, in the platform's calling
        // convention, and `module` keeps its memory alive and executable as long as `self` lives.
        let entry = unsafe { std::mem::transmute::<*const u8, EntryPoint>(entry) };
        let constraints = interpreter.program().constraints.len();
        CompiledCode { module: Some(module), entry, interpreter: Box::new(interpreter), buffer, constraints }
    }

    /// Runs the code; the try-all form writes one distance a constraint.
    ///
    /// # Panics
    /// When the input is shorter than the layout's buffer, or `distances` is neither empty nor one a constraint.
    #[inline]
    pub fn run(&mut self, input: &[u8], distances: &mut [u64]) -> (u64, u64) {
        assert!(input.len() >= self.buffer, "the input is shorter than its layout");
        assert!(distances.is_empty() || distances.len() == self.constraints, "one distance a constraint");
        let context: *mut Interpreter = &raw mut *self.interpreter;
        let frame = self.interpreter.frame_pointer();
        // SAFETY: the code reads at most `buffer` bytes of the input, which the assertion above grants; it reads and
        // writes the frame at places of this program only, for which the interpreter made it; it writes `distances` in
        // the try-all form only, whose callers pass one word a constraint. While it runs nothing else uses the
        // interpreter: calls back get it through `context` alone, and do not keep it.
        let returned = unsafe { (self.entry)(input.as_ptr(), frame, context, distances.as_mut_ptr()) };
        (returned.passed, returned.distance)
    }
}

impl Drop for CompiledCode {
    fn drop(&mut self) {
        if let Some(module) = self.module.take() {
            // SAFETY: `entry` is called by `run` only, which needs the value that is being dropped.
            unsafe { module.free_memory() }
        }
    }
}

/// Computes an operation whose arguments are in the frame, and leaves its value there.
pub unsafe extern "C" fn call_back(context: *mut Interpreter, id: u64) {
    // SAFETY: compiled code passes on the pointer that `CompiledCode::run` gave it, to a living interpreter that nothing else uses
    // until the code returns.
    let interpreter = unsafe { &mut *context };
    interpreter.compute(id as u32);
}

/// An operation on words by its interpretation. `code` is the operation's number and its widths; see [`pack`].
pub extern "C" fn interpret(code: u64, a: u64, b: u64, c: u64) -> u64 {
    let node = unpack(code);
    word::apply(&node, a, b, c)
}

/// The operations that compiled code calls instead of doing them itself.
const CALLED: [OpCode; 9] = [
    OpCode::Sdiv,
    OpCode::Srem,
    OpCode::Smod,
    OpCode::FAddIn,
    OpCode::FSubIn,
    OpCode::FMulIn,
    OpCode::FDivIn,
    OpCode::FSqrtIn,
    OpCode::FIntegral,
];

/// An operation as one word: its place in [`CALLED`], the kind and width of its result, and its number. None if it is not
/// called.
pub fn pack(node: &IrNode) -> Option<u64> {
    let place = CALLED.iter().position(|&c| c == node.code)? as u64;
    let (is_float, width) = match node.ty {
        Ty::Float(format) => (1, format.width()),
        ty => (0, ty.width()),
    };
    Some(place | is_float << 8 | u64::from(width) << 16 | node.imm << 32)
}

fn unpack(packed: u64) -> IrNode {
    let width = (packed >> 16 & 0xffff) as u32;
    let ty = match (packed >> 8 & 1 == 1, width) {
        (true, 32) => Ty::Float(FloatFormat::FLOAT32),
        (true, _) => Ty::Float(FloatFormat::FLOAT64),
        (false, _) => Ty::Bits(width),
    };
    let code = CALLED[(packed & 0xff) as usize % CALLED.len()];
    IrNode { code, ty, args: [0; 4], imm: packed >> 32 }
}
