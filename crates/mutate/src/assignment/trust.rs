//! Values trusted from a reference solver: implied by its model of a seed, for formulas the evaluator cannot decide.

use crate::assignment::limits;
use crate::fragments::{self, Fragments};
use crate::mutator::Parent;
use crate::preamble::Uses;
use rustc_hash::FxHashMap;
use semantics::{Evaluator, Model};
use smtlib::{Kind, Store, TermId};
use std::sync::Arc;

/// Evaluates the candidates under a model that is said to satisfy the parent's assertions; `None` if the evaluator refutes that.
///
/// Invariant: a trusted value is used only where the model itself, not a default, fixes every symbol of the term, so that the certified
/// values are values under the same model.
pub(super) fn value(
    store: &Store,
    parent: &Parent,
    model: &Arc<Model>,
    candidates: &[TermId],
    max_depth: u32,
) -> Option<Fragments> {
    let mut evaluator = Evaluator::new(model.clone(), limits());
    for &assertion in &parent.instance.assertions {
        if evaluator.truth(store, assertion) == Some(false) {
            return None;
        }
    }
    let forced = forced(store, &parent.instance.assertions);
    let fixed = |t: TermId| {
        let mut uses = Uses::new(store);
        uses.term(t);
        let given = |f| model.interpretation(f).is_some() && !model.completed().contains(&f);
        uses.funcs().all(|f| !store.func(f).is_declared() || given(f))
    };
    Some(fragments::value(
        store,
        candidates,
        max_depth,
        |store, t| evaluator.truth(store, t),
        |t| forced.get(&t).copied().filter(|_| fixed(t)),
    ))
}

/// The subterms whose value follows from the truth of the assertions: conjuncts of true ones, disjuncts of false ones, and so on.
fn forced(store: &Store, assertions: &[TermId]) -> FxHashMap<TermId, bool> {
    let mut known = FxHashMap::default();
    let mut open: Vec<(TermId, bool)> = assertions.iter().map(|&t| (t, true)).collect();
    while let Some((t, value)) = open.pop() {
        if known.insert(t, value).is_some() {
            continue;
        }
        let args = store.args(t);
        match (store.kind(t), value) {
            (Kind::Not, _) => open.push((args[0], !value)),
            (Kind::And, true) | (Kind::Or, false) => open.extend(args.iter().map(|&a| (a, value))),
            (Kind::Implies, false) => {
                let last = args.len() - 1;
                open.extend(args.iter().enumerate().map(|(n, &a)| (a, n < last)));
            }
            _ => {}
        }
    }
    known
}
