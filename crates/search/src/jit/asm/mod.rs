//! The few x86-64 instructions used by templates.
//!
//! In generated code `rbx` is the frame, `r12` the input, `r13` the callback context, `r14` the distances and `r15` a counter; `rax`,
//! `rcx`, `rdx`, `xmm0` and `xmm1` are free. Encodings follow Intel's manual (volume 2); a memory operand is always the frame with a
//! displacement of 32 bits.

mod float;
mod integer;

/// The registers that words are in.
#[derive(Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum Reg {
    /// The accumulator.
    Rax = 0,
    /// The second operand.
    Rcx = 1,
    /// A third.
    Rdx = 2,
}

/// A condition after a comparison: the low four bits of the conditional instructions.
#[derive(Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum Cond {
    /// Unsigned, or the carry is set.
    Below = 0x2,
    /// Unsigned, or of floats.
    AboveOrEqual = 0x3,
    /// Or zero.
    Equal = 0x4,
    /// Unsigned.
    BelowOrEqual = 0x6,
    /// Unsigned, or of floats.
    Above = 0x7,
    /// One of the floats is NaN.
    Unordered = 0xa,
    /// Signed.
    Less = 0xc,
    /// Signed.
    LessOrEqual = 0xe,
}

/// A jump with an unknown target: the offset of its displacement.
#[must_use]
pub struct Jump(usize);

/// A place in the code.
#[derive(Clone, Copy)]
pub struct CodeLabel(usize);

/// The code so far.
pub struct Assembler {
    code: Vec<u8>,
}

/// Bytes of the displacement of a jump.
const DISPLACEMENT: usize = 4;

/// Frames and jumps.
impl Assembler {
    /// Starts without code, with room for the given number of bytes.
    pub fn with_capacity(bytes: usize) -> Assembler {
        Assembler { code: Vec::with_capacity(bytes) }
    }

    /// Returns the code.
    pub fn finish(self) -> Vec<u8> {
        self.code
    }

    fn put(&mut self, bytes: &[u8]) {
        self.code.extend_from_slice(bytes);
    }

    /// Emits an instruction with a register and the frame at a displacement.
    fn frame(&mut self, opcode: &[u8], register: u8, at: i32) {
        self.put(opcode);
        // Mode 2 (displacement of 32 bits), base `rbx`.
        self.code.push(0x80 | register << 3 | 3);
        self.put(&at.to_le_bytes());
    }

    /// Saves the registers of the caller, and takes the four parameters. Five pushes leave the stack aligned for calls.
    pub fn enter(&mut self) {
        self.put(&[0x53, 0x41, 0x54, 0x41, 0x55, 0x41, 0x56, 0x41, 0x57]);
        // mov r12, rdi; mov rbx, rsi; mov r13, rdx; mov r14, rcx
        self.put(&[0x49, 0x89, 0xfc, 0x48, 0x89, 0xf3, 0x49, 0x89, 0xd5, 0x49, 0x89, 0xce]);
    }

    /// Returns what is in `rax` and `rdx`.
    pub fn leave(&mut self) {
        self.put(&[0x41, 0x5f, 0x41, 0x5e, 0x41, 0x5d, 0x41, 0x5c, 0x5b, 0xc3]);
    }

    /// Emits a jump to later code.
    pub fn jump(&mut self) -> Jump {
        self.put(&[0xe9, 0, 0, 0, 0]);
        Jump(self.code.len() - DISPLACEMENT)
    }

    /// Emits a jump to later code, taken if the condition holds.
    pub fn jump_if(&mut self, condition: Cond) -> Jump {
        self.put(&[0x0f, 0x80 | condition as u8, 0, 0, 0, 0]);
        Jump(self.code.len() - DISPLACEMENT)
    }

    /// Sets the target of a jump to this position.
    pub fn land(&mut self, jump: Jump) {
        let distance = (self.code.len() - jump.0 - DISPLACEMENT) as u32;
        self.code[jump.0..jump.0 + DISPLACEMENT].copy_from_slice(&distance.to_le_bytes());
    }

    /// Returns this position.
    pub fn here(&self) -> CodeLabel {
        CodeLabel(self.code.len())
    }

    /// Emits a jump to earlier code.
    pub fn jump_back(&mut self, to: CodeLabel) {
        let distance = to.0 as i64 - (self.code.len() + 1 + DISPLACEMENT) as i64;
        self.code.push(0xe9);
        self.put(&(distance as i32).to_le_bytes());
    }

    /// Calls a function with the context and a number.
    pub fn call(&mut self, function: u64, number: u32) {
        // mov rdi, r13; mov esi, number; mov rax, function; call rax
        self.put(&[0x4c, 0x89, 0xef, 0xbe]);
        self.put(&number.to_le_bytes());
        self.put(&[0x48, 0xb8]);
        self.put(&function.to_le_bytes());
        self.put(&[0xff, 0xd0]);
    }

    /// Sets the count to 0.
    pub fn zero_count(&mut self) {
        self.put(&[0x45, 0x31, 0xff]);
    }

    /// Increments the count.
    pub fn count(&mut self) {
        self.put(&[0x49, 0xff, 0xc7]);
    }

    /// Moves the count to `rax`.
    pub fn count_to_rax(&mut self) {
        self.put(&[0x4c, 0x89, 0xf8]);
    }

    /// Writes `rdx` as the distance of a number.
    pub fn store_distance(&mut self, number: usize) {
        self.put(&[0x49, 0x89, 0x96]);
        self.put(&(number as i32 * 8).to_le_bytes());
    }
}
