//! `fp-to-bv`: floating-point formulas become bit-vector ones, every operator by its exact circuit.

mod arithmetic;
mod choices;
mod compare;
mod convert;
mod packing;
mod terms;
mod translate;

use rewrite::walk::bottom_up;
use rewrite::{
    Conversion, Example, Goal, GoalFormula, ModelConverter, Origins, PassError, PassResult, PassSettings, RewritePass,
};
use smtlib::{Kind, Sort, SortId, Store};
use std::sync::Arc;
use translate::Translation;

/// The pass.
pub struct FpToBv;

impl RewritePass for FpToBv {
    fn name(&self) -> &'static str {
        "fp-to-bv"
    }

    fn describe(&self) -> &'static str {
        "replaces floating-point terms by bit-vector terms that compute them exactly"
    }

    fn example(&self) -> Example {
        Example {
            before: "(declare-const x (_ FloatingPoint 2 3)) (assert (fp.isZero x))",
            after: &[
                "(=> (and (= ((_ extract 3 2) fp!0) #b11) (not (= ((_ extract 1 0) fp!0) #b00))) (= fp!0 #b01110))",
                "(= ((_ extract 3 0) fp!0) #x0)",
            ],
        }
    }

    fn apply(&self, store: &mut Store, mut goal: Goal, settings: &PassSettings) -> Result<PassResult, PassError> {
        let terms = bottom_up(store, goal.terms());
        if !terms.iter().any(|&t| is_floating(store, store.sort(t)) || store.kind(t) == Kind::FpToReal) {
            return Ok(PassResult::new(goal));
        }
        let mut watch = settings.watch(store);
        let mut translation = Translation::new();
        for &t in &terms {
            watch.tick(store)?;
            translation.translate(store, t)?;
        }
        let formulas = goal.take();
        let Translation { images, constraints, conversions, choices, .. } = translation;
        for constraint in constraints {
            goal.push(store, GoalFormula::new(constraint, Origins::none()));
        }
        for formula in formulas {
            let term = images.get(formula.term).unwrap_or(formula.term);
            goal.push(store, GoalFormula::new(term, formula.origins));
        }
        let mut conversions = conversions;
        if !choices.is_empty() {
            // Undone first, while the model still speaks of the bit-vectors.
            conversions.push(Conversion::Custom(Arc::new(choices)));
        }
        Ok(PassResult::with(goal, ModelConverter::new(conversions)))
    }
}

/// Whether values of a sort are floats or rounding modes.
fn is_floating(store: &Store, sort: SortId) -> bool {
    matches!(store.sorts.get(sort), Sort::Float { .. } | Sort::RoundingMode)
}
