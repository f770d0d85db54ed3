//! Polynomials over Int, Real and bit-vectors: sums of products of terms, with like monomials joined, within limits.

use crate::commuting::{joined, operands};
use crate::linear::{MAX_MONOMIALS, fits, number, number_term};
use crate::settings::{PassError, PassMeter};
use crate::values::bits;
use dashu_base::RemEuclid;
use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;
use smtlib::{Kind, Op, Sort, SortId, Store, TermId};
use std::collections::BTreeMap;

/// The maximum number of factors of a monomial; longer products are opaque.
const MAX_DEGREE: usize = 32;

/// The role of an operator in a ring.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum RingOperator {
    Sum,
    /// The first argument minus the others.
    Difference,
    Negation,
    Product,
    /// By a nonzero number.
    Quotient,
}

/// The ring of the coefficients and terms.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Ring {
    /// Int and Real: numbers that [`fits`] allows.
    Numbers(SortId),
    /// Numbers modulo 2 to the width.
    Vectors(u32, SortId),
}

/// A sum of monomials with nonzero coefficients.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Polynomial {
    ring: Ring,
    /// The coefficients by the factors of their monomials, ascending; no factors for the constant.
    monomials: BTreeMap<Vec<TermId>, RBig>,
}

impl Ring {
    fn of(store: &Store, sort: SortId) -> Option<Ring> {
        match *store.sorts.get(sort) {
            Sort::BitVec(width) => Some(Ring::Vectors(width, sort)),
            _ if sort == SortId::INT || sort == SortId::REAL => Some(Ring::Numbers(sort)),
            _ => None,
        }
    }

    fn operator(store: &Store, t: TermId) -> Option<RingOperator> {
        use Kind::*;
        match store.kind(t) {
            IntAdd | RealAdd | BvAdd => Some(RingOperator::Sum),
            IntSub | RealSub | BvSub => Some(RingOperator::Difference),
            IntNeg | RealNeg | BvNeg => Some(RingOperator::Negation),
            IntMul | RealMul | BvMul => Some(RingOperator::Product),
            // The standard leaves division by zero open.
            RealDiv => match store.args(t) {
                &[_, by] => number(store, by).filter(|by| !by.is_zero()).map(|_| RingOperator::Quotient),
                _ => None,
            },
            _ => None,
        }
    }

    fn value(self, store: &Store, t: TermId) -> Option<RBig> {
        match self {
            Ring::Numbers(_) => number(store, t),
            Ring::Vectors(..) => bits(store, t).map(|(_, value)| RBig::from(value.clone())),
        }
    }

    fn reduced(self, coefficient: RBig) -> RBig {
        match self {
            Ring::Numbers(_) => coefficient,
            Ring::Vectors(width, _) => {
                let modulus = IBig::from(UBig::ONE << width as usize);
                RBig::from(coefficient.into_parts().0.rem_euclid(modulus))
            }
        }
    }

    fn term(self, store: &mut Store, factors: &[TermId], coefficient: &RBig) -> Result<TermId, PassError> {
        match self {
            Ring::Numbers(sort) => {
                let kind = if sort == SortId::INT { Kind::IntMul } else { Kind::RealMul };
                let value = number_term(store, sort, coefficient);
                let factors = [&[value], factors].concat();
                let of = if coefficient.is_one() && factors.len() > 1 { &factors[1..] } else { &factors };
                joined(store, kind, sort, of)
            }
            Ring::Vectors(width, sort) => {
                let magnitude = coefficient.numerator().clone().into_parts().1;
                if factors.is_empty() || magnitude.is_one() {
                    return match factors {
                        [] => Ok(store.bitvec(width, &magnitude)),
                        _ => joined(store, Kind::BvMul, sort, factors),
                    };
                }
                if magnitude == UBig::ones(width as usize) {
                    let product = joined(store, Kind::BvMul, sort, factors)?;
                    return Ok(store.app(Op::new(Kind::BvNeg), &[product])?);
                }
                let value = store.bitvec(width, &magnitude);
                joined(store, Kind::BvMul, sort, &[factors, &[value]].concat())
            }
        }
    }
}

impl Polynomial {
    /// Returns the polynomial of a sum, difference, negation, product or quotient by a number, whose arguments are sums of products
    /// already. A product is expanded if that yields at most `blowup` times as many monomials as its factors have together.
    ///
    /// `None` for any other term, and with more than [`MAX_MONOMIALS`] monomials, more than 32 factors in one, or a number that does not
    /// [fit](fits).
    /// Errors: [`PassError::TooLarge`] if too many terms were made, [`PassError::Interrupted`] if the time is up or the
    /// work is cancelled.
    pub fn of(
        store: &Store,
        t: TermId,
        blowup: usize,
        watch: &mut PassMeter<'_>,
    ) -> Result<Option<Polynomial>, PassError> {
        let (Some(ring), Some(operator)) = (Ring::of(store, store.sort(t)), Ring::operator(store, t)) else {
            return Ok(None);
        };
        if operator != RingOperator::Product || ring.value(store, t).is_some() {
            return Ok(Polynomial::sum(store, ring, t));
        }
        let mut factors = Vec::new();
        for &a in store.args(t) {
            let Some(factor) = Polynomial::sum(store, ring, a) else { return Ok(None) };
            factors.push(factor);
        }
        let summands: usize = factors.iter().map(|factor| factor.monomials.len()).sum();
        let most = summands.saturating_mul(blowup).min(MAX_MONOMIALS);
        let mut product = Polynomial::zero(ring);
        product.add(Vec::new(), RBig::ONE);
        for factor in &factors {
            if product.monomials.len() * factor.monomials.len() > most {
                return Ok(None);
            }
            watch.tick(store)?;
            match product.times(factor) {
                Some(next) => product = next,
                None => return Ok(None),
            }
        }
        Ok(Some(product))
    }

    fn zero(ring: Ring) -> Polynomial {
        Polynomial { ring, monomials: BTreeMap::new() }
    }

    /// Reads a term as a sum: its products are monomials, whatever their factors are.
    fn sum(store: &Store, ring: Ring, t: TermId) -> Option<Polynomial> {
        let mut sum = Polynomial::zero(ring);
        let mut stack = vec![(t, RBig::ONE)];
        let mut steps = 0;
        while let Some((t, factor)) = stack.pop() {
            steps += 1;
            if steps > 4 * MAX_MONOMIALS || sum.monomials.len() > MAX_MONOMIALS || !fits(&factor) {
                return None;
            }
            if let Some(value) = ring.value(store, t) {
                if !fits(&value) {
                    return None;
                }
                sum.add(Vec::new(), factor * value);
                continue;
            }
            let args = store.args(t);
            match Ring::operator(store, t) {
                Some(RingOperator::Sum) => stack.extend(args.iter().map(|&a| (a, factor.clone()))),
                Some(RingOperator::Negation) => stack.push((args[0], -factor)),
                Some(RingOperator::Difference) => {
                    stack.push((args[0], factor.clone()));
                    stack.extend(args[1..].iter().map(|&a| (a, -factor.clone())));
                }
                Some(RingOperator::Quotient) => match number(store, args[1]).filter(fits) {
                    Some(by) => stack.push((args[0], factor / by)),
                    None => sum.add(vec![t], factor),
                },
                Some(RingOperator::Product) => {
                    let (factors, number) = monomial(store, ring, t);
                    sum.add(factors, factor * number);
                }
                None => sum.add(vec![t], factor),
            }
        }
        (sum.monomials.len() <= MAX_MONOMIALS && sum.monomials.values().all(fits)).then_some(sum)
    }

    fn add(&mut self, factors: Vec<TermId>, coefficient: RBig) {
        use std::collections::btree_map::Entry;
        match self.monomials.entry(factors) {
            Entry::Vacant(slot) => {
                let coefficient = self.ring.reduced(coefficient);
                if !coefficient.is_zero() {
                    slot.insert(coefficient);
                }
            }
            Entry::Occupied(mut slot) => {
                let coefficient = self.ring.reduced(slot.get() + coefficient);
                if coefficient.is_zero() {
                    slot.remove();
                } else {
                    slot.insert(coefficient);
                }
            }
        }
    }

    fn times(&self, other: &Polynomial) -> Option<Polynomial> {
        let mut product = Polynomial::zero(self.ring);
        for (left, a) in &self.monomials {
            for (right, b) in &other.monomials {
                let mut factors = [&left[..], right].concat();
                if factors.len() > MAX_DEGREE {
                    return None;
                }
                factors.sort_unstable();
                product.add(factors, a * b);
            }
        }
        product.monomials.values().all(fits).then_some(product)
    }

    /// Returns the sum as a term: monomials in the order of their factors, the constant last.
    /// Errors: [`PassError::Build`], which well-sorted factors never cause.
    pub fn to_term(&self, store: &mut Store) -> Result<TermId, PassError> {
        let (kind, sort) = match self.ring {
            Ring::Numbers(SortId::INT) => (Kind::IntAdd, SortId::INT),
            Ring::Numbers(sort) => (Kind::RealAdd, sort),
            Ring::Vectors(_, sort) => (Kind::BvAdd, sort),
        };
        let mut parts = Vec::with_capacity(self.monomials.len());
        let is_constant = |factors: &Vec<TermId>| factors.is_empty();
        let products = self.monomials.iter().filter(|(factors, _)| !is_constant(factors));
        let constant = self.monomials.iter().filter(|(factors, _)| is_constant(factors));
        for (factors, coefficient) in products.chain(constant) {
            parts.push(self.ring.term(store, factors, coefficient)?);
        }
        joined(store, kind, sort, &parts)
    }
}

/// Returns the factors of a product that are not numbers, ascending, and the product of the numbers.
fn monomial(store: &Store, ring: Ring, t: TermId) -> (Vec<TermId>, RBig) {
    let mut factors = Vec::new();
    let mut product = RBig::ONE;
    for a in operands(store, store.kind(t), t, MAX_DEGREE) {
        match ring.value(store, a) {
            Some(value) if fits(&value) && fits(&product) => product = ring.reduced(product * value),
            Some(_) => return (vec![t], RBig::ONE),
            None => factors.push(a),
        }
    }
    factors.sort_unstable();
    if factors.len() > MAX_DEGREE || !fits(&product) { (vec![t], RBig::ONE) } else { (factors, product) }
}
