//! `sat`: propositional and bit-vector goals by one call of a SAT solver on their circuit.
//!
//! Example: `(and (bvult x y) (bvult y x))` becomes the clauses of two comparators, and is unsat.

use super::bitblast::{Atoms, Bit, Encoder, TranslateError, Translator};
use super::clauses::{SatAnswer, positions};
use crate::budget::Budget;
use crate::engine::{Decision, Engine, EngineEntry, MakeEngine};
use dashu_int::UBig;
use rewrite::{Params, TacticParameter};
use semantics::{Model, Value};
use smtlib::{Store, TermId, logic};

/// The registry's row.
pub const ENTRY: EngineEntry = EngineEntry {
    name: "sat",
    about: "propositional and bit-vector goals, decided by a SAT solver on their circuit",
    takes: logic::BITVECTORS,
    parameters: &[MAX_GATES],
    make: MakeEngine::Alone(|params| Box::new(Sat::new(params))),
};

/// The gate limit, common to all engines that make circuits.
pub const MAX_GATES: TacticParameter = TacticParameter {
    name: "max-gates",
    about: "the maximum number of gates of a circuit; larger goals are not tried (a gate takes about 200 bytes)",
    default: 4_000_000,
    words: &[],
};

/// The engine.
pub struct Sat {
    max_gates: usize,
}

impl Sat {
    /// Creates the engine from its parameters.
    pub fn new(params: &Params) -> Sat {
        Sat { max_gates: params.number(&MAX_GATES).min(1 << 30) as usize }
    }
}

impl Engine for Sat {
    fn decide(&self, store: &mut Store, assertions: &[TermId], budget: &Budget) -> Decision {
        let mut translator = Translator::new(Atoms::Refused, self.max_gates, budget.stop());
        let mut encoder = Encoder::default();
        let mut roots = Vec::with_capacity(assertions.len());
        for (n, &t) in assertions.iter().enumerate() {
            match translator.boolean(store, t) {
                Ok(Bit::FALSE) => return Decision::Unsat(vec![n]),
                Ok(bit) => match encoder.literal(&translator.gates, bit, budget) {
                    Ok(literal) => roots.push(literal),
                    Err(stopped) => return stopped.into(),
                },
                Err(error) => return error.into(),
            }
        }
        match encoder.solver.solve(&roots, budget) {
            Ok(SatAnswer::Sat) => Decision::Sat(model_of(store, &translator, &encoder)),
            Ok(SatAnswer::Unsat(core)) => Decision::Unsat(positions(&roots, &core)),
            Err(failure) => Decision::Unknown(failure.to_string()),
        }
    }
}

impl From<TranslateError> for Decision {
    fn from(error: TranslateError) -> Decision {
        Decision::Unknown(error.to_string())
    }
}

/// Returns the values of the symbols that a translator met, by the solver's last assignment.
pub fn model_of(store: &Store, translator: &Translator, encoder: &Encoder) -> Model {
    let mut model = Model::new();
    for &(f, t) in translator.symbols() {
        let bits = translator.bits(store, t).unwrap_or(&[]);
        let value = if store.is_bool(t) {
            Value::Bool(bits.first().is_some_and(|&b| encoder.value(b)))
        } else {
            let mut value = UBig::ZERO;
            for (n, &bit) in bits.iter().enumerate() {
                if encoder.value(bit) {
                    value.set_bit(n);
                }
            }
            Value::BitVec { width: bits.len() as u32, value }
        };
        // The value is made at the symbol's own sort, so it fits.
        let assigned = model.assign(store, f, value);
        debug_assert!(assigned.is_ok());
    }
    model
}
