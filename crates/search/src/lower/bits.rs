//! Bit-vectors: words by machine operations, wider ones and rare operators with exact semantics.

use super::Lower;
use crate::ir::{Id, OpCode};
use crate::types::{Ty, mask};
use smtlib::{Kind, Op, TermId};

impl Lower<'_> {
    /// Adds an operator of FixedSizeBitVectors.
    pub(super) fn bits(&mut self, t: TermId, ids: &[Id]) -> Option<Id> {
        use Kind::*;
        let op = self.store.op(t);
        let ty = Ty::of(self.store, self.store.sort(t))?;
        let wide = ty.is_wide() || ids.iter().any(|&a| self.builder.ty(a).is_wide());
        let associative = match op.kind {
            BvAnd => Some(OpCode::And),
            BvOr => Some(OpCode::Or),
            BvXor => Some(OpCode::Xor),
            BvAdd => Some(OpCode::Add),
            BvSub => Some(OpCode::Sub),
            BvMul => Some(OpCode::Mul),
            _ => None,
        };
        if wide {
            return self.wide_bits(op, ty, ids, associative.is_some());
        }
        if let Some(code) = associative {
            return Some(self.fold(code, ids));
        }
        let width = self.builder.ty(ids[0]).width();
        let a = ids[0];
        let b = ids.get(1).copied().unwrap_or(a);
        let compare = |lower: &mut Self, code, x, y| lower.builder.op(code, Ty::Bool, &[x, y], u64::from(width));
        Some(match op.kind {
            BvNot => self.builder.op(OpCode::Not, ty, &[a], 0),
            BvNeg => self.builder.op(OpCode::Neg, ty, &[a], 0),
            BvNand | BvNor | BvXnor => {
                let code = match op.kind {
                    BvNand => OpCode::And,
                    BvNor => OpCode::Or,
                    _ => OpCode::Xor,
                };
                let inner = self.builder.op(code, ty, &[a, b], 0);
                self.builder.op(OpCode::Not, ty, &[inner], 0)
            }
            BvUdiv => self.builder.op(OpCode::Udiv, ty, &[a, b], 0),
            BvUrem => self.builder.op(OpCode::Urem, ty, &[a, b], 0),
            BvSdiv => self.builder.op(OpCode::Sdiv, ty, &[a, b], 0),
            BvSrem => self.builder.op(OpCode::Srem, ty, &[a, b], 0),
            BvSmod => self.builder.op(OpCode::Smod, ty, &[a, b], 0),
            BvShl => self.builder.op(OpCode::Shl, ty, &[a, b], 0),
            BvLshr => self.builder.op(OpCode::Lshr, ty, &[a, b], 0),
            BvAshr => self.builder.op(OpCode::Ashr, ty, &[a, b], 0),
            BvUlt => compare(self, OpCode::Ult, a, b),
            BvUle => compare(self, OpCode::Ule, a, b),
            BvUgt => compare(self, OpCode::Ult, b, a),
            BvUge => compare(self, OpCode::Ule, b, a),
            BvSlt => compare(self, OpCode::Slt, a, b),
            BvSle => compare(self, OpCode::Sle, a, b),
            BvSgt => compare(self, OpCode::Slt, b, a),
            BvSge => compare(self, OpCode::Sle, b, a),
            BvComp => self.as_bit(|lower| lower.same(a, b)),
            BvUltbv => self.as_bit(|lower| compare(lower, OpCode::Ult, a, b)),
            BvSltbv => self.as_bit(|lower| compare(lower, OpCode::Slt, a, b)),
            BvRedor => {
                let zero = self.builder.constant(Ty::Bits(width), 0);
                self.as_bit(|lower| {
                    let none = lower.same(a, zero);
                    lower.not(none)
                })
            }
            BvRedand => {
                let ones = self.builder.constant(Ty::Bits(width), mask(width));
                self.as_bit(|lower| lower.same(a, ones))
            }
            BvConcat => ids[1..].iter().fold(a, |high, &low| {
                let (x, y) = (self.builder.ty(high).width(), self.builder.ty(low).width());
                self.builder.op(OpCode::Concat, Ty::Bits(x + y), &[high, low], u64::from(y))
            }),
            BvRepeat => (1..op.i).fold(a, |high, _| {
                let x = self.builder.ty(high).width();
                self.builder.op(OpCode::Concat, Ty::Bits(x + width), &[high, a], u64::from(width))
            }),
            BvExtract => self.builder.op(OpCode::Extract, ty, &[a], u64::from(op.j)),
            BvZeroExtend => self.builder.op(OpCode::Same, ty, &[a], 0),
            BvSignExtend => self.builder.op(OpCode::SignExtend, ty, &[a], u64::from(width)),
            BvRotateLeft => self.rotate(ty, a, op.i % width),
            BvRotateRight => self.rotate(ty, a, (width - op.i % width) % width),
            _ => self.builder.exact(op, ty, ids),
        })
    }

    /// Returns a truth value as a vector of one bit.
    fn as_bit(&mut self, truth: impl FnOnce(&mut Self) -> Id) -> Id {
        let truth = truth(self);
        self.builder.op(OpCode::Same, Ty::Bits(1), &[truth], 0)
    }

    fn rotate(&mut self, ty: Ty, a: Id, by: u32) -> Id {
        if by == 0 {
            return a;
        }
        let left = self.builder.constant(ty, u64::from(by));
        let right = self.builder.constant(ty, u64::from(ty.width() - by));
        let high = self.builder.op(OpCode::Shl, ty, &[a, left], 0);
        let low = self.builder.op(OpCode::Lshr, ty, &[a, right], 0);
        self.builder.op(OpCode::Or, ty, &[high, low], 0)
    }

    /// Adds an operator with an argument or a result of more than a word.
    fn wide_bits(&mut self, op: Op, ty: Ty, ids: &[Id], associative: bool) -> Option<Id> {
        if op.kind == Kind::BvExtract
            && let Some(piece) = self.extract_word(ty, ids[0], op.j)
        {
            return Some(piece);
        }
        if ids.len() <= 2 {
            return Some(self.builder.exact(op, ty, ids));
        }
        if !associative && op.kind != Kind::BvConcat {
            return None;
        }
        Some(ids[1..].iter().fold(ids[0], |a, &b| {
            let ty = match op.kind {
                Kind::BvConcat => Ty::Bits(self.builder.ty(a).width() + self.builder.ty(b).width()),
                _ => ty,
            };
            self.builder.exact(op, ty, &[a, b])
        }))
    }

    /// Bits of a wide vector that lie within one of its words.
    fn extract_word(&mut self, ty: Ty, a: Id, low: u32) -> Option<Id> {
        let width = self.builder.ty(a).width();
        if ty.is_wide() || !self.builder.ty(a).is_wide() || low / 64 != (low + ty.width() - 1) / 64 {
            return None;
        }
        let word = self.limb(a, (low / 64) as usize, width);
        Some(self.builder.op(OpCode::Extract, ty, &[word], u64::from(low % 64)))
    }
}
