//! Polynomials of low degree in one unknown, over the rationals or a finite field, and their roots.

use crate::algebraic::{AlgebraicLimits, AlgebraicNumber, IntPolynomial};
use crate::value::Value;
use dashu_base::BitTest;
use dashu_int::IBig;
use dashu_int::fast_div::ConstDivisor;
use dashu_ratio::RBig;
use smtlib::{FieldOrder, Kind, Store, TermId};

/// How deep sums and products may nest.
const MAX_NESTING: u32 = 32;
/// The maximum degree over a finite field, and over the rationals.
const MAX_DEGREE: [usize; 2] = [2, 12];
/// The maximum number of bits of numerators and denominators, also of intermediate results, over the rationals.
const MAX_BITS: usize = 128;

/// A polynomial in one unknown.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct UnivariatePolynomial {
    /// The order of the field; `None` for the rationals.
    order: Option<FieldOrder>,
    /// From the constant one on; the last is not 0, so the polynomial 0 has none. Over a field they are integers below its order.
    coefficients: Vec<RBig>,
}

/// Reads terms as polynomials of low degree in one term, the unknown.
pub(crate) struct UnivariateReader<'r> {
    pub(crate) store: &'r Store,
    /// The field; `None` for rationals.
    pub(crate) order: Option<&'r FieldOrder>,
    /// The unknown.
    pub(crate) subject: TermId,
    /// The number of terms that may still be read.
    pub(crate) left: &'r mut u32,
    /// The value of a term that is no sum, product or quotient.
    pub(crate) number: &'r mut dyn FnMut(TermId) -> Option<RBig>,
}

impl UnivariateReader<'_> {
    /// Returns the polynomial; `None` above the limits, or for another term.
    pub(crate) fn read(&mut self, t: TermId) -> Option<UnivariatePolynomial> {
        self.read_at(t, 0)
    }

    /// Recursion is bounded by [`MAX_NESTING`].
    fn read_at(&mut self, t: TermId, depth: u32) -> Option<UnivariatePolynomial> {
        let t = self.store.stands_for(t);
        if depth > MAX_NESTING || *self.left == 0 {
            return None;
        }
        *self.left -= 1;
        if t == self.subject {
            return Some(UnivariatePolynomial::unknown(self.order));
        }
        let kind = self.store.kind(t);
        use Kind::*;
        let is_ring = matches!(kind, RealAdd | RealSub | RealNeg | RealMul | RealDiv | ToReal | IntAdd | IntSub)
            || matches!(kind, IntNeg | IntMul)
            || (FfAdd..=FfBitsum).contains(&kind);
        if !is_ring {
            return UnivariatePolynomial::constant(self.order, (self.number)(t)?);
        }
        let args = self.store.args(t);
        let args: Vec<UnivariatePolynomial> =
            args.iter().map(|&a| self.read_at(a, depth + 1)).collect::<Option<_>>()?;
        let (first, rest) = args.split_first()?;
        let zero = UnivariatePolynomial::constant(self.order, RBig::ZERO)?;
        match kind {
            ToReal => Some(first.clone()),
            FfMul | RealMul | IntMul => rest.iter().try_fold(first.clone(), |product, p| product.times(p)),
            FfNeg | RealNeg | IntNeg => zero.plus(&IBig::NEG_ONE, first),
            RealSub | IntSub => rest.iter().try_fold(first.clone(), |sum, p| sum.plus(&IBig::NEG_ONE, p)),
            FfAdd | RealAdd | IntAdd => args.iter().try_fold(zero, |sum, p| sum.plus(&IBig::ONE, p)),
            RealDiv => rest.iter().try_fold(first.clone(), |quotient, p| match &p.coefficients[..] {
                [divisor] => quotient.times(&UnivariatePolynomial::constant(None, RBig::ONE / divisor)?),
                _ => None,
            }),
            _ => args.iter().rev().try_fold(zero, |sum, p| p.plus(&IBig::from(2), &sum)),
        }
    }
}

impl UnivariatePolynomial {
    /// Returns the unknown itself.
    pub(crate) fn unknown(order: Option<&FieldOrder>) -> UnivariatePolynomial {
        UnivariatePolynomial { order: order.cloned(), coefficients: vec![RBig::ZERO, RBig::ONE] }
    }

    /// Returns a number; `None` if it is too long.
    pub(crate) fn constant(order: Option<&FieldOrder>, value: RBig) -> Option<UnivariatePolynomial> {
        UnivariatePolynomial::new(order.cloned(), vec![value])
    }

    fn new(order: Option<FieldOrder>, mut coefficients: Vec<RBig>) -> Option<UnivariatePolynomial> {
        let is_long = |c: &RBig| c.numerator().bit_len().max(c.denominator().bit_len()) > MAX_BITS;
        match &order {
            Some(order) => coefficients.iter_mut().for_each(|c| *c = RBig::from(order.reduce(c.numerator()))),
            None if coefficients.iter().any(is_long) => return None,
            None => {}
        }
        while coefficients.last().is_some_and(RBig::is_zero) {
            coefficients.pop();
        }
        Some(UnivariatePolynomial { order, coefficients })
    }

    /// Adds a multiple of another; `None` if the sum is too long.
    pub(crate) fn plus(&self, factor: &IBig, other: &UnivariatePolynomial) -> Option<UnivariatePolynomial> {
        let (factor, mut sum) = (RBig::from(factor.clone()), self.coefficients.clone());
        sum.resize(sum.len().max(other.coefficients.len()), RBig::ZERO);
        sum.iter_mut().zip(&other.coefficients).for_each(|(c, d)| *c += &factor * d);
        UnivariatePolynomial::new(self.order.clone(), sum)
    }

    /// Returns the product; `None` above the highest degree, or if it is too long.
    pub(crate) fn times(&self, other: &UnivariatePolynomial) -> Option<UnivariatePolynomial> {
        let (a, b) = (&self.coefficients, &other.coefficients);
        if a.is_empty() || b.is_empty() {
            return UnivariatePolynomial::new(self.order.clone(), Vec::new());
        }
        if a.len() + b.len() > MAX_DEGREE[usize::from(self.order.is_none())] + 2 {
            return None;
        }
        let mut product = vec![RBig::ZERO; a.len() + b.len()];
        for (i, x) in a.iter().enumerate() {
            for (j, y) in b.iter().enumerate() {
                product[i + j] += x * y;
            }
        }
        UnivariatePolynomial::new(self.order.clone(), product)
    }

    /// Returns all its roots, real ones in ascending order; `None` if every number is one, or they are unknown.
    pub(crate) fn roots(&self) -> Option<Vec<Value>> {
        match &self.order {
            Some(order) => self.roots_in(order),
            None => {
                let limits = &AlgebraicLimits::EVALUATION;
                self.real_roots()?.into_iter().map(|root| Value::algebraic(root, limits).ok()).collect()
            }
        }
    }

    /// Returns the real roots, in ascending order; `None` if every number is one, or they are unknown.
    pub(crate) fn real_roots(&self) -> Option<Vec<AlgebraicNumber>> {
        let common = self.coefficients.iter().fold(IBig::ONE, |all, c| all * IBig::from(c.denominator().clone()));
        let whole = |c: &RBig| (c * RBig::from(common.clone())).numerator().clone();
        let polynomial = IntPolynomial::new(self.coefficients.iter().map(whole).collect()).primitive_part();
        match polynomial.coefficients().len() {
            0 => None,
            1 => Some(Vec::new()),
            _ => AlgebraicNumber::roots(&polynomial, &AlgebraicLimits::EVALUATION).ok(),
        }
    }

    /// Whether it is the polynomial 0.
    pub(crate) fn is_zero(&self) -> bool {
        self.coefficients.is_empty()
    }

    fn roots_in(&self, order: &FieldOrder) -> Option<Vec<Value>> {
        let root = |a: &RBig, b: &RBig| {
            // -b / a
            let ring = ConstDivisor::new(order.get().clone());
            let [a, b] = [a, b].map(|c| ring.reduce(c.numerator().clone()));
            Some(Value::FieldElement { order: order.clone(), value: (-b * a.inv()?).residue() })
        };
        match &self.coefficients[..] {
            [] => None,
            [_] => Some(Vec::new()),
            [b, a] => Some(vec![root(a, b)?]),
            // x(ax + b)
            [c, b, a] if c.is_zero() => Some(vec![root(&RBig::ONE, c)?, root(a, b)?]),
            _ => None,
        }
    }
}
