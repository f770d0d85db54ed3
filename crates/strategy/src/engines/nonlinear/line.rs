//! A line over a point, cut into regions by the ends of intervals on which something is known.

use super::cut::CellSides;
use super::limits::{PolynomialError, PolynomialWork};
use super::polynomial::MultiPolynomial;
use super::project::Projection;
use super::roots::{Roots, roots};
use semantics::algebraic::{AlgebraicNumber, between};
use std::cmp::Ordering;
use std::collections::BTreeSet;
use std::rc::Rc;

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
    pub owners: BTreeSet<usize>,
}

impl CoverInterval {
    /// Returns a whole line on which these assertions fail whatever the point below is.
    pub fn failing(owners: BTreeSet<usize>) -> CoverInterval {
        CoverInterval { ends: [None, None], main: Vec::new(), below: Vec::new(), owners }
    }

    /// Returns the polynomials that are zero at an end.
    pub fn bounds(&self, end: usize, work: &mut PolynomialWork) -> Result<Vec<&Bounding>, PolynomialError> {
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

/// Compares two numbers; the same spelling costs nothing.
pub fn order(a: &AlgebraicNumber, b: &AlgebraicNumber, work: &mut PolynomialWork) -> Result<Ordering, PolynomialError> {
    work.pause()?;
    if a == b {
        return Ok(Ordering::Equal);
    }
    Ok(a.compare(b, &work.algebra)?)
}

/// A line cut at the ends of intervals. Even regions are open, odd ones are the points between them.
pub struct Regions {
    /// The ends, ascending.
    pub points: Vec<AlgebraicNumber>,
    /// The first and last region of each interval.
    ranges: Vec<(usize, usize)>,
}

impl Regions {
    /// Cuts a line.
    pub fn of(intervals: &[CoverInterval], work: &mut PolynomialWork) -> Result<Regions, PolynomialError> {
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
    pub fn ends(points: &[AlgebraicNumber], region: usize) -> [Option<AlgebraicNumber>; 2] {
        let after = points.get(region / 2).cloned();
        match region % 2 {
            1 => [after.clone(), after],
            _ => [(region / 2).checked_sub(1).and_then(|n| points.get(n).cloned()), after],
        }
    }

    /// Returns a region that no interval covers, an open one if there is one: its points are rational.
    pub fn free(&self) -> Option<usize> {
        let is_free = |region: &usize| !self.ranges.iter().any(|(first, last)| (first..=last).contains(&region));
        let last = 2 * self.points.len();
        (0..=last).step_by(2).find(is_free).or_else(|| (0..=last).skip(1).step_by(2).find(is_free))
    }

    /// Returns a point of a region.
    pub fn sample(&self, region: usize, work: &mut PolynomialWork) -> Result<AlgebraicNumber, PolynomialError> {
        let [low, high] = Regions::ends(&self.points, region);
        match (region % 2, low) {
            (1, Some(point)) => Ok(point),
            (_, low) => Ok(between(low.as_ref(), high.as_ref(), &work.algebra)?.into()),
        }
    }

    /// Returns rational ends of an interval around a sample that reaches into its neighbours only if it is the whole region.
    pub fn sides(
        &self,
        region: usize,
        sample: &AlgebraicNumber,
        work: &mut PolynomialWork,
    ) -> Result<CellSides, PolynomialError> {
        let low = (region / 2).checked_sub(1).and_then(|n| self.points.get(n));
        let high = self.points.get(region / 2 + region % 2);
        let side = |end: Option<&AlgebraicNumber>, is_lower: bool| -> Result<_, PolynomialError> {
            let Some(end) = end else { return Ok(None) };
            let (low, high) = if is_lower { (end, sample) } else { (sample, end) };
            Ok(Some(between(Some(low), Some(high), &work.algebra)?))
        };
        Ok([side(low, true)?, side(high, false)?])
    }

    /// Returns the numbers of few intervals that cover a covered line, from left to right.
    pub fn cover(&self) -> Vec<usize> {
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

/// Returns numbers in ascending order, each once.
pub fn sorted<'n>(
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

/// Returns the interval around a sample in which no polynomial changes its sign.
pub fn around(
    projection: Projection,
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
        let roots = match (roots(&polynomial, point, work)?, projection) {
            (Roots::At(roots), _) => roots,
            (Roots::Everywhere, Projection::McCallum) => return Err(PolynomialError::Vanishes),
            (Roots::Everywhere, Projection::Collins) => {
                interval.below.extend(polynomial.coefficients(level));
                continue;
            }
        };
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
