//! Conjunctions of linear constraints over reals and integers: the simplex, disequalities by cases, integers by branch and
//! bound to a depth.

use super::linear::{LinearConstraint, LinearForm, LinearRelation};
use super::simplex::{BoundReason, Column, Near, Simplex};
use crate::budget::{Budget, Stopped};
use dashu_base::{Gcd, Sign};
use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;
use rustc_hash::FxHashMap;
use smtlib::{SortId, Store, TermId};

/// What is known of a conjunction.
#[derive(Clone, PartialEq, Debug)]
pub enum ArithmeticAnswer {
    /// These values of the symbols make it true.
    Sat(Vec<(TermId, RBig)>),
    /// The constraints at these positions cannot be true together, ascending.
    Unsat(Vec<usize>),
    /// Branch and bound came to its depth, or to its number of cases.
    Unknown(&'static str),
}

/// Bounds on the search for integers and through disequalities.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SearchLimits {
    /// The most cases on top of each other.
    pub depth: u32,
    /// The most cases in all of one check.
    pub cases: u64,
}

/// A constraint as bounds on a column.
#[derive(Clone, PartialEq, Debug)]
enum ColumnBounds {
    /// It says nothing of any symbol.
    Constant(bool),
    /// The column is at most (`upper`) or at least the bound; both, where it is equal to it.
    Bounds(Column, Vec<(bool, Near)>),
    /// The column is not equal to this.
    Distinct(Column, RBig),
}

/// A tableau that many conjunctions over the same symbols are decided on, one after the other.
#[derive(Default)]
pub struct Conjunction {
    simplex: Simplex,
    columns: FxHashMap<TermId, Column>,
    symbols: Vec<(TermId, Column, bool)>,
    sums: FxHashMap<Vec<(Column, RBig)>, Column>,
    prepared: FxHashMap<LinearConstraint, ColumnBounds>,
}

/// Reasons from here on are those of cases, by their depth.
const CASES: BoundReason = BoundReason::MAX / 2;

impl Conjunction {
    /// Decides whether some constraints can be true together.
    ///
    /// # Errors
    /// [`Stopped`] when the budget is spent.
    pub fn decide(
        &mut self,
        store: &Store,
        constraints: &[LinearConstraint],
        limits: SearchLimits,
        budget: &Budget,
    ) -> Result<ArithmeticAnswer, Stopped> {
        self.simplex.clear_bounds();
        let mut distinct = Vec::new();
        for (n, constraint) in constraints.iter().enumerate() {
            let reason = n as BoundReason;
            match self.prepare(store, constraint) {
                ColumnBounds::Constant(true) => {}
                ColumnBounds::Constant(false) => return Ok(ArithmeticAnswer::Unsat(vec![n])),
                ColumnBounds::Distinct(column, value) => distinct.push((column, value, reason)),
                ColumnBounds::Bounds(column, bounds) => {
                    for (upper, bound) in bounds {
                        if let Err(reasons) = self.simplex.assert(column, upper, bound, reason) {
                            return Ok(ArithmeticAnswer::Unsat(positions(reasons)));
                        }
                    }
                }
            }
        }
        let mut search = IntegerSearch { conjunction: self, distinct: &distinct, limits, cases: 0, budget };
        Ok(match search.run(0)? {
            Leaf::Sat => ArithmeticAnswer::Sat(self.values(&distinct)),
            Leaf::Unsat(reasons) => ArithmeticAnswer::Unsat(positions(reasons)),
            Leaf::Unknown(why) => ArithmeticAnswer::Unknown(why),
        })
    }

    /// A constraint that is one bound, as "the column is at least this" or its negation: the column, whether it is not negated,
    /// and the least value.
    ///
    /// Constraints on one column are ordered by that: to be at least something implies to be at least anything less.
    pub fn threshold(&mut self, store: &Store, constraint: &LinearConstraint) -> Option<(Column, bool, Near)> {
        let ColumnBounds::Bounds(column, bounds) = self.prepare(store, constraint) else { return None };
        let [(upper, bound)] = bounds.as_slice() else { return None };
        if !*upper {
            return Some((column, true, bound.clone()));
        }
        let integral = constraint.form.summands.iter().all(|(t, _)| store.sort(*t) == SortId::INT);
        let next = match integral {
            true => Near::exactly(&bound.real + RBig::ONE),
            false => Near { real: bound.real.clone(), tiny: &bound.tiny + RBig::ONE },
        };
        Some((column, false, next))
    }

    fn prepare(&mut self, store: &Store, constraint: &LinearConstraint) -> ColumnBounds {
        if let Some(known) = self.prepared.get(constraint) {
            return known.clone();
        }
        let prepared = self.translate(store, constraint);
        self.prepared.insert(constraint.clone(), prepared.clone());
        prepared
    }

    fn translate(&mut self, store: &Store, constraint: &LinearConstraint) -> ColumnBounds {
        let LinearForm { summands, constant } = &constraint.form;
        let zero = RBig::ZERO;
        if summands.is_empty() {
            return ColumnBounds::Constant(match constraint.relation {
                LinearRelation::AtMost => *constant <= zero,
                LinearRelation::Below => *constant < zero,
                LinearRelation::Equal => *constant == zero,
                LinearRelation::Distinct => *constant != zero,
            });
        }
        // As a multiple of a sum with integer coefficients that have no common divisor, the first of them positive.
        let factor = primitive_factor(summands);
        let integral = summands.iter().all(|(t, _)| store.sort(*t) == SortId::INT);
        let list: Vec<(Column, RBig)> = summands.iter().map(|(t, c)| (self.symbol(store, *t), c * &factor)).collect();
        let column = match list.as_slice() {
            [(column, one)] if *one == RBig::ONE => *column,
            _ => match self.sums.get(&list) {
                Some(&column) => column,
                None => {
                    let column = self.simplex.sum(&list);
                    self.sums.insert(list, column);
                    column
                }
            },
        };
        let bound = -(constant * &factor);
        let upper = factor > zero;
        let whole = bound.is_int();
        match constraint.relation {
            LinearRelation::Equal if integral && !whole => ColumnBounds::Constant(false),
            LinearRelation::Distinct if integral && !whole => ColumnBounds::Constant(true),
            LinearRelation::Equal => {
                let bound = Near::exactly(bound);
                ColumnBounds::Bounds(column, vec![(true, bound.clone()), (false, bound)])
            }
            LinearRelation::Distinct => ColumnBounds::Distinct(column, bound),
            LinearRelation::AtMost | LinearRelation::Below => {
                let strict = constraint.relation == LinearRelation::Below;
                // A sum of integers below a bound is at most the greatest integer below it.
                let bound = match (integral, upper) {
                    (true, true) if strict => Near::exactly(RBig::from(bound.ceil() - IBig::ONE)),
                    (true, true) => Near::exactly(RBig::from(bound.floor())),
                    (true, false) if strict => Near::exactly(RBig::from(bound.floor() + IBig::ONE)),
                    (true, false) => Near::exactly(RBig::from(bound.ceil())),
                    _ if !strict => Near::exactly(bound),
                    (_, true) => Near { real: bound, tiny: RBig::NEG_ONE },
                    (_, false) => Near { real: bound, tiny: RBig::ONE },
                };
                ColumnBounds::Bounds(column, vec![(upper, bound)])
            }
        }
    }

    fn symbol(&mut self, store: &Store, t: TermId) -> Column {
        if let Some(&column) = self.columns.get(&t) {
            return column;
        }
        let column = self.simplex.column();
        self.columns.insert(t, column);
        self.symbols.push((t, column, store.sort(t) == SortId::INT));
        column
    }

    /// The values of the symbols, the infinitesimal made so small that disequalities hold too.
    fn values(&self, distinct: &[(Column, RBig, BoundReason)]) -> Vec<(TermId, RBig)> {
        let mut tiny = self.simplex.concrete_infinitesimal();
        let at = |column: Column, tiny: &RBig| {
            let value = self.simplex.value(column);
            &value.real + &value.tiny * tiny
        };
        // Each disequality excludes one number only, so this ends.
        while distinct.iter().any(|(column, value, _)| at(*column, &tiny) == *value) {
            tiny /= RBig::from(2u8);
        }
        self.symbols.iter().map(|&(t, column, _)| (t, at(column, &tiny))).collect()
    }
}

/// What the search below some cases comes to.
enum Leaf {
    Sat,
    Unsat(Vec<BoundReason>),
    Unknown(&'static str),
}

struct IntegerSearch<'a> {
    conjunction: &'a mut Conjunction,
    distinct: &'a [(Column, RBig, BoundReason)],
    limits: SearchLimits,
    cases: u64,
    budget: &'a Budget,
}

/// The deepest that cases may lie, whatever the limits: the search recurses.
const MAX_DEPTH: u32 = 400;

impl IntegerSearch<'_> {
    fn run(&mut self, depth: u32) -> Result<Leaf, Stopped> {
        if let Err(reasons) = self.conjunction.simplex.check(self.budget)? {
            return Ok(Leaf::Unsat(reasons));
        }
        let Some((column, below, above, own)) = self.case() else { return Ok(Leaf::Sat) };
        if depth >= self.limits.depth.min(MAX_DEPTH) {
            return Ok(Leaf::Unknown("branch and bound came to its depth"));
        }
        self.cases += 1;
        if self.cases > self.limits.cases {
            return Ok(Leaf::Unknown("branch and bound came to its number of cases"));
        }
        let marker = CASES + depth;
        let mut reasons: Vec<BoundReason> = own.into_iter().collect();
        let mut unknown = None;
        for (upper, bound) in [(true, below), (false, above)] {
            let saved = self.conjunction.simplex.bounds();
            let leaf = match self.conjunction.simplex.assert(column, upper, bound, marker) {
                Ok(()) => self.run(depth + 1)?,
                Err(reasons) => Leaf::Unsat(reasons),
            };
            match leaf {
                Leaf::Sat => return Ok(Leaf::Sat),
                Leaf::Unknown(why) => unknown = Some(why),
                // A refutation that does not need the case refutes all cases.
                Leaf::Unsat(found) if !found.contains(&marker) => {
                    self.conjunction.simplex.restore(saved);
                    return Ok(Leaf::Unsat(found));
                }
                Leaf::Unsat(found) => reasons.extend(found.into_iter().filter(|&r| r != marker)),
            }
            self.conjunction.simplex.restore(saved);
        }
        if let Some(why) = unknown {
            return Ok(Leaf::Unknown(why));
        }
        reasons.sort_unstable();
        reasons.dedup();
        Ok(Leaf::Unsat(reasons))
    }

    /// A column whose value is not allowed, the bounds around the value, and the reason if it is a disequality.
    fn case(&self) -> Option<(Column, Near, Near, Option<BoundReason>)> {
        let simplex = &self.conjunction.simplex;
        for (column, value, reason) in self.distinct {
            let forbidden = Near::exactly(value.clone());
            if *simplex.value(*column) == forbidden {
                let below = Near { real: value.clone(), tiny: RBig::NEG_ONE };
                let above = Near { real: value.clone(), tiny: RBig::ONE };
                return Some((*column, below, above, Some(*reason)));
            }
        }
        for &(_, column, integer) in &self.conjunction.symbols {
            let value = simplex.value(column);
            if !integer || (value.real.is_int() && value.tiny == RBig::ZERO) {
                continue;
            }
            let mut floor = value.real.floor();
            if value.real.is_int() && value.tiny < RBig::ZERO {
                floor -= IBig::ONE;
            }
            let above = Near::exactly(RBig::from(&floor + IBig::ONE));
            return Some((column, Near::exactly(RBig::from(floor)), above, None));
        }
        None
    }
}

/// What to multiply coefficients by so that they become integers without a common divisor, the first one positive.
fn primitive_factor(summands: &[(TermId, RBig)]) -> RBig {
    let mut denominators = UBig::ONE;
    for (_, c) in summands {
        let common = (&denominators).gcd(c.denominator());
        denominators = denominators / common * c.denominator();
    }
    let mut divisor = UBig::ZERO;
    for (_, c) in summands {
        let scaled = c * RBig::from(denominators.clone());
        let (_, magnitude) = scaled.numerator().clone().into_parts();
        divisor = if divisor.is_zero() { magnitude } else { divisor.gcd(magnitude) };
    }
    let negative = summands.first().is_some_and(|(_, c)| c.sign() == Sign::Negative);
    let factor = RBig::from(denominators) / RBig::from(divisor.max(UBig::ONE));
    if negative { -factor } else { factor }
}

fn positions(reasons: Vec<BoundReason>) -> Vec<usize> {
    let mut list: Vec<usize> = reasons.into_iter().filter(|&r| r < CASES).map(|r| r as usize).collect();
    list.sort_unstable();
    list.dedup();
    list
}
