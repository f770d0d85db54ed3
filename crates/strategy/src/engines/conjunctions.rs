//! `simplex` and `floyd-warshall`: conjunctions of linear constraints.
//!
//! Example: `x - y <= 3`, `y - z < -5`, `z - x <= 2` form a cycle of length zero with a strict edge, and are unsat.

use super::arithmetic::integer::SearchLimits;
use super::arithmetic::{ArithmeticAnswer, Conjunction, LinearConstraint, LinearError, LinearReader, difference};
use crate::budget::Budget;
use crate::engine::{Decision, Engine, EngineEntry, MakeEngine};
use dashu_ratio::RBig;
use rewrite::{Params, TacticParameter};
use semantics::{Model, Value};
use smtlib::{SortId, Store, TermId, logic};

/// The registry's row of `simplex`.
pub const SIMPLEX: EngineEntry = EngineEntry {
    name: "simplex",
    about: "conjunctions of linear constraints by the simplex with exact rationals; integers by branch and bound to a depth",
    takes: logic::INTEGERS | logic::REALS | logic::SUMS,
    parameters: &[DEPTH, CASES],
    make: MakeEngine::Alone(|params| Box::new(SimplexEngine { limits: search_limits(params) })),
};

/// The registry's row of `floyd-warshall`.
pub const FLOYD_WARSHALL: EngineEntry = EngineEntry {
    name: "floyd-warshall",
    about: "conjunctions of difference constraints (x - y <= c) by shortest paths between all pairs",
    takes: logic::INTEGERS | logic::REALS | logic::SUMS,
    parameters: &[],
    make: MakeEngine::Alone(|_| Box::new(FloydWarshall)),
};

/// The depth limit of branch and bound.
pub const DEPTH: TacticParameter = TacticParameter {
    name: "depth",
    about: "the maximum nesting of cases in branch and bound",
    default: 100,
    words: &[],
};

/// The case limit of branch and bound.
pub const CASES: TacticParameter = TacticParameter {
    name: "cases",
    about: "the maximum number of cases in branch and bound, for one conjunction",
    default: 2000,
    words: &[],
};

/// Returns the limits in the parameters.
pub fn search_limits(params: &Params) -> SearchLimits {
    let depth = u32::try_from(params.number(&DEPTH)).unwrap_or(u32::MAX);
    SearchLimits { depth, cases: params.number(&CASES) }
}

/// `simplex`.
pub struct SimplexEngine {
    limits: SearchLimits,
}

/// `floyd-warshall`.
pub struct FloydWarshall;

/// Returns the constraints of a conjunction, and the assertion of each.
fn read(
    store: &Store,
    assertions: &[TermId],
    budget: &Budget,
) -> Result<(Vec<LinearConstraint>, Vec<usize>), LinearError> {
    let mut reader = LinearReader::new(budget);
    let (mut constraints, mut owners) = (Vec::new(), Vec::new());
    for (n, &t) in assertions.iter().enumerate() {
        let found = reader.constraints(store, t)?;
        owners.resize(owners.len() + found.len(), n);
        constraints.extend(found);
    }
    Ok((constraints, owners))
}

fn decision(store: &Store, assertions: &[TermId], verdict: ArithmeticAnswer, owners: &[usize]) -> Decision {
    match verdict {
        ArithmeticAnswer::Sat(values) => {
            let mut model = Model::new();
            assign(store, &mut model, values);
            // Symbols that cancelled out of every form are free.
            rewrite::complete::complete(store, &mut model, assertions.iter().copied());
            Decision::Sat(model)
        }
        ArithmeticAnswer::Unsat(positions) => {
            let mut core: Vec<usize> = positions.into_iter().map(|n| owners[n]).collect();
            core.sort_unstable();
            core.dedup();
            Decision::Unsat(core)
        }
        ArithmeticAnswer::Unknown(why) => Decision::Unknown(why.to_string()),
    }
}

/// Assigns values to arithmetic symbols in a model.
pub fn assign(store: &Store, model: &mut Model, values: Vec<(TermId, RBig)>) {
    for (t, value) in values {
        let Some(f) = store.applied(t) else { continue };
        let value = match store.sort(t) {
            SortId::INT => Value::Int(value.floor()),
            _ => Value::real(value),
        };
        let assigned = model.assign(store, f, value);
        debug_assert!(assigned.is_ok(), "numbers fit the sorts of their symbols");
    }
}

impl Engine for SimplexEngine {
    fn decide(&self, store: &mut Store, assertions: &[TermId], budget: &Budget) -> Decision {
        let (constraints, owners) = match read(store, assertions, budget) {
            Ok(found) => found,
            Err(error) => return Decision::Unknown(error.to_string()),
        };
        match Conjunction::default().decide(store, &constraints, self.limits, budget) {
            Ok(verdict) => decision(store, assertions, verdict, &owners),
            Err(stopped) => stopped.into(),
        }
    }
}

impl Engine for FloydWarshall {
    fn decide(&self, store: &mut Store, assertions: &[TermId], budget: &Budget) -> Decision {
        let (constraints, owners) = match read(store, assertions, budget) {
            Ok(found) => found,
            Err(error) => return Decision::Unknown(error.to_string()),
        };
        match difference::decide(store, &constraints, budget) {
            Ok(verdict) => decision(store, assertions, verdict, &owners),
            Err(error) => Decision::Unknown(error.to_string()),
        }
    }
}
