//! Instructions for words: moves, Boolean operators, arithmetic of bit-vectors and distances.

use super::{Assembler, Cond, Reg};

impl Assembler {
    /// Loads a word of the frame.
    pub fn load(&mut self, to: Reg, at: i32) {
        self.frame(&[0x48, 0x8b], to as u8, at);
    }

    /// Stores a word into the frame.
    pub fn store(&mut self, at: i32, from: Reg) {
        self.frame(&[0x48, 0x89], from as u8, at);
    }

    /// Loads a constant; the flags are lost.
    pub fn constant(&mut self, to: Reg, value: u64) {
        if value == 0 {
            let r = to as u8;
            self.put(&[0x31, 0xc0 | r << 3 | r]);
        } else {
            self.constant_keeping_flags(to, value);
        }
    }

    /// Loads a constant; the flags are kept.
    pub fn constant_keeping_flags(&mut self, to: Reg, value: u64) {
        match u32::try_from(value) {
            Ok(value) => {
                self.code.push(0xb8 | to as u8);
                self.put(&value.to_le_bytes());
            }
            Err(_) => {
                self.put(&[0x48, 0xb8 | to as u8]);
                self.put(&value.to_le_bytes());
            }
        }
    }

    /// Compares a word of the frame with 0.
    pub fn test(&mut self, at: i32) {
        self.frame(&[0x48, 0x83], 7, at);
        self.code.push(0);
    }

    /// Loads a word of the frame if the condition holds.
    pub fn choose_load(&mut self, condition: Cond, to: Reg, at: i32) {
        self.frame(&[0x48, 0x0f, 0x40 | condition as u8], to as u8, at);
    }

    /// `rax` becomes `rcx` if the condition holds.
    pub fn choose_rcx(&mut self, condition: Cond) {
        self.put(&[0x48, 0x0f, 0x40 | condition as u8, 0xc1]);
    }

    /// Puts the condition into `rax` as the word 0 or 1.
    pub fn truth(&mut self, condition: Cond) {
        self.put(&[0x0f, 0x90 | condition as u8, 0xc0, 0x0f, 0xb6, 0xc0]);
    }

    /// Whether floats just compared are equal, which NaN is to nothing, as the word 0 or 1 in `rax`.
    pub fn truth_of_equal(&mut self) {
        // sete al; setnp cl; and al, cl; movzx eax, al
        self.put(&[0x0f, 0x94, 0xc0, 0x0f, 0x9b, 0xc1, 0x20, 0xc8, 0x0f, 0xb6, 0xc0]);
    }

    /// `rax` and a word of the frame.
    pub fn and(&mut self, at: i32) {
        self.frame(&[0x48, 0x23], 0, at);
    }

    /// `rax` or a word of the frame.
    pub fn or(&mut self, at: i32) {
        self.frame(&[0x48, 0x0b], 0, at);
    }

    /// `rax` exclusive or a word of the frame.
    pub fn xor(&mut self, at: i32) {
        self.frame(&[0x48, 0x33], 0, at);
    }

    /// `rax` plus a word of the frame.
    pub fn add(&mut self, at: i32) {
        self.frame(&[0x48, 0x03], 0, at);
    }

    /// `rax` minus a word of the frame.
    pub fn sub(&mut self, at: i32) {
        self.frame(&[0x48, 0x2b], 0, at);
    }

    /// `rax` times a word of the frame.
    pub fn mul(&mut self, at: i32) {
        self.frame(&[0x48, 0x0f, 0xaf], 0, at);
    }

    /// Compares `rax` with a word of the frame.
    pub fn compare(&mut self, at: i32) {
        self.frame(&[0x48, 0x3b], 0, at);
    }

    /// Compares `rax` with `rcx`.
    pub fn compare_rcx(&mut self) {
        self.put(&[0x48, 0x39, 0xc8]);
    }

    /// Inverts every bit.
    pub fn not(&mut self, r: Reg) {
        self.put(&[0x48, 0xf7, 0xd0 | r as u8]);
    }

    /// `rax` negated.
    pub fn negate(&mut self) {
        self.put(&[0x48, 0xf7, 0xd8]);
    }

    /// Keeps the low `width` bits, 1 to 64.
    pub fn mask(&mut self, r: Reg, width: u32) {
        match width {
            0..32 => {
                self.put(&[0x81, 0xe0 | r as u8]);
                self.put(&((1u32 << width) - 1).to_le_bytes());
            }
            32 => self.put(&[0x89, 0xc0 | (r as u8) << 3 | r as u8]),
            33..64 => {
                self.shift_left(r, 64 - width);
                self.shift_right(r, 64 - width);
            }
            _ => {}
        }
    }

    /// Shifted left by fewer than 64 bits.
    pub fn shift_left(&mut self, r: Reg, by: u32) {
        if by > 0 {
            self.put(&[0x48, 0xc1, 0xe0 | r as u8, by as u8]);
        }
    }

    /// Shifted right by fewer than 64 bits, zeros enter.
    pub fn shift_right(&mut self, r: Reg, by: u32) {
        if by > 0 {
            self.put(&[0x48, 0xc1, 0xe8 | r as u8, by as u8]);
        }
    }

    /// `rax`, of `width` bits, sign-extended.
    pub fn extend_sign(&mut self, width: u32) {
        if width < 64 {
            self.shift_left(Reg::Rax, 64 - width);
            self.put(&[0x48, 0xc1, 0xf8, (64 - width) as u8]);
        }
    }

    /// `rax` shifted left by `rcx`; 0 from `width` on.
    pub fn shift_left_by_rcx(&mut self, width: u32) {
        self.put(&[0x48, 0xd3, 0xe0]);
        self.zero_from(width);
    }

    /// `rax` shifted right by `rcx`; 0 from `width` on.
    pub fn shift_right_by_rcx(&mut self, width: u32) {
        self.put(&[0x48, 0xd3, 0xe8]);
        self.zero_from(width);
    }

    /// `rax` becomes 0 if `rcx` is `width` or more.
    fn zero_from(&mut self, width: u32) {
        // xor edx, edx; cmp rcx, width; cmovae rax, rdx
        self.put(&[0x31, 0xd2, 0x48, 0x81, 0xf9]);
        self.put(&width.to_le_bytes());
        self.put(&[0x48, 0x0f, 0x43, 0xc2]);
    }

    /// `rax` shifted right by `rcx`, 63 at most; the sign enters.
    pub fn shift_sign_by_rcx(&mut self) {
        // mov edx, 63; cmp rcx, rdx; cmova rcx, rdx; sar rax, cl
        self.put(&[0xba, 63, 0, 0, 0, 0x48, 0x39, 0xd1, 0x48, 0x0f, 0x47, 0xca, 0x48, 0xd3, 0xf8]);
    }

    /// `rax` divided by `rcx`: the quotient, or `all` by zero; or the remainder, or `rax` by zero.
    pub fn divide(&mut self, quotient: bool, all: u64) {
        // test rcx, rcx
        self.put(&[0x48, 0x85, 0xc9]);
        let by_zero = self.jump_if(Cond::Equal);
        // xor edx, edx; div rcx
        self.put(&[0x31, 0xd2, 0x48, 0xf7, 0xf1]);
        if quotient {
            let done = self.jump();
            self.land(by_zero);
            self.constant(Reg::Rax, all);
            self.land(done);
        } else {
            // mov rax, rdx
            self.put(&[0x48, 0x89, 0xd0]);
            self.land(by_zero);
        }
    }

    /// Turns one bit.
    pub fn flip(&mut self, r: Reg, bit: u32) {
        self.put(&[0x48, 0x0f, 0xba, 0xf8 | r as u8, bit as u8]);
    }

    /// `rax` plus a word of the frame, all ones where that is too large.
    pub fn add_saturating(&mut self, at: i32) {
        self.add(at);
        self.saturate();
    }

    /// Sets `rax` to all ones if the carry is set; `rcx` is lost.
    fn saturate(&mut self) {
        // sbb rcx, rcx; or rax, rcx
        self.put(&[0x48, 0x19, 0xc9, 0x48, 0x09, 0xc8]);
    }

    /// Puts the smaller of `rax` and `rcx` into `rax`.
    pub fn smaller(&mut self) {
        self.compare_rcx();
        self.choose_rcx(Cond::Above);
    }

    /// `rax - rcx` in `rax`, `rcx - rax` in `rcx`.
    pub fn differences(&mut self) {
        // sub rax, rcx; mov rcx, rax; neg rcx
        self.put(&[0x48, 0x29, 0xc8, 0x48, 0x89, 0xc1, 0x48, 0xf7, 0xd9]);
    }

    /// Puts the difference of `rax` and `rcx`, whichever is larger, into `rax`.
    pub fn difference(&mut self) {
        // sub rax, rcx; sbb rcx, rcx; xor rax, rcx; sub rax, rcx
        self.put(&[0x48, 0x29, 0xc8, 0x48, 0x19, 0xc9, 0x48, 0x31, 0xc8, 0x48, 0x29, 0xc8]);
    }

    /// How much `rax` is too large to be at most `rcx`, or to be less, in `rax`; unsigned.
    pub fn excess(&mut self, strict: bool) {
        // sub rax, rcx; sbb rdx, rdx
        self.put(&[0x48, 0x29, 0xc8, 0x48, 0x19, 0xd2]);
        if strict {
            // add rax, 1
            self.put(&[0x48, 0x83, 0xc0, 0x01]);
            self.saturate();
        }
        // not rdx; and rax, rdx
        self.put(&[0x48, 0xf7, 0xd2, 0x48, 0x21, 0xd0]);
    }

    /// 1 if it is 0.
    pub fn at_least_one(&mut self, r: Reg) {
        // cmp r, 1; adc r, 0
        self.put(&[0x48, 0x83, 0xf8 | r as u8, 1, 0x48, 0x83, 0xd0 | r as u8, 0]);
    }

    /// `rax` to `rdx`.
    pub fn rax_to_rdx(&mut self) {
        self.put(&[0x48, 0x89, 0xc2]);
    }

    /// `rdx` to `rcx`.
    pub fn rdx_to_rcx(&mut self) {
        self.put(&[0x48, 0x89, 0xd1]);
    }

    /// `width` bits of the input in `rax`, from a byte and a bit of it on.
    pub fn read(&mut self, byte: i32, shift: u8, width: u32) {
        // mov rax, [r12 + byte]
        self.put(&[0x49, 0x8b, 0x84, 0x24]);
        self.put(&byte.to_le_bytes());
        self.shift_right(Reg::Rax, shift.into());
        if u32::from(shift) + width > 64 {
            // movzx ecx, byte ptr [r12 + byte + 8]
            self.put(&[0x41, 0x0f, 0xb6, 0x8c, 0x24]);
            self.put(&(byte + 8).to_le_bytes());
            self.shift_left(Reg::Rcx, 64 - u32::from(shift));
            // or rax, rcx
            self.put(&[0x48, 0x09, 0xc8]);
        }
        self.mask(Reg::Rax, width);
    }

    /// Converts the three bits of a rounding mode to its number: 5, 6 and 7 stand for 0, 1 and 2.
    pub fn mode(&mut self) {
        // lea rcx, [rax - 5]; cmp rax, 4
        self.put(&[0x48, 0x8d, 0x48, 0xfb, 0x48, 0x83, 0xf8, 0x04]);
        self.choose_rcx(Cond::Above);
    }
}
