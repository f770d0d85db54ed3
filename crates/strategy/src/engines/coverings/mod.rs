//! `coverings`: conjunctions of polynomial constraints over the reals, by cylindrical algebraic coverings.
//!
//! Example: `x*x = 2`, `x*y > 1`, `x + y < 2`: over the points where `x` is a root of 2, `y` lies between 0.708 and 0.585.

mod cover;
mod limits;
mod polynomial;
mod read;
mod roots;

use crate::budget::{Budget, Stopped};
use crate::constraint::LinearRelation;
use crate::engine::{Decision, Engine, EngineEntry, MakeEngine};
use cover::{Covering, CoveringEnd, PolynomialConstraint};
use dashu_int::IBig;
use limits::{CoveringError, CoveringWork, MAX_CASES, MAX_VARIABLES};
use polynomial::MultiPolynomial;
use read::PolynomialProblem;
use semantics::algebraic::AlgebraicNumber;
use semantics::{Exhausted, Model, Value};
use smtlib::{SortId, Store, TermId, logic};
use std::collections::BTreeSet;

/// The registry's row.
pub const ENTRY: EngineEntry = EngineEntry {
    name: "coverings",
    about: "conjunctions of polynomial constraints over reals, by cylindrical algebraic coverings; integers by branch and bound",
    takes: logic::INTEGERS | logic::REALS | logic::SUMS | logic::NONLINEAR,
    parameters: &[],
    make: MakeEngine::Alone(|_| Box::new(CoveringEngine)),
};

/// The maximum number of orders of the variables that are tried.
const ORDERS: usize = 4;

/// `coverings`.
pub struct CoveringEngine;

impl Engine for CoveringEngine {
    fn decide(&self, store: &mut Store, assertions: &[TermId], budget: &Budget) -> Decision {
        match decide(store, assertions, budget) {
            Ok(decision) => decision,
            Err(CoveringError::Exhausted(Exhausted::Stopped)) => budget.check().err().unwrap_or(Stopped::Time).into(),
            Err(error) => Decision::Unknown(error.to_string()),
        }
    }
}

fn decide(store: &mut Store, assertions: &[TermId], budget: &Budget) -> Result<Decision, CoveringError> {
    let mut work = CoveringWork::new(budget);
    let problem = read::problem(store, assertions, &mut work)?;
    if let Some(false_one) = problem.violated {
        return Ok(Decision::Unsat(vec![false_one]));
    }
    if problem.symbols.len() > MAX_VARIABLES {
        return Err(CoveringError::Variables);
    }
    // Branch and bound on integers: each case has further bounds, which belong to no assertion.
    let (mut cases, mut owners) = (vec![Vec::new()], BTreeSet::new());
    let mut left = MAX_CASES;
    while let Some(bounds) = cases.pop() {
        left = left.checked_sub(1).ok_or(CoveringError::NotInteger)?;
        let point = match over_reals(&problem, &bounds, &mut work)? {
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
        let Some((variable, floor)) = split else { return model(store, assertions, &problem, point, &work) };
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
    problem: &PolynomialProblem,
    bounds: &[PolynomialConstraint],
    work: &mut CoveringWork,
) -> Result<CoveringEnd, CoveringError> {
    let mut attempt = 0;
    loop {
        let order = problem.order(attempt);
        let constraints = problem.ordered(bounds, &order);
        match Covering::new(&constraints, order.len(), work).and_then(|covering| covering.search(work)) {
            // With another order another polynomial may be zero, or none.
            Err(CoveringError::Vanishes | CoveringError::Conjugates | CoveringError::Algebraic(_))
                if attempt + 1 < ORDERS.min(2 * order.len()) =>
            {
                attempt += 1;
            }
            Ok(CoveringEnd::Point(point)) => {
                let mut places: Vec<_> = order.into_iter().zip(point).collect();
                places.sort_unstable_by_key(|(variable, _)| *variable);
                return Ok(CoveringEnd::Point(places.into_iter().map(|(_, number)| number).collect()));
            }
            end => return end,
        }
    }
}

fn model(
    store: &Store,
    assertions: &[TermId],
    problem: &PolynomialProblem,
    point: Vec<AlgebraicNumber>,
    work: &CoveringWork,
) -> Result<Decision, CoveringError> {
    let mut model = Model::new();
    for (symbol, number) in problem.symbols.iter().zip(point) {
        let Some(f) = store.applied(*symbol) else { continue };
        let value = match store.sort(*symbol) {
            SortId::INT => Value::Int(number.floor(&work.algebra)?),
            _ => Value::algebraic(number, &work.algebra)?,
        };
        model.assign(store, f, value).map_err(CoveringError::Model)?;
    }
    // Symbols that cancelled out are free.
    rewrite::complete::complete(store, &mut model, assertions.iter().copied());
    Ok(Decision::Sat(model))
}
