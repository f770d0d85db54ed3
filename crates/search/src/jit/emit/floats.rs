//! Operations on floats of native formats.

use super::Emitter;
use crate::ir::{FAR, Id, IrNode, OpCode};
use crate::types::{Ty, mask};
use crate::word;
use cranelift_codegen::ir::condcodes::{FloatCC, IntCC};
use cranelift_codegen::ir::{InstBuilder, Value, types};

impl Emitter<'_, '_> {
    /// Floats between floats: see `word::apply`, which this follows line by line.
    pub(super) fn gap_float(&mut self, node: &IrNode, a: Value, b: Value) -> Value {
        let width = node.imm as u32;
        let (x, y) = (self.rank(node.args[0], width), self.rank(node.args[1], width));
        let gap = match node.code {
            OpCode::GapFLt | OpCode::GapFLe => self.gap_ordered(node.code == OpCode::GapFLt, x, y),
            _ => {
                let (up, down) = (self.builder.ins().isub(x, y), self.builder.ins().isub(y, x));
                let is_less = self.builder.ins().icmp(IntCC::UnsignedLessThan, x, y);
                self.builder.ins().select(is_less, down, up)
            }
        };
        let (near, far) = (self.word(FAR - 1), self.word(FAR));
        let gap = self.builder.ins().umin(gap, near);
        let unordered = self.builder.ins().fcmp(FloatCC::Unordered, a, b);
        let gap = self.builder.ins().select(unordered, far, gap);
        if node.code != OpCode::GapFSame {
            return gap;
        }
        let (zero, one) = (self.word(0), self.word(1));
        let gap = self.builder.ins().umax(gap, one);
        let same = self.same_float(node, a, b);
        self.builder.ins().select(same, zero, gap)
    }

    /// The number of a float in the order of the floats, both zeros in one place.
    fn rank(&mut self, id: Id, width: u32) -> Value {
        let bits = self.as_bits(id);
        let (positive, sign) = (self.word(!word::sign_bit(width) & mask(width)), self.word(word::sign_bit(width)));
        let (middle, zero) = (self.word(1 << 63), self.word(0));
        let magnitude = self.builder.ins().band(bits, positive);
        let sign = self.builder.ins().band(bits, sign);
        let is_positive = self.builder.ins().icmp(IntCC::Equal, sign, zero);
        let (above, below) = (self.builder.ins().iadd(middle, magnitude), self.builder.ins().isub(middle, magnitude));
        self.builder.ins().select(is_positive, above, below)
    }

    /// `=` of floats: the same pattern, or both NaN.
    pub(super) fn same_float(&mut self, node: &IrNode, a: Value, b: Value) -> Value {
        let (x, y) = (self.as_bits(node.args[0]), self.as_bits(node.args[1]));
        let same = self.builder.ins().icmp(IntCC::Equal, x, y);
        let x_is_nan = self.builder.ins().fcmp(FloatCC::Unordered, a, a);
        let y_is_nan = self.builder.ins().fcmp(FloatCC::Unordered, b, b);
        let both = self.builder.ins().band(x_is_nan, y_is_nan);
        self.builder.ins().bor(same, both)
    }

    /// Floats. A NaN may have any pattern here: all that can see the pattern goes through the interpretation, or asks for
    /// NaN first.
    pub(super) fn float(&mut self, node: &IrNode) -> Value {
        use OpCode::*;
        let a = self.value(node.args[0]);
        let b = if node.code.arity() > 1 { self.value(node.args[1]) } else { a };
        match node.code {
            FAdd => self.builder.ins().fadd(a, b),
            FSub => self.builder.ins().fsub(a, b),
            FMul => self.builder.ins().fmul(a, b),
            FDiv => self.builder.ins().fdiv(a, b),
            FSqrt => self.builder.ins().sqrt(a),
            FNeg => self.builder.ins().fneg(a),
            FAbs => self.builder.ins().fabs(a),
            FLt => self.builder.ins().fcmp(FloatCC::LessThan, a, b),
            FLe => self.builder.ins().fcmp(FloatCC::LessThanOrEqual, a, b),
            FEq => self.builder.ins().fcmp(FloatCC::Equal, a, b),
            FIsNan => self.builder.ins().fcmp(FloatCC::Unordered, a, a),
            FFromBits => self.of_bits(node.ty, a),
            FToBits => {
                let bits = self.as_bits(node.args[0]);
                let nan = self.word(word::nan(node.imm as u32));
                let is_nan = self.builder.ins().fcmp(FloatCC::Unordered, a, a);
                self.builder.ins().select(is_nan, nan, bits)
            }
            FPromote => self.builder.ins().fpromote(types::F64, a),
            FDemote => self.builder.ins().fdemote(types::F32, a),
            FFromSigned => {
                let signed = self.signed(a, node.imm as u32);
                self.of_signed(node.ty, signed)
            }
            FFromUnsigned if node.imm < 64 => self.of_signed(node.ty, a),
            FFromUnsigned => {
                let ty = node.ty.native().map_or(types::F64, Self::float_type);
                self.builder.ins().fcvt_from_uint(ty, a)
            }
            FSame => self.same_float(node, a, b),
            _ => self.class(node, a),
        }
    }

    fn of_signed(&mut self, ty: Ty, value: Value) -> Value {
        let ty = ty.native().map_or(types::F64, Self::float_type);
        self.builder.ins().fcvt_from_sint(ty, value)
    }

    /// The tests of a float's class, on its pattern.
    fn class(&mut self, node: &IrNode, a: Value) -> Value {
        use OpCode::*;
        let width = node.imm as u32;
        let bits = self.as_bits(node.args[0]);
        let positive = self.word(!word::sign_bit(width) & mask(width));
        let magnitude = self.builder.ins().band(bits, positive);
        let zero = self.word(0);
        let infinity = self.word(word::infinity(width));
        let least_normal = self.word(if width == 32 { 1 << 23 } else { 1 << 52 });
        match node.code {
            FIsInfinite => self.builder.ins().icmp(IntCC::Equal, magnitude, infinity),
            FIsZero => self.builder.ins().icmp(IntCC::Equal, magnitude, zero),
            FIsNormal => {
                let low = self.builder.ins().icmp(IntCC::UnsignedGreaterThanOrEqual, magnitude, least_normal);
                let high = self.builder.ins().icmp(IntCC::UnsignedLessThan, magnitude, infinity);
                self.builder.ins().band(low, high)
            }
            FIsSubnormal => {
                let some = self.builder.ins().icmp(IntCC::NotEqual, magnitude, zero);
                let low = self.builder.ins().icmp(IntCC::UnsignedLessThan, magnitude, least_normal);
                self.builder.ins().band(some, low)
            }
            _ => {
                let order = if node.code == FIsNegative { IntCC::NotEqual } else { IntCC::Equal };
                let sign = self.word(word::sign_bit(width));
                let sign = self.builder.ins().band(bits, sign);
                let signed = self.builder.ins().icmp(order, sign, zero);
                let ordered = self.builder.ins().fcmp(FloatCC::Ordered, a, a);
                self.builder.ins().band(signed, ordered)
            }
        }
    }
}
