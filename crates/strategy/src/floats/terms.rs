//! Short functions that build bit-vector and Boolean terms, folding constants where that is free.

use dashu_int::UBig;
use smtlib::{Constant, Kind, Op, Store, TermId};

/// A store in which bit-vector terms are built.
///
/// Invariant: callers pass operands of matching widths; formats are bounded so that no width exceeds the store's own bound.
pub(super) struct FloatTerms<'s> {
    pub store: &'s mut Store,
}

impl FloatTerms<'_> {
    fn app(&mut self, op: Op, args: &[TermId]) -> TermId {
        self.store.app(op, args).expect("the operands are made with widths that fit")
    }

    fn plain(&mut self, kind: Kind, args: &[TermId]) -> TermId {
        self.app(Op::new(kind), args)
    }

    pub fn width(&self, t: TermId) -> u32 {
        self.store.sorts.width(self.store.sort(t)).expect("a bit-vector term")
    }

    /// Returns the constant `value` modulo two to the width.
    pub fn constant(&mut self, width: u32, value: i64) -> TermId {
        let magnitude = UBig::from(value.unsigned_abs());
        if value >= 0 {
            return self.store.bitvec(width, &magnitude);
        }
        let bits = width.max(64) as usize;
        self.store.bitvec(width, &((UBig::ONE << bits) - magnitude))
    }

    pub fn zero(&mut self, width: u32) -> TermId {
        self.constant(width, 0)
    }

    pub fn ones(&mut self, width: u32) -> TermId {
        self.store.bitvec(width, &UBig::ones(width as usize))
    }

    pub fn truth(&mut self, value: bool) -> TermId {
        self.store.bool(value)
    }

    pub fn not(&mut self, a: TermId) -> TermId {
        match self.store.kind(a) {
            Kind::Not => self.store.args(a)[0],
            Kind::True => self.store.bool(false),
            Kind::False => self.store.bool(true),
            _ => self.store.not(a),
        }
    }

    pub fn and(&mut self, args: &[TermId]) -> TermId {
        if args.iter().any(|&a| self.store.kind(a) == Kind::False) {
            return self.store.bool(false);
        }
        let open: Vec<TermId> = args.iter().copied().filter(|&a| self.store.kind(a) != Kind::True).collect();
        self.store.and(&open)
    }

    pub fn or(&mut self, args: &[TermId]) -> TermId {
        if args.iter().any(|&a| self.store.kind(a) == Kind::True) {
            return self.store.bool(true);
        }
        let open: Vec<TermId> = args.iter().copied().filter(|&a| self.store.kind(a) != Kind::False).collect();
        self.store.or(&open)
    }

    pub fn xor(&mut self, a: TermId, b: TermId) -> TermId {
        match (self.store.kind(a), self.store.kind(b)) {
            (Kind::False, _) => b,
            (_, Kind::False) => a,
            (Kind::True, _) => self.not(b),
            (_, Kind::True) => self.not(a),
            _ if a == b => self.store.bool(false),
            _ => self.plain(Kind::Xor, &[a, b]),
        }
    }

    pub fn eq(&mut self, a: TermId, b: TermId) -> TermId {
        if a == b {
            return self.store.bool(true);
        }
        match (self.store.constant(a), self.store.constant(b)) {
            (Some(x), Some(y)) => {
                let same = x == y;
                self.store.bool(same)
            }
            _ => self.plain(Kind::Eq, &[a, b]),
        }
    }

    pub fn ite(&mut self, c: TermId, a: TermId, b: TermId) -> TermId {
        match self.store.kind(c) {
            Kind::True => a,
            Kind::False => b,
            _ if a == b => a,
            _ => self.plain(Kind::Ite, &[c, a, b]),
        }
    }

    /// Returns the first of these values whose condition holds, else the last.
    pub fn cases(&mut self, cases: &[(TermId, TermId)], otherwise: TermId) -> TermId {
        cases.iter().rev().fold(otherwise, |rest, &(c, value)| self.ite(c, value, rest))
    }

    /// Returns a truth value as one bit.
    pub fn bit(&mut self, a: TermId) -> TermId {
        let (zero, one) = (self.zero(1), self.constant(1, 1));
        self.ite(a, one, zero)
    }

    /// Whether a bit of a vector is one.
    pub fn test(&mut self, a: TermId, position: u32) -> TermId {
        let (bit, one) = (self.extract(a, position, position), self.constant(1, 1));
        self.eq(bit, one)
    }

    pub fn is_zero(&mut self, a: TermId) -> TermId {
        let zero = self.zero(self.width(a));
        self.eq(a, zero)
    }

    pub fn is_nonzero(&mut self, a: TermId) -> TermId {
        let zero = self.is_zero(a);
        self.not(zero)
    }

    pub fn extract(&mut self, a: TermId, high: u32, low: u32) -> TermId {
        if low == 0 && high + 1 == self.width(a) {
            return a;
        }
        self.app(Op::indexed(Kind::BvExtract, high, low), &[a])
    }

    /// Concatenates one or more vectors, the most significant first.
    pub fn concat(&mut self, parts: &[TermId]) -> TermId {
        let (&first, rest) = parts.split_first().expect("a vector has at least one bit");
        rest.iter().fold(first, |front, &part| self.join(front, part))
    }

    fn join(&mut self, front: TermId, back: TermId) -> TermId {
        match (self.store.constant(front), self.store.constant(back)) {
            (Some(Constant::BitVec { width: w, value: x }), Some(Constant::BitVec { width: v, value: y })) => {
                let (width, value) = (w + v, (x << *v as usize) | y);
                self.store.bitvec(width, &value)
            }
            _ => self.plain(Kind::BvConcat, &[front, back]),
        }
    }

    /// Returns `a` with `count` zeros appended.
    pub fn append_zeros(&mut self, a: TermId, count: u32) -> TermId {
        if count == 0 {
            return a;
        }
        let zeros = self.zero(count);
        self.concat(&[a, zeros])
    }

    /// Zero-extends `a` to `width`, which is at least its own.
    pub fn widen(&mut self, a: TermId, width: u32) -> TermId {
        match width - self.width(a) {
            0 => a,
            by => self.app(Op::indexed(Kind::BvZeroExtend, by, 0), &[a]),
        }
    }

    /// Sign-extends `a` to `width`, which is at least its own.
    pub fn widen_signed(&mut self, a: TermId, width: u32) -> TermId {
        match width - self.width(a) {
            0 => a,
            by => self.app(Op::indexed(Kind::BvSignExtend, by, 0), &[a]),
        }
    }

    pub fn add(&mut self, a: TermId, b: TermId) -> TermId {
        self.plain(Kind::BvAdd, &[a, b])
    }

    /// `a` plus a constant.
    pub fn plus(&mut self, a: TermId, n: i64) -> TermId {
        if n == 0 {
            return a;
        }
        let n = self.constant(self.width(a), n);
        self.add(a, n)
    }

    pub fn sub(&mut self, a: TermId, b: TermId) -> TermId {
        self.plain(Kind::BvSub, &[a, b])
    }

    pub fn neg(&mut self, a: TermId) -> TermId {
        self.plain(Kind::BvNeg, &[a])
    }

    pub fn mul(&mut self, a: TermId, b: TermId) -> TermId {
        self.plain(Kind::BvMul, &[a, b])
    }

    pub fn div(&mut self, a: TermId, b: TermId) -> TermId {
        self.plain(Kind::BvUdiv, &[a, b])
    }

    pub fn rem(&mut self, a: TermId, b: TermId) -> TermId {
        self.plain(Kind::BvUrem, &[a, b])
    }

    pub fn less(&mut self, a: TermId, b: TermId) -> TermId {
        self.plain(Kind::BvUlt, &[a, b])
    }

    pub fn less_signed(&mut self, a: TermId, b: TermId) -> TermId {
        self.plain(Kind::BvSlt, &[a, b])
    }

    /// Whether `a`, signed, is below a constant.
    pub fn below(&mut self, a: TermId, n: i64) -> TermId {
        let n = self.constant(self.width(a), n);
        self.less_signed(a, n)
    }

    /// Returns `a` shifted left until its first bit is one, and the distance, a number of `bits(width)` bits; for zero both are
    /// meaningless.
    pub fn normalise(&mut self, a: TermId) -> (TermId, TermId) {
        let width = self.width(a);
        let (mut word, mut count) = (a, Vec::new());
        for stage in (0..bits(u64::from(width - 1))).rev() {
            let by = 1u32 << stage;
            if by >= width {
                count.push(self.zero(1));
                continue;
            }
            let front = self.extract(word, width - 1, width - by);
            let empty = self.is_zero(front);
            let rest = self.extract(word, width - by - 1, 0);
            let shifted = self.append_zeros(rest, by);
            word = self.ite(empty, shifted, word);
            count.push(self.bit(empty));
        }
        if count.is_empty() {
            count.push(self.zero(1));
        }
        (word, self.concat(&count))
    }

    /// Returns `a` shifted right by `amount`, and whether a one was shifted out.
    pub fn shift_out(&mut self, a: TermId, amount: TermId) -> (TermId, TermId) {
        let width = self.width(a);
        let (mut word, mut lost) = (a, self.truth(false));
        for stage in 0..self.width(amount) {
            let shifts = self.test(amount, stage);
            let by = 1u64.checked_shl(stage).unwrap_or(u64::MAX);
            let (dropped, shifted) = if by >= u64::from(width) {
                (word, self.zero(width))
            } else {
                let kept = self.extract(word, width - 1, by as u32);
                (self.extract(word, by as u32 - 1, 0), self.widen(kept, width))
            };
            let nonzero = self.is_nonzero(dropped);
            let loses = self.and(&[shifts, nonzero]);
            lost = self.or(&[lost, loses]);
            word = self.ite(shifts, shifted, word);
        }
        (word, lost)
    }

    /// Returns `a` with its last bit set if `condition` holds.
    pub fn stick(&mut self, a: TermId, condition: TermId) -> TermId {
        let bit = self.bit(condition);
        let bit = self.widen(bit, self.width(a));
        self.plain(Kind::BvOr, &[a, bit])
    }

    /// Returns `a`, which is not negative, capped at `most` and truncated to the bits that `most` needs.
    pub fn capped(&mut self, a: TermId, most: u32) -> TermId {
        let (width, needed) = (self.width(a), bits(u64::from(most)));
        if needed >= width {
            return a;
        }
        let limit = self.constant(width, i64::from(most));
        let within = self.less(a, limit);
        let capped = self.ite(within, a, limit);
        self.extract(capped, needed - 1, 0)
    }
}

/// Returns the number of bits of a number, at least one.
pub(super) fn bits(n: u64) -> u32 {
    (u64::BITS - n.leading_zeros()).max(1)
}
