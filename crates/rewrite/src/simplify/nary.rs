//! Associative operators: nested applications are flattened, values combined, repetitions removed.

use super::Simplifier;
use crate::pass::PassError;
use crate::values::bits;
use dashu_int::UBig;
use smtlib::{Kind, Op, Sort, Store, TermId};

/// The maximum length of an argument list that is merged into the surrounding one. Otherwise a chain of n applications would be copied n
/// times.
pub const MAX_FLATTENED: usize = 32;

/// Returns the arguments, flattening short applications of the same operator.
pub fn flat(store: &Store, kind: Kind, args: &[TermId]) -> Vec<TermId> {
    let mut all = Vec::with_capacity(args.len());
    for &a in args {
        if store.kind(a) == kind && store.args(a).len() <= MAX_FLATTENED {
            all.extend_from_slice(store.args(a));
        } else {
            all.push(a);
        }
    }
    all
}

impl Simplifier {
    /// `bvand`, `bvor`, `bvxor`, `bvadd` and `bvmul`: at most one value, last; sorted; idempotence and cancellation.
    pub(super) fn bit_vector_nary(&mut self, store: &mut Store, t: TermId) -> Result<TermId, PassError> {
        let kind = store.kind(t);
        let Sort::BitVec(width) = *store.sorts.get(store.sort(t)) else { return Ok(t) };
        let ones = UBig::ones(width as usize);
        let neutral = match kind {
            Kind::BvAnd => ones.clone(),
            Kind::BvMul => UBig::ONE,
            _ => UBig::ZERO,
        };
        let mut constant = neutral.clone();
        let mut kept = Vec::new();
        for a in flatten_two(store, kind, store.args(t)) {
            match bits(store, a) {
                None => kept.push(a),
                Some((_, value)) => {
                    constant = match kind {
                        Kind::BvAnd => constant & value,
                        Kind::BvOr => constant | value,
                        Kind::BvXor => constant ^ value,
                        Kind::BvAdd => constant + value,
                        _ => constant * value,
                    };
                    constant.clear_high_bits(width as usize);
                }
            }
        }
        kept.sort_unstable();
        match kind {
            Kind::BvAnd | Kind::BvOr => kept.dedup(),
            Kind::BvXor => cancel_pairs(&mut kept),
            _ => {}
        }
        let absorbing = match kind {
            Kind::BvAnd | Kind::BvMul => Some(UBig::ZERO),
            Kind::BvOr => Some(ones.clone()),
            _ => None,
        };
        if absorbing.as_ref() == Some(&constant) || kept.is_empty() {
            return Ok(store.bitvec(width, &constant));
        }
        if kind == Kind::BvXor && constant == ones {
            // A complement in place of a value.
            let body = chain(store, kind, &kept)?;
            return self.app(store, Kind::BvNot, &[body]);
        }
        if constant != neutral {
            kept.push(store.bitvec(width, &constant));
        }
        chain(store, kind, &kept)
    }
}

/// Returns the arguments with one level of binary nesting flattened, which covers sums and masks by values.
fn flatten_two(store: &Store, kind: Kind, args: &[TermId]) -> Vec<TermId> {
    let mut all = Vec::with_capacity(args.len() + 1);
    for &a in args {
        if store.kind(a) == kind && store.args(a).len() == 2 {
            all.extend_from_slice(store.args(a));
        } else {
            all.push(a);
        }
    }
    all
}

fn cancel_pairs(sorted: &mut Vec<TermId>) {
    let mut left: Vec<TermId> = Vec::with_capacity(sorted.len());
    for &a in sorted.iter() {
        if left.last() == Some(&a) {
            left.pop();
        } else {
            left.push(a);
        }
    }
    *sorted = left;
}

/// Nests binary applications to the left, as SMT-LIB 2.6 has these operators.
pub fn chain(store: &mut Store, kind: Kind, args: &[TermId]) -> Result<TermId, PassError> {
    let Some((&first, rest)) = args.split_first() else {
        return Err(PassError::NotApplicable("an operator without arguments".to_string()));
    };
    let mut all = first;
    for &a in rest {
        all = store.app(Op::new(kind), &[all, a])?;
    }
    Ok(all)
}
