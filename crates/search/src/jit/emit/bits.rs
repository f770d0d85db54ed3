//! Operations on truth values and bit-vectors.

use super::Emitter;
use crate::ir::{IrNode, OpCode};
use crate::types::{Ty, mask};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, Value, types};

impl Emitter<'_, '_> {
    /// Truth values and vectors. Arguments that a code has not are never used.
    pub(super) fn bits(&mut self, node: &IrNode) -> Value {
        use OpCode::*;
        let width = node.ty.width();
        let imm = node.imm as u32;
        let a = self.value(node.args[0]);
        let b = if node.code.arity() > 1 { self.value(node.args[1]) } else { a };
        match node.code {
            Ite => {
                let c = self.value(node.args[2]);
                self.builder.ins().select(a, b, c)
            }
            Not if node.ty == Ty::Bool => {
                let one = self.builder.ins().iconst(types::I8, 1);
                self.builder.ins().bxor(a, one)
            }
            Not => {
                let all = self.word(mask(width));
                self.builder.ins().bxor(a, all)
            }
            And => self.builder.ins().band(a, b),
            Or => self.builder.ins().bor(a, b),
            Xor => self.builder.ins().bxor(a, b),
            Eq => self.builder.ins().icmp(IntCC::Equal, a, b),
            Ult => self.builder.ins().icmp(IntCC::UnsignedLessThan, a, b),
            Ule => self.builder.ins().icmp(IntCC::UnsignedLessThanOrEqual, a, b),
            Slt | Sle => {
                let (x, y) = (self.signed(a, imm), self.signed(b, imm));
                let order = if node.code == Slt { IntCC::SignedLessThan } else { IntCC::SignedLessThanOrEqual };
                self.builder.ins().icmp(order, x, y)
            }
            Add => {
                let sum = self.builder.ins().iadd(a, b);
                self.mask(sum, width)
            }
            Sub => {
                let difference = self.builder.ins().isub(a, b);
                self.mask(difference, width)
            }
            Mul => {
                let product = self.builder.ins().imul(a, b);
                self.mask(product, width)
            }
            Neg => {
                let negated = self.builder.ins().ineg(a);
                self.mask(negated, width)
            }
            Udiv | Urem => self.division(node.code == Udiv, width, a, b),
            Shl | Lshr | Ashr => self.shift(node, a, b),
            Concat => {
                let amount = self.word(node.imm);
                let high = self.builder.ins().ishl(a, amount);
                self.builder.ins().bor(high, b)
            }
            Extract => {
                let amount = self.word(node.imm);
                let low = self.builder.ins().ushr(a, amount);
                self.mask(low, width)
            }
            SignExtend => {
                let wide = self.signed(a, imm);
                self.mask(wide, width)
            }
            Same => self.as_bits(node.args[0]),
            _ => self.gap(node, a, b),
        }
    }

    /// `bvudiv` and `bvurem`, which have a value for the divisor 0, where the instruction has none.
    fn division(&mut self, quotient: bool, width: u32, a: Value, b: Value) -> Value {
        let (zero, one) = (self.word(0), self.word(1));
        let by_zero = self.builder.ins().icmp(IntCC::Equal, b, zero);
        let divisor = self.builder.ins().select(by_zero, one, b);
        let (result, otherwise) = if quotient {
            (self.builder.ins().udiv(a, divisor), self.word(mask(width)))
        } else {
            (self.builder.ins().urem(a, divisor), a)
        };
        self.builder.ins().select(by_zero, otherwise, result)
    }

    fn shift(&mut self, node: &IrNode, a: Value, b: Value) -> Value {
        let width = node.ty.width();
        if node.code == OpCode::Ashr {
            let most = self.word(63);
            let amount = self.builder.ins().umin(b, most);
            let signed = self.signed(a, width);
            let shifted = self.builder.ins().sshr(signed, amount);
            return self.mask(shifted, width);
        }
        let shifted = match node.code {
            OpCode::Shl => {
                let shifted = self.builder.ins().ishl(a, b);
                self.mask(shifted, width)
            }
            _ => self.builder.ins().ushr(a, b),
        };
        // The instruction takes the amount modulo 64.
        let (limit, zero) = (self.word(u64::from(width)), self.word(0));
        let is_within = self.builder.ins().icmp(IntCC::UnsignedLessThan, b, limit);
        self.builder.ins().select(is_within, shifted, zero)
    }

    /// Distances.
    fn gap(&mut self, node: &IrNode, a: Value, b: Value) -> Value {
        use OpCode::*;
        let width = node.imm as u32;
        match node.code {
            Saturate => {
                let sum = self.builder.ins().iadd(a, b);
                let over = self.builder.ins().icmp(IntCC::UnsignedLessThan, sum, a);
                let most = self.word(u64::MAX);
                self.builder.ins().select(over, most, sum)
            }
            Min => self.builder.ins().umin(a, b),
            GapEq => {
                let (a, b) = (self.as_bits(node.args[0]), self.as_bits(node.args[1]));
                let forward = self.builder.ins().isub(a, b);
                let back = self.builder.ins().isub(b, a);
                let (forward, back) = (self.mask(forward, width), self.mask(back, width));
                self.builder.ins().umin(forward, back)
            }
            GapUlt | GapUle => self.gap_ordered(node.code == GapUlt, a, b),
            GapFLt | GapFLe | GapFEq | GapFSame => self.gap_float(node, a, b),
            _ => {
                let sign = self.word(1 << (width - 1));
                let (a, b) = (self.builder.ins().bxor(a, sign), self.builder.ins().bxor(b, sign));
                self.gap_ordered(node.code == GapSlt, a, b)
            }
        }
    }

    pub(super) fn gap_ordered(&mut self, strict: bool, a: Value, b: Value) -> Value {
        let zero = self.word(0);
        let difference = self.builder.ins().isub(a, b);
        let (order, gap) = if strict {
            // One more, unless that would be none.
            let one = self.word(1);
            let more = self.builder.ins().iadd(difference, one);
            (IntCC::UnsignedLessThan, self.builder.ins().umax(difference, more))
        } else {
            (IntCC::UnsignedLessThanOrEqual, difference)
        };
        let holds = self.builder.ins().icmp(order, a, b);
        self.builder.ins().select(holds, zero, gap)
    }
}
