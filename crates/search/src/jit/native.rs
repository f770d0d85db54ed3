//! Generated machine code: it is called, and calls back, only here. Its memory is first writable, then executable, and never both.

use super::form::CodeForm;
use super::template::Templates;
use crate::interpreter::Interpreter;
use crate::ir::Program;
use std::ptr::NonNull;
use std::sync::Arc;

/// The result of compiled code: both words in registers.
#[repr(C)]
struct Returned {
    passed: u64,
    distance: u64,
}

/// The signature of compiled code: input, frame, callback context, distances.
type EntryPoint = unsafe extern "C" fn(*const u8, *mut u64, *mut Interpreter, *mut u64) -> Returned;

/// Compiled code with everything to which it points.
pub struct CompiledCode {
    entry: EntryPoint,
    /// The memory of `entry`.
    _memory: CodeMemory,
    /// The frame for values in memory, and the operations called back.
    interpreter: Box<Interpreter>,
    /// The number of input bytes that the code may read.
    buffer: usize,
    /// The number of distances that the code writes.
    distances: usize,
}

impl CompiledCode {
    /// Compiles a form of a program. None if the system gives no memory for code.
    pub fn new(program: &Arc<Program>, form: CodeForm) -> Option<CompiledCode> {
        let interpreter = Box::new(Interpreter::new(program.clone()));
        let code = Templates::function(program, interpreter.places(), form, call_back as *const () as usize as u64);
        let memory = CodeMemory::new(&code)?;
        // SAFETY: the templates made a function of this very signature, in the platform's calling convention, and its memory
        // lives as long as what is made here.
        let entry = unsafe { std::mem::transmute::<*const u8, EntryPoint>(memory.start()) };
        let distances = match form {
            CodeForm::FailFast => 0,
            CodeForm::TryAll => program.constraints.len(),
        };
        let buffer = program.layout.zeros().len();
        Some(CompiledCode { entry, _memory: memory, interpreter, buffer, distances })
    }

    /// Runs the code; the try-all form writes one distance per constraint, the other none.
    ///
    /// # Panics
    /// When the input is shorter than the layout's buffer, or there are not as many distances as the form writes.
    #[inline]
    pub fn run(&mut self, input: &[u8], distances: &mut [u64]) -> (u64, u64) {
        assert!(input.len() >= self.buffer, "the input is shorter than its layout");
        assert_eq!(distances.len(), self.distances, "the form writes another number of distances");
        let frame = self.interpreter.frame_pointer();
        let context: *mut Interpreter = &raw mut *self.interpreter;
        // SAFETY: the code reads at most `buffer` bytes of the input and writes `self.distances` words of the distances, which
        // the assertions above grant; it reads and writes the frame at places of this program only, for which the
        // interpreter made it. While it runs nothing else uses the interpreter: calls back get it through `context` alone,
        // and do not keep it.
        let returned = unsafe { (self.entry)(input.as_ptr(), frame, context, distances.as_mut_ptr()) };
        (returned.passed, returned.distance)
    }
}

/// Pages that hold finished code.
pub struct CodeMemory {
    start: NonNull<u8>,
    bytes: usize,
}

impl CodeMemory {
    /// Makes an executable copy of the code. `None` if the system rejects it.
    pub fn new(code: &[u8]) -> Option<CodeMemory> {
        let (access, kind) = (libc::PROT_READ | libc::PROT_WRITE, libc::MAP_PRIVATE | libc::MAP_ANON);
        // SAFETY: the system chooses fresh pages, so that no memory in use is replaced.
        let start = unsafe { libc::mmap(std::ptr::null_mut(), code.len(), access, kind, -1, 0) };
        if start == libc::MAP_FAILED {
            return None;
        }
        // From here on the pages are freed on drop.
        let memory = CodeMemory { start: NonNull::new(start.cast())?, bytes: code.len() };
        // SAFETY: the pages have room for `code.len()` bytes, can be written, and overlap nothing, for they are fresh.
        unsafe { std::ptr::copy_nonoverlapping(code.as_ptr(), memory.start.as_ptr(), code.len()) };
        // SAFETY: these are the pages mapped above; nobody has a reference to what is in them.
        let result = unsafe { libc::mprotect(start, code.len(), libc::PROT_READ | libc::PROT_EXEC) };
        (result == 0).then_some(memory)
    }

    /// Returns the first byte of the code.
    pub fn start(&self) -> *const u8 {
        self.start.as_ptr()
    }
}

impl Drop for CodeMemory {
    fn drop(&mut self) {
        // SAFETY: `new` mapped these pages, with this length. A caller of the code keeps this value alive.
        unsafe { libc::munmap(self.start.as_ptr().cast(), self.bytes) };
    }
}

/// Computes an operation whose arguments are in the frame, and writes its value there.
unsafe extern "C" fn call_back(context: *mut Interpreter, id: u64) {
    // SAFETY: compiled code passes on the pointer that `CompiledCode::run` gave it, to a living interpreter that nothing else uses
    // until the code returns.
    let interpreter = unsafe { &mut *context };
    interpreter.compute(id as u32);
}
