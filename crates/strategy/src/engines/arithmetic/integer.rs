//! Conjunctions of linear constraints over reals and integers: the simplex, case splits on disequalities, and branch and bound with
//! limited depth for integers.

use super::simplex::{BoundReason, Column, Near};
use super::tableau::{ColumnBounds, Tableau};
use crate::budget::{Budget, Stopped};
use crate::constraint::LinearConstraint;
use dashu_int::IBig;
use dashu_ratio::RBig;
use smtlib::{Store, TermId};

/// The result for a conjunction.
#[derive(Clone, PartialEq, Debug)]
pub enum ArithmeticAnswer {
    /// These values of the symbols make it true.
    Sat(Vec<(TermId, RBig)>),
    /// The constraints at these positions cannot be true together, ascending.
    Unsat(Vec<usize>),
    /// Branch and bound reached its maximum depth or number of cases.
    Unknown(&'static str),
}

/// Bounds on the search for integers and through disequalities.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SearchLimits {
    /// The maximum nesting of cases.
    pub depth: u32,
    /// The maximum number of cases in one check.
    pub cases: u64,
}

/// A tableau on which many conjunctions over the same symbols are decided, one after the other.
#[derive(Default)]
pub struct Conjunction {
    /// The tableau.
    pub tableau: Tableau,
}

/// Reasons from here on are those of cases, by depth.
const CASES: BoundReason = BoundReason::MAX / 2;

impl Conjunction {
    /// Decides whether constraints can be true together.
    /// Errors: [`Stopped`] when the budget is spent.
    pub fn decide(
        &mut self,
        store: &Store,
        constraints: &[LinearConstraint],
        limits: SearchLimits,
        budget: &Budget,
    ) -> Result<ArithmeticAnswer, Stopped> {
        self.tableau.simplex.clear_bounds();
        let mut distinct = Vec::new();
        for (n, constraint) in constraints.iter().enumerate() {
            let reason = n as BoundReason;
            match self.tableau.prepare(store, constraint) {
                ColumnBounds::Constant(true) => {}
                ColumnBounds::Constant(false) => return Ok(ArithmeticAnswer::Unsat(vec![n])),
                ColumnBounds::Distinct(column, value) => distinct.push((column, value, reason)),
                ColumnBounds::Bounds(column, bounds) => {
                    for (upper, bound) in bounds {
                        if let Err(reasons) = self.tableau.simplex.assert(column, upper, bound, reason) {
                            return Ok(ArithmeticAnswer::Unsat(positions(reasons)));
                        }
                    }
                }
            }
        }
        let mut search = IntegerSearch { tableau: &mut self.tableau, distinct: &distinct, limits, cases: 0, budget };
        Ok(match search.run(0)? {
            Leaf::Sat => ArithmeticAnswer::Sat({
                let distinct: Vec<(Column, RBig)> =
                    distinct.into_iter().map(|(column, value, _)| (column, value)).collect();
                self.tableau.values(&distinct)
            }),
            Leaf::Unsat(reasons) => ArithmeticAnswer::Unsat(positions(reasons)),
            Leaf::Unknown(why) => ArithmeticAnswer::Unknown(why),
        })
    }
}

/// The result of the search below some cases.
enum Leaf {
    Sat,
    Unsat(Vec<BoundReason>),
    Unknown(&'static str),
}

struct IntegerSearch<'a> {
    tableau: &'a mut Tableau,
    distinct: &'a [(Column, RBig, BoundReason)],
    limits: SearchLimits,
    cases: u64,
    budget: &'a Budget,
}

/// The maximum depth, whatever the limits: the search is recursive.
const MAX_DEPTH: u32 = 400;

impl IntegerSearch<'_> {
    fn run(&mut self, depth: u32) -> Result<Leaf, Stopped> {
        if let Err(reasons) = self.tableau.simplex.check(self.budget)? {
            return Ok(Leaf::Unsat(reasons));
        }
        let Some((column, below, above, own)) = self.case() else { return Ok(Leaf::Sat) };
        if depth >= self.limits.depth.min(MAX_DEPTH) {
            return Ok(Leaf::Unknown("branch and bound reached its maximum depth"));
        }
        self.cases += 1;
        if self.cases > self.limits.cases {
            return Ok(Leaf::Unknown("branch and bound reached its maximum number of cases"));
        }
        let marker = CASES + depth;
        let mut reasons: Vec<BoundReason> = own.into_iter().collect();
        let mut unknown = None;
        for (upper, bound) in [(true, below), (false, above)] {
            let saved = self.tableau.simplex.bounds();
            let leaf = match self.tableau.simplex.assert(column, upper, bound, marker) {
                Ok(()) => self.run(depth + 1)?,
                Err(reasons) => Leaf::Unsat(reasons),
            };
            match leaf {
                Leaf::Sat => return Ok(Leaf::Sat),
                Leaf::Unknown(why) => unknown = Some(why),
                // A refutation that does not need the case refutes all cases.
                Leaf::Unsat(found) if !found.contains(&marker) => {
                    self.tableau.simplex.restore(saved);
                    return Ok(Leaf::Unsat(found));
                }
                Leaf::Unsat(found) => reasons.extend(found.into_iter().filter(|&r| r != marker)),
            }
            self.tableau.simplex.restore(saved);
        }
        if let Some(why) = unknown {
            return Ok(Leaf::Unknown(why));
        }
        reasons.sort_unstable();
        reasons.dedup();
        Ok(Leaf::Unsat(reasons))
    }

    /// Returns a column with a forbidden value, the bounds around the value, and the reason if it is a disequality.
    fn case(&self) -> Option<(Column, Near, Near, Option<BoundReason>)> {
        let simplex = &self.tableau.simplex;
        for (column, value, reason) in self.distinct {
            let forbidden = Near::exactly(value.clone());
            if *simplex.value(*column) == forbidden {
                let below = Near { real: value.clone(), tiny: RBig::NEG_ONE };
                let above = Near { real: value.clone(), tiny: RBig::ONE };
                return Some((*column, below, above, Some(*reason)));
            }
        }
        for &(_, column, integer) in &self.tableau.symbols {
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

fn positions(reasons: Vec<BoundReason>) -> Vec<usize> {
    let mut list: Vec<usize> = reasons.into_iter().filter(|&r| r < CASES).map(|r| r as usize).collect();
    list.sort_unstable();
    list.dedup();
    list
}
