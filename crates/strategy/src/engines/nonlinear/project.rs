//! Projections: polynomials without the last variable such that the roots of given ones keep their number and order where none of these
//! changes its sign.

use super::limits::{PolynomialError, PolynomialWork};
use super::line::{CoverInterval, order};

use super::polynomial::{MultiPolynomial, basis};
use super::roots::{Roots, roots, sign};
use dashu_int::IBig;
use semantics::algebraic::AlgebraicNumber;
use std::cmp::Ordering;
use std::collections::BTreeSet;
use std::rc::Rc;

/// A projection theorem.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Projection {
    /// Discriminants, resultants and leading coefficients (McCallum, "An improved projection operation for cylindrical algebraic
    /// decomposition", 1998). It says nothing where a polynomial of the projection is zero over a whole cell.
    McCallum,
    /// Leading coefficients and principal subresultants, up to the first of each kind that is not zero at the sample (Collins, "Quantifier
    /// elimination for real closed fields by cylindrical algebraic decomposition", 1975, theorem 4). Only signs count, so it always applies.
    Collins,
}

impl Projection {
    /// The number of different roots of a polynomial over the point's cell.
    fn of_one(
        self,
        polynomial: &MultiPolynomial,
        point: &[AlgebraicNumber],
        work: &mut PolynomialWork,
    ) -> Result<Vec<MultiPolynomial>, PolynomialError> {
        let (mut found, rest) = leading(polynomial, point, work)?;
        match self {
            Projection::McCallum => found.push(polynomial.discriminant(point.len(), work)?),
            Projection::Collins => {
                let derivative: Vec<MultiPolynomial> =
                    rest.iter().enumerate().skip(1).map(|(n, c)| c.scaled(&IBig::from(n))).collect();
                found.extend(subresultants(&rest, &derivative, point, work)?);
            }
        }
        Ok(found)
    }

    /// The number of common roots of two polynomials over the point's cell.
    fn of_two(
        self,
        a: &MultiPolynomial,
        b: &MultiPolynomial,
        point: &[AlgebraicNumber],
        work: &mut PolynomialWork,
    ) -> Result<Vec<MultiPolynomial>, PolynomialError> {
        match self {
            Projection::McCallum => Ok(vec![a.resultant(b, point.len(), work)?]),
            // Their own projections keep their degrees.
            Projection::Collins => {
                let (a, b) = (leading(a, point, work)?.1, leading(b, point, work)?.1);
                subresultants(&a, &b, point, work)
            }
        }
    }
}

/// Returns the leading coefficients up to the first that is not zero at the point, and the coefficients up to that one, the constant one first.
fn leading(
    polynomial: &MultiPolynomial,
    point: &[AlgebraicNumber],
    work: &mut PolynomialWork,
) -> Result<(Vec<MultiPolynomial>, Vec<MultiPolynomial>), PolynomialError> {
    let (mut found, mut rest) = (Vec::new(), polynomial.coefficients(point.len()));
    while let Some(last) = rest.last() {
        found.push(last.clone());
        if sign(last, point, work)? != Ordering::Equal {
            break;
        }
        rest.pop();
    }
    Ok((found, rest))
}

/// Returns the principal subresultant coefficients of two lists of coefficients, up to the first that is not zero at the point: the degree
/// of the greatest common divisor over it is its number.
fn subresultants(
    a: &[MultiPolynomial],
    b: &[MultiPolynomial],
    point: &[AlgebraicNumber],
    work: &mut PolynomialWork,
) -> Result<Vec<MultiPolynomial>, PolynomialError> {
    let (Some(m), Some(n)) = (a.len().checked_sub(1), b.len().checked_sub(1)) else { return Ok(Vec::new()) };
    let mut found = Vec::new();
    for j in 0..m.min(n) {
        // Sylvester's matrix without its last j columns, and the last j rows of each polynomial.
        let row = |coefficients: &[MultiPolynomial], shift: usize| -> Vec<MultiPolynomial> {
            let zero = coefficients[0].zero_like();
            let at = |e: usize| e.checked_sub(shift).and_then(|e| coefficients.get(e)).unwrap_or(&zero).clone();
            (j..m + n - j).rev().map(at).collect()
        };
        let rows = (0..n - j).map(|shift| row(a, shift)).chain((0..m - j).map(|shift| row(b, shift))).collect();
        let coefficient = determinant(rows, work)?;
        let is_last = sign(&coefficient, point, work)? != Ordering::Equal;
        found.push(coefficient);
        if is_last {
            break;
        }
    }
    Ok(found)
}

/// Returns a determinant up to its sign, by elimination without fractions (Bareiss, 1968).
fn determinant(
    mut rows: Vec<Vec<MultiPolynomial>>,
    work: &mut PolynomialWork,
) -> Result<MultiPolynomial, PolynomialError> {
    let mut before: Option<MultiPolynomial> = None;
    loop {
        let Some(pivot) = rows.iter().position(|row| !row[0].is_zero()) else { return Ok(rows[0][0].zero_like()) };
        let row = rows.swap_remove(pivot);
        if rows.is_empty() {
            return Ok(row[0].clone());
        }
        for other in &mut rows {
            let mut next = Vec::with_capacity(row.len() - 1);
            for (x, y) in row[1..].iter().zip(&other[1..]) {
                let minor = row[0].times(y, work)?.plus(&IBig::NEG_ONE, &other[0].times(x, work)?);
                next.push(before.as_ref().map_or(Ok(minor.clone()), |divisor| minor.over(divisor, work))?);
            }
            *other = next;
        }
        before = Some(row[0].clone());
    }
}

/// Replaces polynomials with common factors by their factors: resultants of what is left are not zero.
fn separate(
    point: &[AlgebraicNumber],
    cover: &mut [CoverInterval],
    work: &mut PolynomialWork,
) -> Result<(), PolynomialError> {
    let given: BTreeSet<&MultiPolynomial> = cover.iter().flat_map(|i| i.main.iter().map(|(p, _)| &**p)).collect();
    let parts = basis(given.iter().map(|p| (*p).clone()).collect(), work)?;
    if parts.iter().eq(given) {
        return Ok(());
    }
    let mut rooted = Vec::new();
    for part in parts {
        let Roots::At(found) = roots(&part, point, work)? else { return Err(PolynomialError::Vanishes) };
        rooted.push((Rc::new(part), Rc::from(found)));
    }
    for interval in cover {
        let mut main = Vec::new();
        for part in &rooted {
            for (polynomial, _) in &interval.main {
                if part.0.greatest_common_divisor(polynomial, work)?.main().is_some() {
                    main.push(part.clone());
                    break;
                }
            }
        }
        interval.main = main;
    }
    Ok(())
}

/// Returns polynomials below a covered line such that where none changes its sign the line stays covered, or a
/// single interval stays (section 4.5 of the paper on coverings).
pub fn project(
    projection: Projection,
    point: &[AlgebraicNumber],
    mut cover: Vec<CoverInterval>,
    work: &mut PolynomialWork,
) -> Result<Vec<MultiPolynomial>, PolynomialError> {
    separate(point, &mut cover, work)?;
    let mut found: Vec<MultiPolynomial> = Vec::new();
    let mut seen: BTreeSet<&MultiPolynomial> = BTreeSet::new();
    for interval in &cover {
        found.extend(interval.below.iter().cloned());
        for (polynomial, _) in interval.main.iter().filter(|(polynomial, _)| seen.insert(polynomial)) {
            found.extend(projection.of_one(polynomial, point, work)?);
        }
        for (end, wrong) in [(0, Ordering::Greater), (1, Ordering::Less)] {
            let Some(number) = &interval.ends[end] else { continue };
            for (bound, _) in interval.bounds(end, work)? {
                for (other, roots) in interval.main.iter().filter(|(other, _)| other != bound) {
                    let mut is_outside = false;
                    for root in roots.iter() {
                        is_outside |= order(root, number, work)? != wrong;
                    }
                    if is_outside {
                        found.extend(projection.of_two(bound, other, point, work)?);
                    }
                }
            }
        }
    }
    if let [only] = cover.as_slice() {
        // Intervals of a covering touch, so none of them vanishes unnoticed. A single one must keep its ends apart.
        for (lower, _) in only.bounds(0, work)? {
            for (upper, _) in only.bounds(1, work)? {
                if lower != upper {
                    found.extend(projection.of_two(lower, upper, point, work)?);
                }
            }
        }
    }
    for pair in cover.windows(2) {
        for (upper, _) in pair[0].bounds(1, work)? {
            for (lower, _) in pair[1].bounds(0, work)? {
                if upper != lower {
                    found.extend(projection.of_two(upper, lower, point, work)?);
                }
            }
        }
    }
    basis(found, work)
}
