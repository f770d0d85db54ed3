//! `exhaust`: problems over small finite sets, including quantifiers, by trying every assignment.
//!
//! Example: `(exists ((V (_ BitVec 8))) (= (bvmul V V) #x19))`, and `(or (= x 1.5) (= x 2.5))` together with anything about the float
//! `x`.

use crate::budget::Budget;
use crate::engine::{Decision, Engine, EngineEntry, MakeEngine};
use rewrite::{Params, TacticParameter};
use semantics::truth::{CheckTruth, ExhaustLimits, Search, TruthQuery, of_formulas};
use smtlib::{Store, TermId};

/// The registry's row.
pub const ENTRY: EngineEntry = EngineEntry {
    name: "exhaust",
    about: "problems of all theories whose symbols and bound variables range over few values, by sort or by a guard: looks at all",
    // Any feature is allowed in some problem.
    takes: 0,
    parameters: &[ASSIGNMENTS, EVALUATIONS, TERMS],
    make: MakeEngine::Alone(|params| Box::new(Exhaust::new(params))),
};

const ASSIGNMENTS: TacticParameter = TacticParameter {
    name: "max-assignments",
    about: "the maximum number of assignments of the constants",
    default: 1 << 16,
    words: &[],
};
const EVALUATIONS: TacticParameter = TacticParameter {
    name: "max-evaluations",
    about: "the maximum number of partial assignments under which the assertions are evaluated",
    default: 1 << 16,
    words: &[],
};
const TERMS: TacticParameter = TacticParameter {
    name: "max-terms",
    about: "the maximum number of different terms of a problem",
    default: 4096,
    words: &[],
};

/// Exhaustion with its parameters.
pub struct Exhaust {
    limits: ExhaustLimits,
    terms: usize,
}

impl Exhaust {
    /// With parameters.
    pub fn new(params: &Params) -> Exhaust {
        Exhaust {
            limits: ExhaustLimits {
                assignments: params.number(&ASSIGNMENTS),
                evaluations: params.number(&EVALUATIONS),
                ..ExhaustLimits::default()
            },
            terms: usize::try_from(params.number(&TERMS)).unwrap_or(usize::MAX),
        }
    }
}

impl Engine for Exhaust {
    fn decide(&self, store: &mut Store, assertions: &[TermId], budget: &Budget) -> Decision {
        if rewrite::walk::has_more_than(store, assertions, self.terms) {
            return Decision::Unknown(format!("it has more than {} terms", self.terms));
        }
        let query = TruthQuery { limits: &self.limits, stop: &budget.stop(), search: Search::Quick };
        match of_formulas(store, assertions, query) {
            Ok(CheckTruth::Sat(mut model)) => {
                rewrite::complete::complete(store, &mut model, assertions.iter().copied());
                Decision::Sat(*model)
            }
            Ok(CheckTruth::Unsat(_)) => Decision::Unsat((0..assertions.len()).collect()),
            Err(reason) => Decision::Unknown(reason.to_string()),
        }
    }
}
