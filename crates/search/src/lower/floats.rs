//! Floats: Float32 and Float64 by the processor, all other formats and rare operators with exact semantics.

use super::{Lower, LowerError, LoweredTerm};
use crate::exact::words_of;
use crate::ir::{Id, OpCode};
use crate::types::{NativeFormat, Ty};
use semantics::Value;
use semantics::float::{Float, RoundingMode};
use smtlib::{Kind, Op, TermId};

impl Lower<'_> {
    /// Adds an operator of FloatingPoint.
    pub(super) fn float(&mut self, t: TermId, ids: &[Id]) -> Option<Id> {
        use Kind::*;
        let op = self.store.op(t);
        let ty = Ty::of(self.store, self.store.sort(t))?;
        if let FpLeq | FpLt | FpGeq | FpGt | FpEq = op.kind {
            return Some(self.comparisons(op, ids));
        }
        let native = match op.kind {
            FpAdd | FpSub | FpMul | FpDiv | FpSqrt => self.arithmetic(op.kind, ty, ids),
            FpNeg | FpAbs | FpMin | FpMax | FpRoundToIntegral => self.same_format(op.kind, ty, ids),
            Fp | FpFromBits | FpFromFp | FpFromSbv | FpFromUbv => self.conversion(op.kind, ty, ids),
            FpIsNormal | FpIsSubnormal | FpIsZero | FpIsInfinite | FpIsNan | FpIsNegative | FpIsPositive => {
                self.test(op.kind, ids[0])
            }
            // The standard leaves NaN's pattern open; the evaluator rejects models that depend on it.
            FpToIeeeBv => self.native(ids[0]).map(|native| {
                if self.builder.constant_word(ids[0]).is_some() {
                    self.builder.guess();
                }
                let width = u64::from(native.width());
                self.builder.op(OpCode::FToBits, ty, &[ids[0]], width)
            }),
            _ => None,
        };
        Some(match native {
            Some(id) => id,
            None => self.builder.exact(op, ty, ids),
        })
    }

    fn native(&self, id: Id) -> Option<NativeFormat> {
        self.builder.ty(id).native()
    }

    /// A constant's rounding mode.
    fn mode(&self, id: Id) -> Option<RoundingMode> {
        self.builder.constant_word(id).map(crate::word::mode)
    }

    fn is_nearest_even(&self, id: Id) -> bool {
        self.mode(id) == Some(RoundingMode::Rne)
    }

    fn arithmetic(&mut self, kind: Kind, ty: Ty, ids: &[Id]) -> Option<Id> {
        ty.native()?;
        let nearest = self.is_nearest_even(ids[0]);
        let (even, any) = match kind {
            Kind::FpAdd => (OpCode::FAdd, OpCode::FAddIn),
            Kind::FpSub => (OpCode::FSub, OpCode::FSubIn),
            Kind::FpMul => (OpCode::FMul, OpCode::FMulIn),
            Kind::FpDiv => (OpCode::FDiv, OpCode::FDivIn),
            _ => (OpCode::FSqrt, OpCode::FSqrtIn),
        };
        let args = if nearest { &ids[1..] } else { ids };
        Some(self.builder.op(if nearest { even } else { any }, ty, args, 0))
    }

    fn same_format(&mut self, kind: Kind, ty: Ty, ids: &[Id]) -> Option<Id> {
        let width = u64::from(ty.native()?.width());
        Some(match kind {
            Kind::FpNeg => self.builder.op(OpCode::FNeg, ty, ids, 0),
            Kind::FpAbs => self.builder.op(OpCode::FAbs, ty, ids, 0),
            Kind::FpRoundToIntegral => {
                let mode = self.builder.constant_word(ids[0])?;
                self.builder.op(OpCode::FIntegral, ty, &ids[1..], mode)
            }
            _ => {
                let &[a, b] = ids else { return None };
                // For zeros of different sign, the standard allows either result.
                if let (Some(x), Some(y)) = (self.builder.constant_word(a), self.builder.constant_word(b))
                    && x != y
                    && x | y == 1 << (width - 1)
                {
                    self.builder.guess();
                }
                let (x, y) = if kind == Kind::FpMin { (a, b) } else { (b, a) };
                let less = self.builder.op(OpCode::FLt, Ty::Bool, &[x, y], width);
                let a_is_nan = self.builder.op(OpCode::FIsNan, Ty::Bool, &[a], width);
                let b_is_nan = self.builder.op(OpCode::FIsNan, Ty::Bool, &[b], width);
                let ordered = self.choose(less, a, b);
                let without_b = self.choose(b_is_nan, a, ordered);
                self.choose(a_is_nan, b, without_b)
            }
        })
    }

    fn conversion(&mut self, kind: Kind, ty: Ty, ids: &[Id]) -> Option<Id> {
        let native = ty.native()?;
        match kind {
            Kind::Fp => {
                let bits = ids[1..].iter().fold(ids[0], |high, &low| {
                    let (x, y) = (self.builder.ty(high).width(), self.builder.ty(low).width());
                    self.builder.op(OpCode::Concat, Ty::Bits(x + y), &[high, low], u64::from(y))
                });
                Some(self.builder.op(OpCode::FFromBits, ty, &[bits], 0))
            }
            Kind::FpFromBits => Some(self.builder.op(OpCode::FFromBits, ty, &[ids[0]], 0)),
            Kind::FpFromFp => match (self.native(ids[1])?, native) {
                (from, to) if from == to => Some(ids[1]),
                (NativeFormat::Single, _) => Some(self.builder.op(OpCode::FPromote, ty, &[ids[1]], 0)),
                _ if self.is_nearest_even(ids[0]) => Some(self.builder.op(OpCode::FDemote, ty, &[ids[1]], 0)),
                _ => None,
            },
            _ => {
                let from = self.builder.ty(ids[1]);
                if from.is_wide() || !self.is_nearest_even(ids[0]) {
                    return None;
                }
                let code = if kind == Kind::FpFromSbv { OpCode::FFromSigned } else { OpCode::FFromUnsigned };
                Some(self.builder.op(code, ty, &[ids[1]], u64::from(from.width())))
            }
        }
    }

    fn test(&mut self, kind: Kind, a: Id) -> Option<Id> {
        let width = u64::from(self.native(a)?.width());
        let code = match kind {
            Kind::FpIsNormal => OpCode::FIsNormal,
            Kind::FpIsSubnormal => OpCode::FIsSubnormal,
            Kind::FpIsZero => OpCode::FIsZero,
            Kind::FpIsInfinite => OpCode::FIsInfinite,
            Kind::FpIsNan => OpCode::FIsNan,
            Kind::FpIsNegative => OpCode::FIsNegative,
            _ => OpCode::FIsPositive,
        };
        Some(self.builder.op(code, Ty::Bool, &[a], width))
    }

    /// Adds a chain of comparisons.
    fn comparisons(&mut self, op: Op, ids: &[Id]) -> Id {
        let mut parts = Vec::with_capacity(ids.len());
        for pair in ids.windows(2) {
            let (a, b) = (pair[0], pair[1]);
            let (code, x, y) = match op.kind {
                Kind::FpLt => (OpCode::FLt, a, b),
                Kind::FpLeq => (OpCode::FLe, a, b),
                Kind::FpGt => (OpCode::FLt, b, a),
                Kind::FpGeq => (OpCode::FLe, b, a),
                _ => (OpCode::FEq, a, b),
            };
            parts.push(match self.native(a) {
                Some(native) => self.builder.op(code, Ty::Bool, &[x, y], u64::from(native.width())),
                None => self.builder.exact(op, Ty::Bool, &[a, b]),
            });
        }
        if parts.is_empty() { self.builder.truth(true) } else { self.fold(OpCode::And, &parts) }
    }

    /// `to_fp` of a real, which must be a constant; the mode need not be one.
    pub(super) fn of_real(&mut self, t: TermId, args: &[LoweredTerm]) -> Result<Id, LowerError> {
        let (&[_, real], &[LoweredTerm::Node(mode)]) = (self.store.args(t), args) else { return Err(self.operator(t)) };
        let (ty, value) = match (Ty::of(self.store, self.store.sort(t)), self.closed.eval(self.store, real)) {
            (Some(ty), Ok(Value::Real(value))) => (ty, value),
            _ => return Err(self.operator(t)),
        };
        let Ty::Float(format) = ty else { return Err(self.operator(t)) };
        let rounded = |lower: &mut Self, mode| {
            let mut words = vec![0; ty.words()];
            words_of(&Value::Float(Float::from_real(format, mode, &value)), &mut words);
            lower.builder.words(ty, &words)
        };
        if let Some(mode) = self.mode(mode) {
            return Ok(rounded(self, mode));
        }
        let mut result = rounded(self, RoundingMode::Rne);
        for (position, candidate) in RoundingMode::ALL.into_iter().enumerate().skip(1) {
            let number = self.builder.constant(Ty::Mode, position as u64);
            let is_it = self.same(mode, number);
            let value = rounded(self, candidate);
            result = self.choose(is_it, value, result);
        }
        Ok(result)
    }
}
