//! `icp`: conjunctions of polynomial constraints, by interval constraint propagation.
//!
//! Each constraint narrows the intervals of its variables, as in Benhamou and Granvilliers, "Continuous and interval constraints" (2006). The
//! rest is cut in two, and a rational point of each box is tried. Intervals only exclude numbers that cannot be: ends are rounded outward.

use super::cover::PolynomialConstraint;
use super::interval::FloatInterval;
use super::limits::{PolynomialError, PolynomialWork};
use super::read::{self, PolynomialProblem};
use crate::budget::Budget;
use crate::constraint::LinearRelation;
use crate::engine::{Decision, Engine, EngineEntry, MakeEngine};
use dashu_int::IBig;
use dashu_ratio::RBig;
use rewrite::TacticParameter;
use smtlib::{SortId, Store, TermId, logic};
use std::collections::BTreeSet;

/// The registry's row.
pub const ENTRY: EngineEntry = EngineEntry {
    name: "icp",
    about: "conjunctions of polynomial constraints over reals and integers, by contracting and splitting boxes of floats",
    takes: logic::INTEGERS | logic::REALS | logic::SUMS | logic::NONLINEAR,
    parameters: &[BOXES],
    make: MakeEngine::Alone(|params| Box::new(BoxEngine { boxes: params.number(&BOXES) })),
};

/// The limit on boxes.
const BOXES: TacticParameter =
    TacticParameter { name: "boxes", about: "the maximum number of boxes", default: 2000, words: &[] };

/// The maximum number of rounds over all constraints for one box.
const ROUNDS: usize = 20;
/// A round that shrinks no interval below this share of its width is the last.
const PROGRESS: f64 = 0.9;
/// The width, by the size of the numbers, at which an interval is no longer cut.
const NARROW: f64 = 1e-9;

/// `icp`.
struct BoxEngine {
    boxes: u64,
}

/// A set of constraints by their numbers, one bit each.
#[derive(Clone)]
struct ConstraintSet(Vec<u64>);

impl ConstraintSet {
    fn add(&mut self, other: &ConstraintSet) {
        self.0.iter_mut().zip(&other.0).for_each(|(word, more)| *word |= more);
    }

    fn insert(&mut self, n: usize) {
        self.0[n / 64] |= 1 << (n % 64);
    }

    fn has(&self, n: usize) -> bool {
        self.0[n / 64] >> (n % 64) & 1 == 1
    }
}

/// The intervals of all variables, and the constraints by which each was narrowed.
#[derive(Clone)]
struct IntervalBox {
    sides: Vec<FloatInterval>,
    reasons: Vec<ConstraintSet>,
}

/// A product of powers with its coefficient.
struct Monomial {
    coefficient: FloatInterval,
    powers: Vec<(usize, u32)>,
}

/// A constraint in floats.
struct FloatConstraint<'p> {
    exact: &'p PolynomialConstraint,
    number: usize,
    variables: Vec<usize>,
    monomials: Vec<Monomial>,
    /// What the sum of the monomials may be.
    allowed: FloatInterval,
}

/// No number of the box makes the constraint true.
struct Refuted;

impl Engine for BoxEngine {
    fn decide(&self, store: &mut Store, assertions: &[TermId], budget: &Budget) -> Decision {
        let mut work = PolynomialWork::new(budget);
        let decide = |work: &mut PolynomialWork| {
            let problem = read::problem(store, assertions, work)?;
            match problem.violated {
                Some(violated) => Ok(Decision::Unsat(vec![violated])),
                None => BoxSearch::new(store, &problem).run(store, assertions, self.boxes, work),
            }
        };
        decide(&mut work).unwrap_or_else(|error| error.into_decision(budget))
    }
}

/// What is left of the interval of each symbol, and the positions of the assertions that narrowed it.
pub type Contracted = Vec<(FloatInterval, Vec<usize>)>;

/// Narrows the intervals of all symbols without cutting them. The inner error names assertions that have no common point.
pub fn contracted(
    store: &Store,
    problem: &PolynomialProblem,
    work: &mut PolynomialWork,
) -> Result<Result<Contracted, Vec<usize>>, PolynomialError> {
    if let Some(violated) = problem.violated {
        return Ok(Err(vec![violated]));
    }
    let mut search = BoxSearch::new(store, problem);
    let mut whole = search.whole();
    if search.contract(&mut whole, work)?.is_err() {
        return Ok(Err(search.owners(&search.core)));
    }
    let owners: Vec<Vec<usize>> = whole.reasons.iter().map(|reasons| search.owners(reasons)).collect();
    Ok(Ok(whole.sides.into_iter().zip(owners).collect()))
}

/// The search for a point, or for a refutation of every box.
struct BoxSearch<'p> {
    problem: &'p PolynomialProblem,
    constraints: Vec<FloatConstraint<'p>>,
    is_integer: Vec<bool>,
    /// The constraints by which boxes were refuted.
    core: ConstraintSet,
}

impl<'p> BoxSearch<'p> {
    fn new(store: &Store, problem: &'p PolynomialProblem) -> BoxSearch<'p> {
        let constraints = problem.constraints.iter().enumerate().map(FloatConstraint::of).collect();
        let is_integer = problem.symbols.iter().map(|symbol| store.sort(*symbol) == SortId::INT).collect();
        let core = ConstraintSet(vec![0; problem.constraints.len().div_ceil(64)]);
        BoxSearch { problem, constraints, is_integer, core }
    }

    fn run(
        mut self,
        store: &Store,
        assertions: &[TermId],
        boxes: u64,
        work: &mut PolynomialWork,
    ) -> Result<Decision, PolynomialError> {
        let (mut open, mut left, mut is_complete) = (vec![self.whole()], boxes, true);
        while let Some(mut present) = open.pop() {
            work.pause()?;
            if self.contract(&mut present, work)?.is_err() {
                continue;
            }
            if let Some(point) = self.point(&present.sides, work)? {
                return self.problem.model(store, assertions, point.into_iter().map(Into::into).collect(), work);
            }
            let Some(variable) = widest(&present.sides) else {
                is_complete = false;
                continue;
            };
            left = left.checked_sub(1).ok_or(PolynomialError::Boxes)?;
            let (mut lower, mut upper) = (present.clone(), present);
            let middle = lower.sides[variable].middle();
            (lower.sides[variable].high, upper.sides[variable].low) = (middle, middle);
            open.extend([upper, lower]);
        }
        if !is_complete {
            return Err(PolynomialError::Boxes);
        }
        Ok(Decision::Unsat(self.owners(&self.core)))
    }

    /// Returns the box of all numbers.
    fn whole(&self) -> IntervalBox {
        let (count, none) = (self.is_integer.len(), ConstraintSet(vec![0; self.core.0.len()]));
        IntervalBox { sides: vec![FloatInterval::WHOLE; count], reasons: vec![none; count] }
    }

    /// Returns the positions of the assertions of constraints, ascending.
    fn owners(&self, constraints: &ConstraintSet) -> Vec<usize> {
        let owners = self.constraints.iter().filter(|c| constraints.has(c.number)).map(|c| c.exact.owner);
        owners.collect::<BTreeSet<usize>>().into_iter().collect()
    }

    /// Narrows a box by all constraints until little changes.
    fn contract(
        &mut self,
        present: &mut IntervalBox,
        work: &mut PolynomialWork,
    ) -> Result<Result<(), Refuted>, PolynomialError> {
        for _ in 0..ROUNDS {
            let before = present.sides.clone();
            for constraint in &self.constraints {
                work.pause()?;
                if constraint.contract(present, &self.is_integer).is_err() {
                    self.core.add(&constraint.reasons(present));
                    return Ok(Err(Refuted));
                }
            }
            let shrinks = |(old, new): (&FloatInterval, &FloatInterval)| {
                new.width() < PROGRESS * old.width()
                    || (old.low.is_infinite() && new.low.is_finite())
                    || (old.high.is_infinite() && new.high.is_finite())
            };
            if !before.iter().zip(&present.sides).any(shrinks) {
                break;
            }
        }
        Ok(Ok(()))
    }

    /// Returns a point of the box at which all constraints hold: the simplest numbers, or what a linear equation needs.
    fn point(
        &self,
        present: &[FloatInterval],
        work: &mut PolynomialWork,
    ) -> Result<Option<Vec<RBig>>, PolynomialError> {
        let mut point: Vec<RBig> = present.iter().map(FloatInterval::sample).collect();
        let mut is_bound = vec![false; point.len()];
        for constraint in self.problem.constraints.iter().filter(|c| c.relation == LinearRelation::Equal) {
            let degree = |v: &usize| constraint.polynomial.degree(*v) == 1 && !is_bound[*v];
            let Some(solved) = (0..point.len()).find(degree) else { continue };
            let mut line = constraint.polynomial.clone();
            for (variable, value) in point.iter().enumerate().filter(|(variable, _)| *variable != solved) {
                work.meter.tick()?;
                line = line.with_value(variable, value)?;
            }
            let parts: Vec<IBig> = line.coefficients(solved).iter().filter_map(|c| c.as_constant()).collect();
            if let [constant, factor] = &parts[..] {
                point[solved] = -RBig::from(constant.clone()) / RBig::from(factor.clone());
            }
            for (variable, bound) in is_bound.iter_mut().enumerate() {
                *bound |= constraint.polynomial.degree(variable) > 0;
            }
        }
        if point.iter().zip(&self.is_integer).any(|(value, is_integer)| *is_integer && !value.denominator().is_one()) {
            return Ok(None);
        }
        for constraint in &self.problem.constraints {
            let mut rest = constraint.polynomial.clone();
            for (variable, value) in point.iter().enumerate() {
                work.meter.tick()?;
                rest = rest.with_value(variable, value)?;
            }
            if !rest.as_constant().is_some_and(|number| constraint.relation.holds(number.cmp(&IBig::ZERO))) {
                return Ok(None);
            }
        }
        Ok(Some(point))
    }
}

/// Returns the variable to cut: the widest by the size of its numbers; none if all are narrow.
fn widest(present: &[FloatInterval]) -> Option<usize> {
    let width = |interval: &FloatInterval| match interval.width() {
        width if width.is_finite() => width / (1.0 + interval.low.abs().max(interval.high.abs())),
        _ => f64::INFINITY,
    };
    let cuts = |(_, interval): &(usize, &FloatInterval)| {
        let middle = interval.middle();
        width(interval) > NARROW && interval.low < middle && middle < interval.high
    };
    let widths = present.iter().enumerate().filter(cuts).map(|(variable, interval)| (variable, width(interval)));
    widths.max_by(|a, b| a.1.total_cmp(&b.1).then(b.0.cmp(&a.0))).map(|(variable, _)| variable)
}

impl<'p> FloatConstraint<'p> {
    fn of((number, exact): (usize, &'p PolynomialConstraint)) -> FloatConstraint<'p> {
        let monomial = |(exponents, coefficient): (&[u32], &IBig)| Monomial {
            coefficient: FloatInterval::around(coefficient),
            powers: exponents.iter().copied().enumerate().filter(|(_, exponent)| *exponent > 0).collect(),
        };
        let variables = (0..exact.polynomial.variables()).filter(|v| exact.polynomial.degree(*v) > 0).collect();
        let monomials = exact.polynomial.terms().map(monomial).collect();
        let allowed = match exact.relation {
            LinearRelation::AtMost | LinearRelation::Below => FloatInterval { high: 0.0, ..FloatInterval::WHOLE },
            LinearRelation::Equal => FloatInterval::ZERO,
            LinearRelation::Distinct => FloatInterval::WHOLE,
        };
        FloatConstraint { exact, number, variables, monomials, allowed }
    }

    /// Returns the constraint with those that narrowed its variables.
    fn reasons(&self, present: &IntervalBox) -> ConstraintSet {
        let mut all = present.reasons[self.variables[0]].clone();
        self.variables.iter().for_each(|v| all.add(&present.reasons[*v]));
        all.insert(self.number);
        all
    }

    /// Narrows a box.
    fn contract(&self, present: &mut IntervalBox, is_integer: &[bool]) -> Result<(), Refuted> {
        let count = self.monomials.len();
        let values: Vec<FloatInterval> = self.monomials.iter().map(|monomial| monomial.value(&present.sides)).collect();
        // The sums of the monomials after each.
        let mut after = vec![FloatInterval::ZERO; count + 1];
        for n in (0..count).rev() {
            after[n] = values[n].plus(after[n + 1]);
        }
        let is_refuted = match self.exact.relation {
            LinearRelation::Below => after[0].low >= 0.0,
            LinearRelation::Distinct => after[0] == FloatInterval::ZERO,
            _ => after[0].meet(self.allowed).is_empty(),
        };
        if is_refuted {
            return Err(Refuted);
        }
        if self.exact.relation == LinearRelation::Distinct {
            return Ok(());
        }
        let mut before = FloatInterval::ZERO;
        for (n, monomial) in self.monomials.iter().enumerate() {
            let needed = self.allowed.plus(before.plus(after[n + 1]).negated()).over(monomial.coefficient);
            before = before.plus(values[n]);
            for (at, (variable, exponent)) in monomial.powers.iter().enumerate() {
                let others = monomial.powers.iter().enumerate().filter(|(other, _)| *other != at);
                let others = others.fold(FloatInterval { low: 1.0, high: 1.0 }, |product, (_, (v, e))| {
                    product.times(present.sides[*v].power(*e))
                });
                if others.has_zero() && needed.has_zero() {
                    continue;
                }
                let old = present.sides[*variable];
                let mut new = needed.over(others).root(*exponent, old);
                if is_integer[*variable] {
                    (new.low, new.high) = (new.low.ceil(), new.high.floor());
                }
                if new.is_empty() {
                    return Err(Refuted);
                }
                if new != old {
                    present.reasons[*variable] = self.reasons(present);
                    present.sides[*variable] = new;
                }
            }
        }
        Ok(())
    }
}

impl Monomial {
    fn value(&self, present: &[FloatInterval]) -> FloatInterval {
        let power = |product: FloatInterval, (v, e): &(usize, u32)| product.times(present[*v].power(*e));
        self.powers.iter().fold(self.coefficient, power)
    }
}
