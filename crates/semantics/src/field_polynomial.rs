//! Polynomials of low degree in one unknown over a finite field, and their roots.

use crate::value::Value;
use dashu_int::fast_div::ConstDivisor;
use dashu_int::{IBig, UBig};
use smtlib::FieldOrder;

/// The maximum degree.
const MAX_DEGREE: usize = 2;

/// A polynomial in one unknown.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct FieldPolynomial {
    order: FieldOrder,
    /// From the constant one on; the last is not 0, so the polynomial 0 has none.
    coefficients: Vec<UBig>,
}

impl FieldPolynomial {
    /// Returns the unknown itself.
    pub(crate) fn unknown(order: &FieldOrder) -> FieldPolynomial {
        FieldPolynomial { order: order.clone(), coefficients: vec![UBig::ZERO, UBig::ONE] }
    }

    /// Returns an element of the field.
    pub(crate) fn constant(order: &FieldOrder, value: UBig) -> FieldPolynomial {
        FieldPolynomial::new(order, vec![value])
    }

    fn new(order: &FieldOrder, mut coefficients: Vec<UBig>) -> FieldPolynomial {
        coefficients.iter_mut().for_each(|c| *c %= order.get());
        while coefficients.last().is_some_and(UBig::is_zero) {
            coefficients.pop();
        }
        FieldPolynomial { order: order.clone(), coefficients }
    }

    /// Adds a multiple of another.
    pub(crate) fn plus(&self, factor: &IBig, other: &FieldPolynomial) -> FieldPolynomial {
        let factor = self.order.reduce(factor);
        let mut sum = self.coefficients.clone();
        sum.resize(sum.len().max(other.coefficients.len()), UBig::ZERO);
        sum.iter_mut().zip(&other.coefficients).for_each(|(c, d)| *c += &factor * d);
        FieldPolynomial::new(&self.order, sum)
    }

    /// Returns the product; `None` above the highest degree.
    pub(crate) fn times(&self, other: &FieldPolynomial) -> Option<FieldPolynomial> {
        let (a, b) = (&self.coefficients, &other.coefficients);
        if a.len() + b.len() > MAX_DEGREE + 2 {
            return (a.is_empty() || b.is_empty()).then(|| FieldPolynomial::new(&self.order, Vec::new()));
        }
        let mut product = vec![UBig::ZERO; a.len() + b.len()];
        for (i, x) in a.iter().enumerate() {
            for (j, y) in b.iter().enumerate() {
                product[i + j] += x * y;
            }
        }
        Some(FieldPolynomial::new(&self.order, product))
    }

    /// Returns its roots; `None` if every element is one, or they are unknown.
    pub(crate) fn roots(&self) -> Option<Vec<Value>> {
        let root = |a: &UBig, b: &UBig| {
            // -b / a
            let ring = ConstDivisor::new(self.order.get().clone());
            let value = (-ring.reduce(b.clone()) * ring.reduce(a.clone()).inv()?).residue();
            Some(Value::FieldElement { order: self.order.clone(), value })
        };
        match &self.coefficients[..] {
            [] => None,
            [_] => Some(Vec::new()),
            [b, a] => Some(vec![root(a, b)?]),
            // x(ax + b)
            [c, b, a] if c.is_zero() => Some(vec![root(&UBig::ONE, c)?, root(a, b)?]),
            _ => None,
        }
    }
}
