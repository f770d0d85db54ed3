//! Signs and real roots of polynomials at points with algebraic coordinates.

use super::limits::{PolynomialError, PolynomialWork};
use super::polynomial::MultiPolynomial;
use dashu_int::IBig;
use dashu_ratio::RBig;
use semantics::algebraic::{AlgebraicNumber, IntPolynomial};
use std::cmp::Ordering;

/// The real roots of a polynomial in its main variable, over a point.
pub enum Roots {
    /// It is zero everywhere over the point.
    Everywhere,
    /// Its roots, ascending.
    At(Vec<AlgebraicNumber>),
}

/// Returns the polynomial with the point's rational coordinates filled in, and one variable for equal irrational ones.
fn filled(
    polynomial: &MultiPolynomial,
    point: &[AlgebraicNumber],
    work: &mut PolynomialWork,
) -> Result<MultiPolynomial, PolynomialError> {
    let mut rest = polynomial.clone();
    for (n, coordinate) in point.iter().enumerate().filter(|(n, _)| polynomial.degree(*n) > 0) {
        work.meter.tick()?;
        if let Some(number) = coordinate.as_rational() {
            rest = rest.with_value(n, &number)?;
        } else if let Some(first) = point[..n].iter().position(|other| other == coordinate) {
            rest = rest.renamed(n, first);
        }
    }
    Ok(rest)
}

/// Returns the sign of the value at a point that has a coordinate for each variable of the polynomial.
pub fn sign(
    polynomial: &MultiPolynomial,
    point: &[AlgebraicNumber],
    work: &mut PolynomialWork,
) -> Result<Ordering, PolynomialError> {
    work.pause()?;
    let rest = filled(polynomial, point, work)?;
    if let Some(number) = rest.as_constant() {
        return Ok(number.cmp(&IBig::ZERO));
    }
    let limits = &work.algebra;
    let mut value = AlgebraicNumber::from(RBig::ZERO);
    for (exponents, coefficient) in rest.terms() {
        work.pause()?;
        let mut term = AlgebraicNumber::from(RBig::from(coefficient.clone()));
        for (coordinate, exponent) in point.iter().zip(exponents) {
            for _ in 0..*exponent {
                term = term.multiply(coordinate, limits)?;
            }
        }
        value = value.add(&term, limits)?;
    }
    Ok(value.sign(limits)?)
}

/// Returns the roots in the variable that follows the coordinates of the point.
pub fn roots(
    polynomial: &MultiPolynomial,
    point: &[AlgebraicNumber],
    work: &mut PolynomialWork,
) -> Result<Roots, PolynomialError> {
    let variable = point.len();
    let filled = filled(polynomial, point, work)?;
    let mut coefficients = filled.coefficients(variable);
    while let Some(leading) = coefficients.last() {
        if sign(leading, point, work)? != Ordering::Equal {
            break;
        }
        coefficients.pop();
    }
    match coefficients.len() {
        0 => return Ok(Roots::Everywhere),
        1 => return Ok(Roots::At(Vec::new())),
        _ => {}
    }
    let plain = MultiPolynomial::of_coefficients(&filled, variable, &coefficients);
    let mut norm = plain.clone();
    for (n, coordinate) in point.iter().enumerate().filter(|(n, _)| plain.degree(*n) > 0) {
        let generator = coordinate.as_generator().ok_or(PolynomialError::Conjugates)?;
        let powers: Vec<MultiPolynomial> = (generator.polynomial().coefficients().iter())
            .map(|c| MultiPolynomial::constant(polynomial.variables(), c.clone()))
            .collect();
        let minimal = MultiPolynomial::of_coefficients(&plain, n, &powers);
        norm = norm.resultant(&minimal, n, work)?.primitive();
    }
    if norm.is_zero() {
        return Err(PolynomialError::Conjugates);
    }
    let is_exact = norm == plain.primitive();
    let coefficients = norm.coefficients(variable).iter().map(|c| c.as_constant().unwrap_or(IBig::ZERO)).collect();
    let mut found = Vec::new();
    let mut extended = point.to_vec();
    work.pause()?;
    for root in AlgebraicNumber::roots(&IntPolynomial::new(coefficients).square_free_part(), &work.algebra)? {
        extended.push(root);
        if is_exact || sign(&plain, &extended, work)? == Ordering::Equal {
            found.extend(extended.last().cloned());
        }
        extended.pop();
    }
    Ok(Roots::At(found))
}
