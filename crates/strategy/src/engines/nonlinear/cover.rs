//! Cylindrical algebraic coverings: a line over a point is covered by intervals on which constraints fail, and the reasons for a covered
//! line become an interval on the line below.
//!
//! Ábrahám, Davenport, England and Kremer, "Deciding the consistency of non-linear real arithmetic constraints with a conflict driven
//! search using cylindrical algebraic coverings" (2021), with McCallum's projection. Where a polynomial of the projection is zero over a
//! whole cell, McCallum's theorem says nothing, and the search gives up.

use super::cut::{CellCutter, CellSides};
use super::limits::{PolynomialError, PolynomialWork};
use super::polynomial::{MultiPolynomial, basis};
use super::roots::{Roots, between, roots, sign};
use crate::constraint::LinearRelation;
use semantics::algebraic::AlgebraicNumber;
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

impl PolynomialConstraint {
    /// Whether the constraint holds where the polynomial has this sign.
    pub fn holds(&self, sign: Ordering) -> bool {
        match self.relation {
            LinearRelation::AtMost => sign != Ordering::Greater,
            LinearRelation::Below => sign == Ordering::Less,
            LinearRelation::Equal => sign == Ordering::Equal,
            LinearRelation::Distinct => sign != Ordering::Equal,
        }
    }
}

/// The end of a search.
pub enum CoveringEnd {
    /// All constraints hold at the point.
    Point(Vec<AlgebraicNumber>),
    /// The assertions at these positions have no common point.
    Covered(BTreeSet<usize>),
}

/// A polynomial with its roots over the present point.
pub type Bounding = (Rc<MultiPolynomial>, Rc<[AlgebraicNumber]>);

/// A part of a line on which some constraint fails: an open interval, or a point.
pub struct CoverInterval {
    /// The ends; `None` is infinity. A point has itself as both.
    pub ends: [Option<AlgebraicNumber>; 2],
    /// Polynomials in the variable of the line, whose signs do not change in the interval.
    pub main: Vec<Bounding>,
    /// Polynomials in the variables below, whose signs must not change either.
    pub below: Vec<MultiPolynomial>,
    /// The positions of the assertions that fail.
    owners: BTreeSet<usize>,
}

impl CoverInterval {
    /// Returns a whole line on which these assertions fail whatever the point below is.
    pub fn failing(owners: BTreeSet<usize>) -> CoverInterval {
        CoverInterval { ends: [None, None], main: Vec::new(), below: Vec::new(), owners }
    }

    /// Returns the polynomials that are zero at an end.
    fn bounds(&self, end: usize, work: &mut PolynomialWork) -> Result<Vec<&Bounding>, PolynomialError> {
        let mut found = Vec::new();
        let Some(end) = &self.ends[end] else { return Ok(found) };
        for bounding in &self.main {
            for root in bounding.1.iter() {
                if order(root, end, work)? == Ordering::Equal {
                    found.push(bounding);
                    break;
                }
            }
        }
        Ok(found)
    }
}

fn order(a: &AlgebraicNumber, b: &AlgebraicNumber, work: &mut PolynomialWork) -> Result<Ordering, PolynomialError> {
    work.pause()?;
    if a == b {
        return Ok(Ordering::Equal);
    }
    Ok(a.compare(b, &work.algebra)?)
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
    /// The square-free factors of each constraint's polynomial.
    factors: Vec<Vec<Rc<MultiPolynomial>>>,
}

impl<'c> Covering<'c> {
    /// Makes a search over polynomials that are not constant.
    pub fn new(
        constraints: &'c [PolynomialConstraint],
        variables: usize,
        work: &mut PolynomialWork,
    ) -> Result<Covering<'c>, PolynomialError> {
        let factors =
            |c: &PolynomialConstraint| Ok(basis(vec![c.polynomial.clone()], work)?.into_iter().map(Rc::new).collect());
        let factors = constraints.iter().map(factors).collect::<Result<_, PolynomialError>>()?;
        Ok(Covering { constraints, variables, factors })
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
            let projected = project(point, cover, work)?;
            point.pop();
            intervals.push(around(point, &sample, projected, owners, work)?);
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
                if !constraint.holds(Ordering::Equal) {
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
                    inside.push(between(ends[0].as_ref(), ends[1].as_ref(), work)?.into());
                    sign(&constraint.polynomial, &inside, work)?
                };
                if !constraint.holds(sign_here) {
                    let (main, below, owners) = (main.clone(), below.clone(), owners.clone());
                    found.push(CoverInterval { ends, main, below, owners });
                }
            }
        }
        Ok(found)
    }
}

/// Returns numbers in ascending order, each once.
fn sorted<'n>(
    numbers: impl Iterator<Item = &'n AlgebraicNumber>,
    work: &mut PolynomialWork,
) -> Result<Vec<AlgebraicNumber>, PolynomialError> {
    let mut found: Vec<AlgebraicNumber> = Vec::new();
    'numbers: for number in numbers {
        let (mut low, mut high) = (0, found.len());
        while low < high {
            let middle = low.midpoint(high);
            match order(&found[middle], number, work)? {
                Ordering::Less => low = middle + 1,
                Ordering::Greater => high = middle,
                Ordering::Equal => continue 'numbers,
            }
        }
        found.insert(low, number.clone());
    }
    Ok(found)
}

/// A line cut at the ends of intervals. Even regions are open, odd ones are the points between them.
struct Regions {
    points: Vec<AlgebraicNumber>,
    /// The first and last region of each interval.
    ranges: Vec<(usize, usize)>,
}

impl Regions {
    fn of(intervals: &[CoverInterval], work: &mut PolynomialWork) -> Result<Regions, PolynomialError> {
        let points = sorted(intervals.iter().flat_map(|interval| interval.ends.iter().flatten()), work)?;
        let mut ranges = Vec::with_capacity(intervals.len());
        for interval in intervals {
            let mut places = [0, 2 * points.len()];
            for (end, place) in interval.ends.iter().zip(&mut places) {
                let Some(end) = end else { continue };
                for (n, point) in points.iter().enumerate() {
                    if order(point, end, work)? == Ordering::Equal {
                        *place = 2 * n + 1;
                    }
                }
            }
            let is_point = interval.ends[0].is_some() && places[0] == places[1];
            let inner = (
                places[0] + usize::from(interval.ends[0].is_some()),
                places[1] - usize::from(interval.ends[1].is_some()),
            );
            ranges.push(if is_point { (places[0], places[0]) } else { inner });
        }
        Ok(Regions { points, ranges })
    }

    /// Returns the ends of a region.
    fn ends(points: &[AlgebraicNumber], region: usize) -> [Option<AlgebraicNumber>; 2] {
        let after = points.get(region / 2).cloned();
        match region % 2 {
            1 => [after.clone(), after],
            _ => [(region / 2).checked_sub(1).and_then(|n| points.get(n).cloned()), after],
        }
    }

    /// Returns a region that no interval covers, an open one if there is one: its points are rational.
    fn free(&self) -> Option<usize> {
        let is_free = |region: &usize| !self.ranges.iter().any(|(first, last)| (first..=last).contains(&region));
        let last = 2 * self.points.len();
        (0..=last).step_by(2).find(is_free).or_else(|| (0..=last).skip(1).step_by(2).find(is_free))
    }

    /// Returns a point of a region.
    fn sample(&self, region: usize, work: &mut PolynomialWork) -> Result<AlgebraicNumber, PolynomialError> {
        let [low, high] = Regions::ends(&self.points, region);
        match (region % 2, low) {
            (1, Some(point)) => Ok(point),
            (_, low) => Ok(between(low.as_ref(), high.as_ref(), work)?.into()),
        }
    }

    /// Returns rational ends of an interval around a sample that reaches into its neighbours only if it is the whole region.
    fn sides(
        &self,
        region: usize,
        sample: &AlgebraicNumber,
        work: &mut PolynomialWork,
    ) -> Result<CellSides, PolynomialError> {
        let low = (region / 2).checked_sub(1).and_then(|n| self.points.get(n));
        let high = self.points.get(region / 2 + region % 2);
        let side = |end: Option<&AlgebraicNumber>, is_lower: bool, work: &mut PolynomialWork| {
            let Some(end) = end else { return Ok(None) };
            let (low, high) = if is_lower { (end, sample) } else { (sample, end) };
            between(Some(low), Some(high), work).map(Some)
        };
        Ok([side(low, true, work)?, side(high, false, work)?])
    }

    /// Returns the numbers of few intervals that cover a covered line, from left to right.
    fn cover(&self) -> Vec<usize> {
        let (mut next, mut chosen) = (0, Vec::new());
        while next <= 2 * self.points.len() {
            let fits = |n: &usize| self.ranges[*n].0 <= next;
            let Some(best) = (0..self.ranges.len()).filter(fits).max_by_key(|n| self.ranges[*n].1) else { break };
            chosen.push(best);
            next = self.ranges[best].1 + 1;
        }
        chosen
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

/// Returns polynomials below a covered line such that the line stays covered where none changes its sign (section 4.5 of the paper).
fn project(
    point: &[AlgebraicNumber],
    mut cover: Vec<CoverInterval>,
    work: &mut PolynomialWork,
) -> Result<Vec<MultiPolynomial>, PolynomialError> {
    separate(point, &mut cover, work)?;
    let level = point.len();
    let mut found: Vec<MultiPolynomial> = Vec::new();
    let mut seen: BTreeSet<&MultiPolynomial> = BTreeSet::new();
    for interval in &cover {
        found.extend(interval.below.iter().cloned());
        for (polynomial, _) in interval.main.iter().filter(|(polynomial, _)| seen.insert(polynomial)) {
            found.push(polynomial.discriminant(level, work)?);
            for coefficient in polynomial.coefficients(level).into_iter().rev().filter(|c| !c.is_zero()) {
                let is_zero = sign(&coefficient, point, work)? == Ordering::Equal;
                found.push(coefficient);
                if !is_zero {
                    break;
                }
            }
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
                        found.push(bound.resultant(other, level, work)?);
                    }
                }
            }
        }
    }
    for pair in cover.windows(2) {
        for (upper, _) in pair[0].bounds(1, work)? {
            for (lower, _) in pair[1].bounds(0, work)? {
                if upper != lower {
                    found.push(upper.resultant(lower, level, work)?);
                }
            }
        }
    }
    basis(found, work)
}

/// Returns the interval around a sample in which no polynomial changes its sign.
fn around(
    point: &[AlgebraicNumber],
    sample: &AlgebraicNumber,
    polynomials: Vec<MultiPolynomial>,
    owners: BTreeSet<usize>,
    work: &mut PolynomialWork,
) -> Result<CoverInterval, PolynomialError> {
    let level = point.len();
    let mut interval = CoverInterval::failing(owners);
    for polynomial in polynomials {
        if polynomial.main() != Some(level) {
            interval.below.push(polynomial);
            continue;
        }
        let Roots::At(roots) = roots(&polynomial, point, work)? else { return Err(PolynomialError::Vanishes) };
        for root in &roots {
            let side = order(root, sample, work)?;
            for (end, closer, place) in [(0, Ordering::Greater, Ordering::Less), (1, Ordering::Less, Ordering::Greater)]
            {
                let is_closer = match &interval.ends[end] {
                    None => true,
                    Some(known) => order(root, known, work)? == closer,
                };
                if (side == place || side == Ordering::Equal) && is_closer {
                    interval.ends[end] = Some(root.clone());
                }
            }
        }
        interval.main.push((Rc::new(polynomial), roots.into()));
    }
    Ok(interval)
}
