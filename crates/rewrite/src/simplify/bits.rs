//! Simplification of bit-vectors: structure (`concat`, `extract`, extensions, shifts by values) and equality with values.

use super::Simplifier;
use super::nary::MAX_FLATTENED;
use crate::linear::MAX_BITS;
use crate::pass::PassError;
use crate::values::bits;
use dashu_base::PowerOfTwo;
use dashu_int::{IBig, UBig};
use smtlib::{Kind, Op, Sort, Store, TermId};

/// Returns the width of a bit-vector term.
pub fn width(store: &Store, t: TermId) -> u32 {
    match store.sorts.get(store.sort(t)) {
        Sort::BitVec(width) => *width,
        _ => 0,
    }
}

impl Simplifier {
    pub(super) fn bit_vector(&mut self, store: &mut Store, t: TermId) -> Result<TermId, PassError> {
        use Kind::*;
        let op = store.op(t);
        let args = store.args(t).to_vec();
        match op.kind {
            BvAnd | BvOr | BvXor | BvAdd | BvMul => self.bit_vector_nary(store, t),
            BvExtract => self.extract(store, t, op.i, op.j, args[0]),
            BvConcat => self.concat(store, t),
            BvZeroExtend if op.i == 0 => Ok(args[0]),
            BvSignExtend if op.i == 0 => Ok(args[0]),
            BvRepeat if op.i == 1 => Ok(args[0]),
            BvRotateLeft | BvRotateRight if op.i.is_multiple_of(width(store, t)) => Ok(args[0]),
            BvZeroExtend => {
                let zeros = store.bitvec(op.i, &UBig::ZERO);
                self.app(store, BvConcat, &[zeros, args[0]])
            }
            BvShl | BvLshr => self.shift(store, t, args[0], args[1]),
            BvUrem | BvUdiv => self.power_of_two_division(store, t, args[0], args[1]),
            UbvToInt if store.kind(args[0]) == IntToBv => {
                // The vector as a function of the integer, by the definition of `int_to_bv` (SMT-LIB 2.7, FixedSizeBitVectors).
                let width = width(store, args[0]) as usize;
                if width > MAX_BITS {
                    return Ok(t);
                }
                let integer = store.args(args[0])[0];
                let modulus = store.int(&(IBig::ONE << width));
                self.app(store, IntMod, &[integer, modulus])
            }
            _ => Ok(t),
        }
    }

    fn extract(&mut self, store: &mut Store, t: TermId, high: u32, low: u32, a: TermId) -> Result<TermId, PassError> {
        let whole = width(store, a);
        if low == 0 && high + 1 == whole {
            return Ok(a);
        }
        let inner = store.args(a).to_vec();
        match store.kind(a) {
            Kind::BvExtract => {
                let base = store.op(a).j;
                self.make(store, Op::indexed(Kind::BvExtract, high + base, low + base), &[inner[0]])
            }
            Kind::BvConcat => {
                // The parts that the range overlaps, from the low end up.
                let mut offset = 0;
                let mut parts = Vec::new();
                for &part in inner.iter().rev() {
                    let w = width(store, part);
                    let (from, to) = (low.max(offset), (high + 1).min(offset + w));
                    if from < to {
                        let op = Op::indexed(Kind::BvExtract, to - 1 - offset, from - offset);
                        parts.push(self.make(store, op, &[part])?);
                    }
                    offset += w;
                }
                parts.reverse();
                match parts.as_slice() {
                    &[high, low] => self.app(store, Kind::BvConcat, &[high, low]),
                    _ => Ok(parts.first().copied().unwrap_or(t)),
                }
            }
            Kind::BvNot | Kind::BvAnd | Kind::BvOr | Kind::BvXor if bits_known(store, a) => {
                let mut parts = Vec::with_capacity(inner.len());
                for &x in &inner {
                    parts.push(self.make(store, Op::indexed(Kind::BvExtract, high, low), &[x])?);
                }
                let kind = store.kind(a);
                self.app(store, kind, &parts)
            }
            Kind::BvSignExtend if high < width(store, inner[0]) => {
                self.make(store, Op::indexed(Kind::BvExtract, high, low), &[inner[0]])
            }
            _ => Ok(t),
        }
    }

    /// `concat`: flattens, joins neighbouring values, and joins neighbouring ranges of one term.
    fn concat(&mut self, store: &mut Store, t: TermId) -> Result<TermId, PassError> {
        let mut parts: Vec<TermId> = Vec::new();
        for a in concat_parts(store, t) {
            let joined = match parts.last() {
                Some(&before) => self.join(store, before, a)?,
                None => None,
            };
            match joined {
                Some(joined) => {
                    parts.pop();
                    parts.push(joined);
                }
                None => parts.push(a),
            }
        }
        super::nary::chain(store, Kind::BvConcat, &parts)
    }

    /// Returns two neighbours of a `concat` as one term.
    fn join(&mut self, store: &mut Store, high: TermId, low: TermId) -> Result<Option<TermId>, PassError> {
        if let (Some((w, a)), Some((v, b))) = (bits(store, high), bits(store, low)) {
            let value = (a << v as usize) | b;
            return Ok(Some(store.bitvec(w + v, &value)));
        }
        if store.kind(high) == Kind::BvExtract && store.kind(low) == Kind::BvExtract {
            let (h, l) = (store.op(high), store.op(low));
            let base = store.args(high)[0];
            if base == store.args(low)[0] && h.j == l.i + 1 {
                return self.make(store, Op::indexed(Kind::BvExtract, h.i, l.j), &[base]).map(Some);
            }
        }
        Ok(None)
    }

    /// Turns a shift by a value into a `concat` with zeros.
    fn shift(&mut self, store: &mut Store, t: TermId, a: TermId, by: TermId) -> Result<TermId, PassError> {
        let w = width(store, t);
        let Some((_, amount)) = bits(store, by) else { return Ok(t) };
        let Some(amount) = u32::try_from(amount).ok().filter(|&n| n < w) else {
            return Ok(store.bitvec(w, &UBig::ZERO));
        };
        if amount == 0 {
            return Ok(a);
        }
        let zeros = store.bitvec(amount, &UBig::ZERO);
        if store.kind(t) == Kind::BvShl {
            let low = self.make(store, Op::indexed(Kind::BvExtract, w - 1 - amount, 0), &[a])?;
            self.app(store, Kind::BvConcat, &[low, zeros])
        } else {
            let high = self.make(store, Op::indexed(Kind::BvExtract, w - 1, amount), &[a])?;
            self.app(store, Kind::BvConcat, &[zeros, high])
        }
    }

    /// Unsigned division by a power of two is a shift, its remainder a mask.
    fn power_of_two_division(
        &mut self,
        store: &mut Store,
        t: TermId,
        a: TermId,
        d: TermId,
    ) -> Result<TermId, PassError> {
        let w = width(store, t);
        let Some((_, divisor)) = bits(store, d) else { return Ok(t) };
        if !divisor.is_power_of_two() || divisor.is_one() {
            return Ok(t);
        }
        let amount = divisor.trailing_zeros().unwrap_or(0) as u32;
        if store.kind(t) == Kind::BvUdiv {
            let zeros = store.bitvec(amount, &UBig::ZERO);
            let high = self.make(store, Op::indexed(Kind::BvExtract, w - 1, amount), &[a])?;
            return self.app(store, Kind::BvConcat, &[zeros, high]);
        }
        let zeros = store.bitvec(w - amount, &UBig::ZERO);
        let low = self.make(store, Op::indexed(Kind::BvExtract, amount - 1, 0), &[a])?;
        self.app(store, Kind::BvConcat, &[zeros, low])
    }

    /// Simplifies equality of bit-vectors, the value last if there is one: invertible operators move to the value's side, and a `concat`
    /// is compared part by part.
    pub(super) fn vector_equality(
        &mut self,
        store: &mut Store,
        a: TermId,
        b: TermId,
    ) -> Result<Option<TermId>, PassError> {
        let Some((w, value)) = bits(store, b) else { return Ok(None) };
        let value = value.clone();
        let args = store.args(a).to_vec();
        let last = args.last().and_then(|&l| bits(store, l)).map(|(_, v)| v.clone());
        let modulus = UBig::ONE << w as usize;
        let solved = match (store.kind(a), last) {
            (Kind::BvNot, _) => Some(UBig::ones(w as usize) ^ value),
            (Kind::BvNeg, _) => Some((&modulus - value) % &modulus),
            (Kind::BvAdd, Some(c)) if args.len() == 2 => Some((&modulus + value - c) % &modulus),
            (Kind::BvXor, Some(c)) if args.len() == 2 => Some(value ^ c),
            (Kind::BvConcat, _) => return self.concat_equals(store, &args, &value).map(Some),
            _ => None,
        };
        match solved {
            Some(value) => {
                let value = store.bitvec(w, &value);
                self.app(store, Kind::Eq, &[args[0], value]).map(Some)
            }
            None => Ok(None),
        }
    }

    fn concat_equals(&mut self, store: &mut Store, parts: &[TermId], value: &UBig) -> Result<TermId, PassError> {
        let mut offset = 0;
        let mut equal = Vec::with_capacity(parts.len());
        for &part in parts.iter().rev() {
            let w = width(store, part);
            let bits = store.bitvec(w, &(value >> offset));
            equal.push(self.app(store, Kind::Eq, &[part, bits])?);
            offset += w as usize;
        }
        self.junction(store, Kind::And, &equal)
    }
}

/// Returns the parts of nested `concat`s, from the high end, about [`MAX_FLATTENED`] of them.
fn concat_parts(store: &Store, t: TermId) -> Vec<TermId> {
    let mut parts = Vec::new();
    let mut stack = vec![t];
    while let Some(u) = stack.pop() {
        if store.kind(u) == Kind::BvConcat && parts.len() + stack.len() < MAX_FLATTENED {
            stack.extend(store.args(u).iter().rev());
        } else {
            parts.push(u);
        }
    }
    parts
}

/// Whether a bitwise operation has a value among its arguments, so its ranges get simpler.
fn bits_known(store: &Store, t: TermId) -> bool {
    store.kind(t) == Kind::BvNot || store.args(t).iter().any(|&a| bits(store, a).is_some())
}
