//! `smt` without arguments, as in Z3: SAT with theories for problems without quantifiers, `mbqi` over it for others.

use super::conjunctions::{CASES, DEPTH};
use super::mbqi::{Mbqi, ROUNDS};
use super::sat::MAX_GATES;
use super::smt::{Smt, TAKES};
use crate::budget::Budget;
use crate::engine::{Decision, Engine, EngineEntry, MakeEngine};
use rewrite::Params;
use smtlib::term::HAS_BINDER;
use smtlib::{Store, TermId, logic};

/// The registry's row.
pub const ENTRY: EngineEntry = EngineEntry {
    name: "smt",
    about: "bit-vectors, floats, linear arithmetic, arrays and functions: SAT with theories; quantifiers by mbqi",
    takes: TAKES | logic::QUANTIFIERS,
    parameters: &[MAX_GATES, DEPTH, CASES, ROUNDS],
    make: MakeEngine::Alone(|params| Box::new(QuantifiedSmt::new(params))),
};

/// The engine.
struct QuantifiedSmt {
    ground: Smt,
    quantified: Mbqi,
}

impl QuantifiedSmt {
    fn new(params: &Params) -> QuantifiedSmt {
        QuantifiedSmt { ground: Smt::new(params, None), quantified: Mbqi::new(params) }
    }
}

impl Engine for QuantifiedSmt {
    fn decide(&self, store: &mut Store, assertions: &[TermId], budget: &Budget) -> Decision {
        match assertions.iter().any(|&t| store.flags(t) & HAS_BINDER != 0) {
            true => self.quantified.decide(store, assertions, budget),
            false => self.ground.decide(store, assertions, budget),
        }
    }
}
