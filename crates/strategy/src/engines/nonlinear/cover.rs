//! Cylindrical algebraic coverings: a line over a point is covered by intervals on which constraints fail, and the reasons for a covered
//! line become an interval on the line below.
//!
//! Ábrahám, Davenport, England and Kremer, "Deciding the consistency of non-linear real arithmetic constraints with a conflict driven
//! search using cylindrical algebraic coverings" (2021).

use super::cut::{CellCutter, CellSides};
use super::limits::{PolynomialError, PolynomialWork};
use super::line::{Bounding, CoverInterval, Regions, around, sorted};
use super::polynomial::{MultiPolynomial, basis};
use super::project::{Projection, project};
use super::roots::{Roots, roots, sign};
use crate::constraint::LinearRelation;
use semantics::algebraic::{AlgebraicNumber, between};
use std::cmp::Ordering;
use std::collections::BTreeSet;
use std::rc::Rc;

/// The relation of a polynomial to zero.
#[derive(Clone, Debug)]
pub struct PolynomialConstraint {
    /// The polynomial.
    pub polynomial: MultiPolynomial,
    /// The relation.
    pub relation: LinearRelation,
    /// The position of its assertion.
    pub owner: usize,
}

/// The end of a search.
pub enum CoveringEnd {
    /// All constraints hold at the point.
    Point(Vec<AlgebraicNumber>),
    /// The assertions at these positions have no common point.
    Covered(BTreeSet<usize>),
}

/// The boxes around the coordinates of the present point, and the engine that may refute them.
struct SampleCells<'c> {
    sides: Vec<CellSides>,
    cutter: Option<CellCutter<'c>>,
}

impl SampleCells<'_> {
    fn cut(&mut self, work: &mut PolynomialWork) -> Result<Option<CoverInterval>, PolynomialError> {
        self.cutter.as_mut().map_or(Ok(None), |cutter| cutter.cut(&self.sides, work))
    }
}

/// The search.
pub struct Covering<'c> {
    constraints: &'c [PolynomialConstraint],
    variables: usize,
    projection: Projection,
    /// The square-free factors of each constraint's polynomial.
    factors: Vec<Vec<Rc<MultiPolynomial>>>,
}

impl<'c> Covering<'c> {
    /// Makes a search over polynomials that are not constant.
    pub fn new(
        constraints: &'c [PolynomialConstraint],
        variables: usize,
        projection: Projection,
        work: &mut PolynomialWork,
    ) -> Result<Covering<'c>, PolynomialError> {
        let factors =
            |c: &PolynomialConstraint| Ok(basis(vec![c.polynomial.clone()], work)?.into_iter().map(Rc::new).collect());
        let factors = constraints.iter().map(factors).collect::<Result<_, PolynomialError>>()?;
        Ok(Covering { constraints, variables, projection, factors })
    }

    /// Finds a point or a covering.
    pub fn search(
        &self,
        cutter: Option<CellCutter<'_>>,
        work: &mut PolynomialWork,
    ) -> Result<CoveringEnd, PolynomialError> {
        let (mut point, mut cells) = (Vec::new(), SampleCells { sides: Vec::new(), cutter });
        Ok(match self.line(&mut point, &mut cells, work)? {
            None => CoveringEnd::Point(point),
            Some(cover) => CoveringEnd::Covered(cover.into_iter().flat_map(|interval| interval.owners).collect()),
        })
    }

    /// Returns a covering of the line over the point; `None` if the point was extended to a solution.
    fn line(
        &self,
        point: &mut Vec<AlgebraicNumber>,
        cells: &mut SampleCells<'_>,
        work: &mut PolynomialWork,
    ) -> Result<Option<Vec<CoverInterval>>, PolynomialError> {
        if point.len() == self.variables {
            return Ok(None);
        }
        let mut intervals = self.failing(point, work)?;
        loop {
            let regions = Regions::of(&intervals, work)?;
            let Some(free) = regions.free() else {
                let mut taken: Vec<Option<CoverInterval>> = intervals.into_iter().map(Some).collect();
                return Ok(Some(regions.cover().into_iter().filter_map(|n| taken[n].take()).collect()));
            };
            let sample = regions.sample(free, work)?;
            if point.len() + 1 < self.variables && cells.cutter.is_some() {
                cells.sides.push(regions.sides(free, &sample, work)?);
                if let Some(interval) = cells.cut(work)? {
                    cells.sides.pop();
                    intervals.push(interval);
                    continue;
                }
            }
            point.push(sample.clone());
            let Some(cover) = self.line(point, cells, work)? else { return Ok(None) };
            cells.sides.truncate(point.len() - 1);
            let owners = cover.iter().flat_map(|interval| interval.owners.iter().copied()).collect();
            let projected = project(self.projection, point, cover, work)?;
            point.pop();
            intervals.push(around(self.projection, point, &sample, projected, owners, work)?);
        }
    }

    /// Returns the intervals of the line over the point on which single constraints fail.
    fn failing(
        &self,
        point: &[AlgebraicNumber],
        work: &mut PolynomialWork,
    ) -> Result<Vec<CoverInterval>, PolynomialError> {
        let level = point.len();
        let mut found = Vec::new();
        for (constraint, factors) in self.constraints.iter().zip(&self.factors) {
            if constraint.polynomial.main() != Some(level) {
                continue;
            }
            let owners = BTreeSet::from([constraint.owner]);
            let (mut main, mut below, mut zero) = (Vec::new(), Vec::new(), None);
            for factor in factors {
                if factor.main() != Some(level) {
                    if sign(factor, point, work)? == Ordering::Equal {
                        zero = Some(vec![(**factor).clone()]);
                    }
                    below.push((**factor).clone());
                    continue;
                }
                match roots(factor, point, work)? {
                    // All coefficients are zero here, and in the cell of the point: none changes its sign there.
                    Roots::Everywhere => zero = Some(factor.coefficients(level)),
                    Roots::At(roots) => main.push((Rc::clone(factor), roots.into())),
                }
            }
            if let Some(below) = zero {
                if !constraint.relation.holds(Ordering::Equal) {
                    return Ok(vec![CoverInterval { below, ..CoverInterval::failing(owners) }]);
                }
                continue;
            }
            let points = sorted(main.iter().flat_map(|(_, roots): &Bounding| roots.iter()), work)?;
            for region in 0..=2 * points.len() {
                let ends = Regions::ends(&points, region);
                let sign_here = if region % 2 == 1 {
                    Ordering::Equal
                } else {
                    let mut inside = point.to_vec();
                    inside.push(between(ends[0].as_ref(), ends[1].as_ref(), &work.algebra)?.into());
                    sign(&constraint.polynomial, &inside, work)?
                };
                if !constraint.relation.holds(sign_here) {
                    let (main, below, owners) = (main.clone(), below.clone(), owners.clone());
                    found.push(CoverInterval { ends, main, below, owners });
                }
            }
        }
        Ok(found)
    }
}
