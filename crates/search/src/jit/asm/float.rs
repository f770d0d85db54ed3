//! The instructions on floats, in `xmm0`. A Float32 is in the low half of its word, whose high half is 0.

use super::{Assembler, Reg};

impl Assembler {
    /// Returns the prefix of the scalar instructions of a format.
    fn scalar(double: bool) -> u8 {
        if double { 0xf2 } else { 0xf3 }
    }

    /// Loads a float of the frame.
    pub fn float_load(&mut self, double: bool, at: i32) {
        self.frame(&[Self::scalar(double), 0x0f, 0x10], 0, at);
    }

    /// Stores the float into the frame, as a whole word.
    pub fn float_store(&mut self, at: i32) {
        self.frame(&[0x66, 0x0f, 0xd6], 0, at);
    }

    /// Plus a float of the frame.
    pub fn float_add(&mut self, double: bool, at: i32) {
        self.frame(&[Self::scalar(double), 0x0f, 0x58], 0, at);
    }

    /// Minus a float of the frame.
    pub fn float_sub(&mut self, double: bool, at: i32) {
        self.frame(&[Self::scalar(double), 0x0f, 0x5c], 0, at);
    }

    /// Times a float of the frame.
    pub fn float_mul(&mut self, double: bool, at: i32) {
        self.frame(&[Self::scalar(double), 0x0f, 0x59], 0, at);
    }

    /// Divided by a float of the frame.
    pub fn float_div(&mut self, double: bool, at: i32) {
        self.frame(&[Self::scalar(double), 0x0f, 0x5e], 0, at);
    }

    /// Computes the float's square root.
    pub fn float_sqrt(&mut self, double: bool) {
        self.put(&[Self::scalar(double), 0x0f, 0x51, 0xc0]);
    }

    /// Compares with a float of the frame. NaN sets the flags of unordered, carry and zero.
    pub fn float_compare(&mut self, double: bool, at: i32) {
        let opcode: &[u8] = if double { &[0x66, 0x0f, 0x2e] } else { &[0x0f, 0x2e] };
        self.frame(opcode, 0, at);
    }

    /// Compares with itself.
    pub fn float_compare_self(&mut self, double: bool) {
        let instruction: &[u8] = if double { &[0x66, 0x0f, 0x2e, 0xc0] } else { &[0x0f, 0x2e, 0xc0] };
        self.put(instruction);
    }

    /// Loads a float of the frame in the other format: Float32 promoted, or Float64 demoted.
    pub fn float_convert(&mut self, promote: bool, at: i32) {
        // xorps xmm0, xmm0: a demoted float leaves the rest of the register unchanged.
        self.put(&[0x0f, 0x57, 0xc0]);
        self.frame(&[Self::scalar(!promote), 0x0f, 0x5a], 0, at);
    }

    /// Converts the signed integer in `rax` to the nearest float.
    pub fn float_of_integer(&mut self, double: bool) {
        self.put(&[0x0f, 0x57, 0xc0, Self::scalar(double), 0x48, 0x0f, 0x2a, 0xc0]);
    }

    /// Flips the sign of the pattern in `rax`, or clears it.
    pub fn sign(&mut self, turn: bool, double: bool) {
        let operation = if turn { 0xf8 } else { 0xf0 };
        if double {
            self.put(&[0x48, 0x0f, 0xba, operation, 63]);
        } else {
            self.put(&[0x0f, 0xba, operation, 31]);
        }
    }

    /// Converts the pattern in `rax` to its position in the order of floats, both zeros in one place.
    pub fn rank(&mut self, double: bool) {
        if double {
            // mov rcx, rax
            self.put(&[0x48, 0x89, 0xc1]);
        } else {
            // movsxd rcx, eax
            self.put(&[0x48, 0x63, 0xc8]);
        }
        // sar rcx, 63
        self.put(&[0x48, 0xc1, 0xf9, 63]);
        self.sign(false, double);
        // xor rax, rcx; sub rax, rcx: the magnitude with its sign
        self.put(&[0x48, 0x31, 0xc8, 0x48, 0x29, 0xc8]);
        self.flip(Reg::Rax, 63);
    }
}
