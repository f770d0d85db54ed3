//! `coverings`: conjunctions of polynomial constraints over the reals, by cylindrical algebraic coverings.
//!
//! Example: `x*x = 2`, `x*y > 1`, `x + y < 2`: over the points where `x` is a root of 2, `y` lies between 0.708 and 0.585.

use super::cover::{Covering, CoveringEnd, PolynomialConstraint};
use super::cut::CellCutter;
use super::limits::{MAX_CASES, MAX_VARIABLES, PolynomialError, PolynomialWork};
use super::polynomial::MultiPolynomial;
use super::project::Projection;
use super::read::{self, PolynomialProblem};
use crate::budget::Budget;
use crate::constraint::LinearRelation;
use crate::engine::{Decision, Engine, EngineEntry, MakeEngine};
use dashu_int::IBig;
use smtlib::{SortId, Store, TermId, logic};
use std::collections::BTreeSet;

/// The registry's row.
pub const ENTRY: EngineEntry = EngineEntry {
    name: "coverings",
    about: "conjunctions of polynomial constraints over reals, by cylindrical algebraic coverings; integers by branch and bound",
    takes: logic::INTEGERS | logic::REALS | logic::SUMS | logic::NONLINEAR,
    parameters: &[],
    make: MakeEngine::Alone(|_| Box::new(CoveringEngine { cutter: None })),
};

/// The registry's row of `(apcad T)`.
pub const OVER: EngineEntry = EngineEntry {
    name: "apcad",
    about: "`coverings`, where the strategy T first tries to refute the cell around each sample: (apcad icp)",
    make: MakeEngine::Over(|cutter, _| Box::new(CoveringEngine { cutter: Some(cutter) })),
    ..ENTRY
};

/// How often `T` of `(apcad T)` is asked at most: boxes that shrink towards a point never reach it.
const QUESTIONS: usize = 32;

/// The orders of the variables that are tried, with their projections.
const ATTEMPTS: [(usize, Projection); 6] = [
    (0, Projection::McCallum),
    (1, Projection::McCallum),
    (2, Projection::McCallum),
    (3, Projection::McCallum),
    (0, Projection::Collins),
    (1, Projection::Collins),
];

/// `coverings`, and `(apcad T)`.
struct CoveringEngine {
    cutter: Option<Box<dyn Engine>>,
}

impl Engine for CoveringEngine {
    fn decide(&self, store: &mut Store, assertions: &[TermId], budget: &Budget) -> Decision {
        self.search(store, assertions, budget).unwrap_or_else(|error| error.into_decision(budget))
    }
}

impl CoveringEngine {
    fn search(&self, store: &mut Store, assertions: &[TermId], budget: &Budget) -> Result<Decision, PolynomialError> {
        let mut work = PolynomialWork::new(budget);
        let problem = read::problem(store, assertions, &mut work)?;
        if let Some(false_one) = problem.violated {
            return Ok(Decision::Unsat(vec![false_one]));
        }
        if problem.symbols.len() > MAX_VARIABLES {
            return Err(PolynomialError::Variables);
        }
        // Branch and bound on integers: each case has further bounds, which belong to no assertion.
        let (mut cases, mut owners) = (vec![Vec::new()], BTreeSet::new());
        let mut left = MAX_CASES;
        while let Some(bounds) = cases.pop() {
            left = left.checked_sub(1).ok_or(PolynomialError::NotInteger)?;
            let point = match self.over_reals(&problem, &bounds, (store, assertions, budget), &mut work)? {
                CoveringEnd::Covered(found) => {
                    owners.extend(found.into_iter().filter(|owner| *owner < assertions.len()));
                    continue;
                }
                CoveringEnd::Point(point) => point,
            };
            let mut split = None;
            for (variable, number) in point.iter().enumerate() {
                if store.sort(problem.symbols[variable]) == SortId::INT && !number.is_integer(&work.algebra)? {
                    split = Some((variable, number.floor(&work.algebra)?));
                    break;
                }
            }
            let Some((variable, floor)) = split else { return problem.model(store, assertions, point, &work) };
            let symbol = MultiPolynomial::variable(problem.symbols.len(), variable);
            let bound = |sign: IBig, constant: IBig| PolynomialConstraint {
                polynomial: MultiPolynomial::constant(problem.symbols.len(), constant).plus(&sign, &symbol),
                relation: LinearRelation::AtMost,
                owner: assertions.len(),
            };
            let at_least = bound(IBig::NEG_ONE, &floor + IBig::ONE);
            cases.push(bounds.iter().cloned().chain([at_least]).collect());
            cases.push(bounds.into_iter().chain([bound(IBig::ONE, -floor)]).collect());
        }
        Ok(Decision::Unsat(owners.into_iter().collect()))
    }

    /// Decides the problem with further bounds over the reals. The point is in the order of the symbols.
    fn over_reals(
        &self,
        problem: &PolynomialProblem,
        bounds: &[PolynomialConstraint],
        question: (&mut Store, &[TermId], &Budget),
        work: &mut PolynomialWork,
    ) -> Result<CoveringEnd, PolynomialError> {
        let (store, assertions, budget) = question;
        let mut end = Err(PolynomialError::Vanishes);
        for (attempt, projection) in
            ATTEMPTS.into_iter().filter(|(attempt, _)| *attempt < (2 * problem.symbols.len()).max(1))
        {
            let order = problem.order(attempt);
            let constraints = problem.ordered(bounds, &order);
            let cutter = self.cutter.as_deref().map(|engine| CellCutter {
                store: &mut *store,
                engine,
                assertions,
                symbols: order.iter().map(|variable| problem.symbols[*variable]).collect(),
                budget,
                questions: QUESTIONS,
            });
            end = Covering::new(&constraints, order.len(), projection, work)
                .and_then(|covering| covering.search(cutter, work));
            match end {
                // With another order another polynomial may be zero, or none.
                Err(PolynomialError::Vanishes | PolynomialError::Conjugates | PolynomialError::Algebraic(_)) => {}
                Ok(CoveringEnd::Point(point)) => {
                    let mut places: Vec<_> = order.into_iter().zip(point).collect();
                    places.sort_unstable_by_key(|(variable, _)| *variable);
                    return Ok(CoveringEnd::Point(places.into_iter().map(|(_, number)| number).collect()));
                }
                end => return end,
            }
        }
        end
    }
}
