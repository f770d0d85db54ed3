//! `contract`: bounds of numbers that interval constraint propagation finds, without cutting boxes.
//!
//! Example: `x*x + y*y = 25` gives `-5 <= x <= 5`, after which `nla2bv` knows how many bits integers need.

use crate::engines::nonlinear::icp::contracted;
use crate::engines::nonlinear::limits::{PolynomialError, PolynomialWork};
use crate::engines::nonlinear::read;
use dashu_ratio::RBig;
use rewrite::linear::number_term;
use rewrite::{Example, Goal, GoalFormula, Origins, PassError, PassResult, PassSettings, RewritePass};
use smtlib::{Kind, Op, SortId, Store, TermId};

/// The pass.
pub static CONTRACT: RewritePass = RewritePass {
    name: "contract",
    about: "adds integer bounds of Int and Real variables that interval constraint propagation finds",
    example: Example {
        before: "(declare-const x Int)(declare-const y Int)(assert (= (+ (* x x) (* y y)) 25))(assert (< 2 x))",
        after: &["(= (+ (* x x) (* y y)) 25) (< 2 x) (>= x 3) (<= x 5) (>= y (- 4)) (<= y 4)"],
    },
    params: &[],
    is_consequence: true,
    rewrite: apply,
};

/// Bounds beyond this say little, and floats leave out integers there.
const FAR: f64 = 1e12;

fn apply(store: &mut Store, mut goal: Goal, settings: &PassSettings) -> Result<PassResult, PassError> {
    let mut work = PolynomialWork::of_pass(settings);
    // What is no conjunction of polynomial constraints is left out.
    let (mut terms, mut origins): (Vec<TermId>, Vec<Origins>) = (Vec::new(), Vec::new());
    for formula in goal.formulas() {
        match read::problem(store, &[formula.term], &mut work) {
            Ok(_) => {
                terms.push(formula.term);
                origins.push(formula.origins.clone());
            }
            Err(PolynomialError::Exhausted(exhausted)) => return Err(exhausted.into()),
            Err(_) => {}
        }
    }
    let of = |owners: Vec<usize>| Origins::all(owners.into_iter().map(|n| &origins[n]));
    let found = read::problem(store, &terms, &mut work).and_then(|problem| {
        let found = contracted(store, &problem, &mut work)?;
        Ok((problem, found))
    });
    let (problem, sides) = match found {
        Ok((problem, Ok(sides))) => (problem, sides),
        Ok((_, Err(refuted))) => return Ok(PassResult::new(goal.refuted(store, of(refuted)))),
        Err(PolynomialError::Exhausted(exhausted)) => return Err(exhausted.into()),
        Err(_) => return Ok(PassResult::new(goal)),
    };
    for (symbol, (interval, owners)) in problem.symbols.into_iter().zip(sides) {
        let sort = store.sort(symbol);
        let origins = of(owners);
        let (least, most, is_integer) = (interval.low.floor(), interval.high.ceil(), sort == SortId::INT);
        let kinds = if is_integer { [Kind::IntGe, Kind::IntLe] } else { [Kind::RealGe, Kind::RealLe] };
        for (kind, end) in kinds.into_iter().zip([least, most]) {
            let Some(end) = RBig::try_from(end).ok().filter(|_| end.abs() < FAR) else { continue };
            let end = number_term(store, sort, &end);
            let bound = store.app(Op::new(kind), &[symbol, end])?;
            if !goal.terms().any(|t| t == bound) {
                goal.push(store, GoalFormula::new(bound, origins.clone()));
            }
        }
    }
    Ok(PassResult::new(goal))
}
