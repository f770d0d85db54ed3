//! Assignments as formulas: equations of constants with their values, and conjunctions of such.

use super::assignments::{SeveralAssignments, ValuedFormula};
use super::truths::TruthVector;
use crate::mutator::Parent;
use crate::rng::RandomStream;
use crate::{assignment, edit};
use semantics::{Evaluator, Value};
use smtlib::{Sort, SortId, Store, TermId};

/// Constants that are equated with values, at most.
const MAX_CONSTANTS: usize = 8;
/// Conjunctions made for one assignment, and how many equations one has at most.
const CORNERS: u64 = 3;
const MAX_EQUATIONS: u64 = 4;

/// Equations of constants that differ between assignments, and conjunctions of those of one assignment (its corners).
///
/// A negated corner is true under every assignment except its own, so it excludes that one.
pub fn points(
    store: &mut Store,
    parent: &Parent,
    drawn: &SeveralAssignments,
    rng: &mut RandomStream,
) -> (Vec<ValuedFormula>, Vec<ValuedFormula>) {
    let terms: Vec<TermId> = drawn.fragments.iter().map(|f| f.term).collect();
    let is_difference_logic =
        parent.instance.logic.is_some_and(|l| store.name(l).ends_with("IDL") || store.name(l).ends_with("RDL"));
    let mut symbols = assignment::symbols(store, parent, &terms);
    symbols
        .retain(|&f| store.func(f).params.is_empty() && has_literals(store, store.func(f).result, is_difference_logic));
    rng.shuffle(&mut symbols);
    let mut evaluators: Vec<Evaluator> =
        drawn.models.iter().map(|model| Evaluator::new(model.clone(), edit::limits())).collect();
    let mut equations: Vec<Vec<ValuedFormula>> = vec![Vec::new(); drawn.models.len()];
    let mut used = 0;
    for f in symbols {
        let Ok(constant) = store.constant_of(f) else { continue };
        let values: Vec<Option<Value>> = evaluators.iter_mut().map(|e| e.eval(store, constant).ok()).collect();
        let mut differs = false;
        for (n, value) in values.iter().enumerate() {
            let sort = store.sort(constant);
            let Some(literal) = value.as_ref().and_then(|value| value.to_term(store, sort)) else { continue };
            let Ok(term) = store.eq(constant, literal) else { continue };
            let formula = valued(store, term, &mut evaluators);
            if formula.truths.tells_apart() {
                equations[n].push(formula);
                differs = true;
            }
        }
        used += usize::from(differs);
        if used == MAX_CONSTANTS {
            break;
        }
    }
    let mut corners = Vec::new();
    for own in equations.iter_mut().filter(|own| own.len() > 1) {
        for _ in 0..CORNERS {
            rng.shuffle(own);
            let count = rng.between(2, MAX_EQUATIONS.min(own.len() as u64)) as usize;
            let parts: Vec<TermId> = own[..count].iter().map(|f| f.term).collect();
            let truths = own[1..count].iter().fold(own[0].truths, |truths, f| truths.and(f.truths));
            corners.push(ValuedFormula { term: store.and(&parts), truths });
        }
    }
    let mut all: Vec<ValuedFormula> = Vec::new();
    for formula in equations.into_iter().flatten() {
        if !all.contains(&formula) {
            all.push(formula);
        }
    }
    (all, corners)
}

/// Whether values of a sort are literals that any logic with the sort allows.
fn has_literals(store: &Store, sort: SortId, is_difference_logic: bool) -> bool {
    match store.sorts.get(sort) {
        Sort::Int | Sort::Real => !is_difference_logic,
        Sort::BitVec(_) | Sort::FiniteField(_) | Sort::Float { .. } | Sort::RoundingMode | Sort::String => true,
        Sort::Seq(element) | Sort::Bag(element) => has_literals(store, *element, is_difference_logic),
        _ => false,
    }
}

/// Returns a formula with the evaluator's values.
fn valued(store: &Store, term: TermId, evaluators: &mut [Evaluator]) -> ValuedFormula {
    let mut truths = TruthVector::default();
    for (n, evaluator) in evaluators.iter_mut().enumerate() {
        evaluator.truth(store, term).into_iter().for_each(|value| truths.set(n, value));
    }
    ValuedFormula { term, truths }
}
