//! Translates floating-point formulas to bit-vector ones, every operator by its exact circuit.

mod arithmetic;
mod choices;
mod compare;
mod convert;
mod packing;
mod terms;
mod translate;

use rewrite::walk::bottom_up;
use rewrite::{Conversion, PassError, PassSettings};
use smtlib::{Kind, Sort, SortId, Store, TermId};
use std::sync::Arc;
use translate::Translation;

/// The applications of an eliminated function: arguments and value.
pub type ApplicationRows = Vec<(Box<[TermId]>, TermId)>;

/// Formulas without floats that represent formulas with them.
pub struct FloatFree {
    /// The images of the formulas, in order.
    pub formulas: Vec<TermId>,
    /// The constraints on fresh symbols.
    pub constraints: Vec<TermId>,
    /// The model conversion, applied from the last to the first.
    pub conversions: Vec<Conversion>,
}

/// Replaces floats and rounding modes in formulas by bit-vectors; `None` if they contain none.
/// Errors: an operator or a sort that has no circuit, a bound on its size, or no time left.
pub fn float_free(
    store: &mut Store,
    formulas: &[TermId],
    settings: &PassSettings,
) -> Result<Option<FloatFree>, PassError> {
    let terms = bottom_up(store, formulas.iter().copied());
    if !terms.iter().any(|&t| is_floating(store, store.sort(t)) || store.kind(t) == Kind::FpToReal) {
        return Ok(None);
    }
    let mut watch = settings.watch(store);
    let mut translation = Translation::new();
    for &t in &terms {
        watch.tick(store)?;
        translation.translate(store, t)?;
    }
    let Translation { images, constraints, mut conversions, choices, functions, .. } = translation;
    let mut functions: Vec<_> = functions.into_iter().collect();
    functions.sort_unstable_by_key(|function| function.0);
    for (symbol, (_, rows)) in functions {
        conversions.push(Conversion::Graph { symbol, rows });
    }
    if !choices.is_empty() {
        // Converted first, while the model still contains the bit-vectors.
        conversions.push(Conversion::Custom(Arc::new(choices)));
    }
    let formulas = formulas.iter().map(|&t| images.get(t).unwrap_or(t)).collect();
    Ok(Some(FloatFree { formulas, constraints, conversions }))
}

/// Whether values of a sort are floats or rounding modes.
fn is_floating(store: &Store, sort: SortId) -> bool {
    matches!(store.sorts.get(sort), Sort::Float { .. } | Sort::RoundingMode)
}
