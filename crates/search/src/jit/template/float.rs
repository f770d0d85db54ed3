//! Templates of floating-point operators and of distances between floats.

use super::super::asm::{Cond, Reg};
use super::{Templates, place};
use crate::ir::{FAR, Id, IrNode, OpCode};
use crate::types::NativeFormat;
use crate::word;

impl<'t> Templates<'t> {
    /// Computes a distance between floats in `rax`, step by step as in `word::apply`.
    pub(super) fn gap_float(&mut self, node: &IrNode) {
        let [a, b, ..] = node.args;
        let double = node.imm == 64;
        self.asm.load(Reg::Rax, place(b));
        self.asm.rank(double);
        self.asm.rax_to_rdx();
        self.asm.load(Reg::Rax, place(a));
        self.asm.rank(double);
        self.asm.rdx_to_rcx();
        match node.code {
            OpCode::GapFEq | OpCode::GapFSame => self.asm.difference(),
            code => self.asm.excess(code == OpCode::GapFLt),
        }
        self.asm.constant(Reg::Rcx, FAR - 1);
        self.asm.smaller();
        self.asm.float_load(double, place(a));
        self.asm.float_compare(double, place(b));
        self.asm.constant_keeping_flags(Reg::Rcx, FAR);
        self.asm.choose_rcx(Cond::Unordered);
    }

    /// Computes the distance for `=` of floats in `rax`.
    pub(super) fn gap_same(&mut self, id: Id, node: &IrNode) {
        self.gap_float(node);
        // Zeros of different sign are equal for `fp.eq`, but not for `=`.
        self.asm.at_least_one(Reg::Rax);
        self.asm.store(place(id), Reg::Rax);
        self.compare_same(node);
        self.asm.load(Reg::Rax, place(id));
        self.asm.constant_keeping_flags(Reg::Rcx, 0);
        self.asm.choose_rcx(Cond::Equal);
    }

    /// Compares the patterns of two floats, all NaN with one pattern.
    fn compare_same(&mut self, node: &IrNode) {
        let [a, b, ..] = node.args;
        let width = node.imm as u32;
        self.asm.load(Reg::Rax, place(a));
        self.one_nan(a, width);
        self.asm.rax_to_rdx();
        self.asm.load(Reg::Rax, place(b));
        self.one_nan(b, width);
        self.asm.rdx_to_rcx();
        self.asm.compare_rcx();
    }

    /// Replaces the pattern in `rax` by the canonical one for any NaN.
    fn one_nan(&mut self, id: Id, width: u32) {
        let double = width == 64;
        self.asm.float_load(double, place(id));
        self.asm.float_compare_self(double);
        self.asm.constant_keeping_flags(Reg::Rcx, word::nan(width));
        self.asm.choose_rcx(Cond::Unordered);
    }

    /// Computes an operation on floats, with its value in the frame; returns false without a template. A NaN may have any pattern here:
    /// whatever can see the pattern tests for NaN first, or is computed by the interpreter.
    pub(super) fn float(&mut self, id: Id, node: &IrNode, held: Option<Id>) -> bool {
        use OpCode::*;
        let [a, b, ..] = node.args;
        let imm = node.imm as u32;
        let double = node.ty.native() == Some(NativeFormat::Double);
        let compared = imm == 64;
        match node.code {
            FAdd | FSub | FMul | FDiv | FSqrt => {
                self.asm.float_load(double, place(a));
                match node.code {
                    FAdd => self.asm.float_add(double, place(b)),
                    FSub => self.asm.float_sub(double, place(b)),
                    FMul => self.asm.float_mul(double, place(b)),
                    FDiv => self.asm.float_div(double, place(b)),
                    _ => self.asm.float_sqrt(double),
                }
                self.asm.float_store(place(id));
                return true;
            }
            FPromote | FDemote => {
                self.asm.float_convert(node.code == FPromote, place(a));
                self.asm.float_store(place(id));
                return true;
            }
            FFromSigned | FFromUnsigned => {
                if node.code == FFromUnsigned && imm == 64 {
                    return false;
                }
                self.take(a, held);
                if node.code == FFromSigned {
                    self.asm.extend_sign(imm);
                }
                self.asm.float_of_integer(double);
                self.asm.float_store(place(id));
                return true;
            }
            FNeg | FAbs => {
                self.take(a, held);
                self.asm.sign(node.code == FNeg, double);
            }
            FFromBits => self.take(a, held),
            FToBits => {
                self.take(a, held);
                self.one_nan(a, imm);
            }
            FSame => {
                self.compare_same(node);
                self.asm.truth(Cond::Equal);
            }
            FLt | FLe => {
                // Swapped, so that NaN, which sets the carry, makes it false.
                self.asm.float_load(compared, place(b));
                self.asm.float_compare(compared, place(a));
                self.asm.truth(if node.code == FLt { Cond::Above } else { Cond::AboveOrEqual });
            }
            FEq => {
                self.asm.float_load(compared, place(a));
                self.asm.float_compare(compared, place(b));
                self.asm.truth_of_equal();
            }
            FIsNan => {
                self.asm.float_load(compared, place(a));
                self.asm.float_compare_self(compared);
                self.asm.truth(Cond::Unordered);
            }
            FIsInfinite | FIsZero => {
                self.take(a, held);
                self.asm.sign(false, compared);
                self.asm.constant(Reg::Rcx, if node.code == FIsZero { 0 } else { word::infinity(imm) });
                self.asm.compare_rcx();
                self.asm.truth(Cond::Equal);
            }
            _ => return false,
        }
        self.keep(id);
        true
    }
}
