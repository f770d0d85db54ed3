//! Polynomials of low degree in one unknown, over the rationals or a finite field, and their roots.

use crate::algebraic::{AlgebraicError, AlgebraicLimits, AlgebraicNumber, IntPolynomial};
use crate::value::Value;
use dashu_base::BitTest;
use dashu_int::IBig;
use dashu_int::fast_div::ConstDivisor;
use dashu_ratio::RBig;
use smtlib::FieldOrder;

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

    /// Returns all its roots; `None` if every number is one, or they are unknown.
    pub(crate) fn roots(&self) -> Option<Vec<Value>> {
        match &self.order {
            Some(order) => self.roots_in(order),
            None => self.real_roots(),
        }
    }

    /// Returns the real roots, in ascending order.
    fn real_roots(&self) -> Option<Vec<Value>> {
        let common = self.coefficients.iter().fold(IBig::ONE, |all, c| all * IBig::from(c.denominator().clone()));
        let whole = |c: &RBig| (c * RBig::from(common.clone())).numerator().clone();
        let polynomial = IntPolynomial::new(self.coefficients.iter().map(whole).collect()).primitive_part();
        if polynomial.coefficients().len() < 2 {
            return (!polynomial.is_zero()).then(Vec::new);
        }
        let (limits, mut roots) = (&AlgebraicLimits::EVALUATION, Vec::new());
        loop {
            match AlgebraicNumber::root(&polynomial, roots.len() + 1, limits) {
                Ok(root) => roots.push(Value::algebraic(root, limits).ok()?),
                Err(AlgebraicError::NoSuchRoot { .. }) => return Some(roots),
                Err(_) => return None,
            }
        }
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
