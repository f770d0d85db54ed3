//! The operators of the core theory.

use super::arrays::Array;
use super::{Lower, LowerError, LoweredTerm, MAX_PAIRS};
use crate::ir::{Id, OpCode};
use crate::types::Ty;
use smtlib::{Kind, TermId};

impl Lower<'_> {
    pub(super) fn apply(&mut self, t: TermId, args: &[LoweredTerm]) -> Result<LoweredTerm, LowerError> {
        let kind = self.store.kind(t);
        match kind {
            Kind::ArraySelect | Kind::ArrayStore | Kind::ConstArray => return self.array(t, args),
            Kind::Ite => return self.ite(args).ok_or_else(|| self.operator(t)),
            Kind::Eq | Kind::Distinct => return self.equalities(t, args).map(LoweredTerm::Node),
            Kind::Apply => return self.function(t, args).map(LoweredTerm::Node),
            Kind::FpFromReal => return self.of_real(t, args).map(LoweredTerm::Node),
            _ => {}
        }
        let ids: Option<Vec<Id>> = args.iter().map(LoweredTerm::node).collect();
        let ids = ids.ok_or_else(|| self.operator(t))?;
        let id = match kind {
            Kind::True | Kind::False => self.builder.truth(kind == Kind::True),
            Kind::Not => self.not(ids[0]),
            Kind::And => self.fold(OpCode::And, &ids),
            Kind::Or => self.fold(OpCode::Or, &ids),
            Kind::Xor => self.fold(OpCode::Xor, &ids),
            Kind::Implies => self.implication(&ids),
            _ if (Kind::BvConcat..=Kind::BvSmulNoUnderflow).contains(&kind) => {
                self.bits(t, &ids).ok_or_else(|| self.operator(t))?
            }
            _ if (Kind::Rne..=Kind::FpToIeeeBv).contains(&kind) => {
                self.float(t, &ids).ok_or_else(|| self.operator(t))?
            }
            _ => return Err(self.operator(t)),
        };
        Ok(LoweredTerm::Node(id))
    }

    pub(crate) fn not(&mut self, a: Id) -> Id {
        self.builder.op(OpCode::Not, Ty::Bool, &[a], 0)
    }

    pub(crate) fn and(&mut self, a: Id, b: Id) -> Id {
        self.builder.op(OpCode::And, Ty::Bool, &[a, b], 0)
    }

    /// Adds a left-associative operator on words of one type.
    pub(crate) fn fold(&mut self, code: OpCode, ids: &[Id]) -> Id {
        let ty = self.builder.ty(ids[0]);
        ids[1..].iter().fold(ids[0], |a, &b| self.builder.op(code, ty, &[a, b], 0))
    }

    /// Adds the right-associative `=>`: if all arguments but the last hold, then the last one holds.
    fn implication(&mut self, ids: &[Id]) -> Id {
        let mut result = ids[ids.len() - 1];
        for &a in ids[..ids.len() - 1].iter().rev() {
            let not = self.not(a);
            result = self.builder.op(OpCode::Or, Ty::Bool, &[not, result], 0);
        }
        result
    }

    pub(super) fn ite(&mut self, args: &[LoweredTerm]) -> Option<LoweredTerm> {
        let [LoweredTerm::Node(condition), then, otherwise] = args else { return None };
        match (then, otherwise) {
            (LoweredTerm::Node(a), LoweredTerm::Node(b)) => Some(LoweredTerm::Node(self.choose(*condition, *a, *b))),
            (LoweredTerm::Array(a), LoweredTerm::Array(b)) => Some(self.new_array(Array::Ite(*condition, *a, *b))),
            _ => None,
        }
    }

    /// Adds the choice of `b` if `a` holds, else `c`. The two may have any width.
    pub(crate) fn choose(&mut self, a: Id, b: Id, c: Id) -> Id {
        let ty = self.builder.ty(b);
        if ty == Ty::Bool
            && let (Some(x), Some(y)) = (self.builder.constant_word(b), self.builder.constant_word(c))
            && x != y
        {
            return if x == 1 { a } else { self.not(a) };
        }
        self.builder.op(OpCode::Ite, ty, &[a, b, c], 0)
    }

    fn equalities(&mut self, t: TermId, args: &[LoweredTerm]) -> Result<Id, LowerError> {
        let mut parts = Vec::new();
        if self.store.kind(t) == Kind::Eq {
            for pair in args.windows(2) {
                parts.push(self.equal(t, &pair[0], &pair[1])?);
            }
        } else {
            if args.len() * args.len() / 2 > MAX_PAIRS {
                return Err(LowerError::TooLarge);
            }
            for (n, a) in args.iter().enumerate() {
                for b in &args[n + 1..] {
                    let equal = self.equal(t, a, b)?;
                    parts.push(self.not(equal));
                }
            }
        }
        Ok(if parts.is_empty() { self.builder.truth(true) } else { self.fold(OpCode::And, &parts) })
    }

    pub(super) fn equal(&mut self, t: TermId, a: &LoweredTerm, b: &LoweredTerm) -> Result<Id, LowerError> {
        match (a, b) {
            (LoweredTerm::Node(a), LoweredTerm::Node(b)) => Ok(self.same(*a, *b)),
            (LoweredTerm::Array(a), LoweredTerm::Array(b)) => self.same_array(*a, *b),
            _ => Err(self.operator(t)),
        }
    }

    /// Adds the equality of two values of one type.
    pub(crate) fn same(&mut self, a: Id, b: Id) -> Id {
        let ty = self.builder.ty(a);
        match ty {
            Ty::Float(_) => match ty.native() {
                Some(native) => self.builder.op(OpCode::FSame, Ty::Bool, &[a, b], u64::from(native.width())),
                None => self.builder.exact(smtlib::Op::new(Kind::Eq), Ty::Bool, &[a, b]),
            },
            Ty::Bits(width) if ty.is_wide() => {
                let mut parts = Vec::new();
                for n in 0..ty.words() {
                    let (x, y) = (self.limb(a, n, width), self.limb(b, n, width));
                    parts.push(self.builder.op(OpCode::Eq, Ty::Bool, &[x, y], 0));
                }
                self.fold(OpCode::And, &parts)
            }
            _ => {
                // A truth value compared with a constant is itself or its negation.
                let constant = |id| if ty == Ty::Bool { self.builder.constant_word(id) } else { None };
                match (constant(a), constant(b)) {
                    (Some(1), _) => b,
                    (_, Some(1)) => a,
                    (Some(_), None) => self.not(b),
                    (None, Some(_)) => self.not(a),
                    _ => self.builder.op(OpCode::Eq, Ty::Bool, &[a, b], 0),
                }
            }
        }
    }

    /// Returns word `n` of a wide vector.
    pub(crate) fn limb(&mut self, a: Id, n: usize, width: u32) -> Id {
        let rest = (width - 64 * n as u32).min(64);
        if let Some(words) = self.builder.constant_words(a) {
            let word = words[n];
            return self.builder.constant(Ty::Bits(rest), word);
        }
        self.builder.op(OpCode::Limb, Ty::Bits(rest), &[a], n as u64)
    }
}
