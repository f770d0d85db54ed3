//! Passes for the engines: their results are in an engine's language, while those of the crate `rewrite` simplify.

pub mod bit_blast;
pub mod contract;
pub mod vts;

use crate::floats::float_free;
use rewrite::{Example, Goal, GoalFormula, ModelConverter, Origins, PassError, PassResult, PassSettings, RewritePass};
use smtlib::{Store, TermId};

/// All passes, by name.
pub static PASSES: &[&RewritePass] = &[&bit_blast::BIT_BLAST, &contract::CONTRACT, &FP_TO_BV, &vts::VTS];

/// `fp-to-bv`: floating-point formulas become bit-vector ones, every operator by its exact circuit.
pub static FP_TO_BV: RewritePass = RewritePass {
    name: "fp-to-bv",
    about: "replaces floating-point terms by bit-vector terms that compute them exactly",
    example: Example {
        before: "(declare-const x (_ FloatingPoint 2 3)) (assert (fp.isZero x))",
        after: &[
            "(=> (and (= ((_ extract 3 2) fp!0) #b11) (not (= ((_ extract 1 0) fp!0) #b00))) (= fp!0 #b01110)) (= ((_ extract 3 0) fp!0) #x0)",
        ],
    },
    params: &[],
    is_consequence: false,
    rewrite: apply,
};

fn apply(store: &mut Store, mut goal: Goal, settings: &PassSettings) -> Result<PassResult, PassError> {
    let terms: Vec<TermId> = goal.terms().collect();
    let Some(free) = float_free(store, &terms, settings)? else { return Ok(PassResult::new(goal)) };
    let formulas = goal.take();
    for constraint in free.constraints {
        goal.push(store, GoalFormula::new(constraint, Origins::none()));
    }
    for (formula, image) in formulas.into_iter().zip(free.formulas) {
        goal.push(store, GoalFormula::new(image, formula.origins));
    }
    Ok(PassResult::with(goal, ModelConverter::new(free.conversions)))
}
