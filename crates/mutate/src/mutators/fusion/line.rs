//! An assertion of a seed, with the places where fusions are put.

use crate::edit::PrintedTree;
use rustc_hash::FxHashSet;
use smtlib::{FuncId, Store, Symbol, TermId};

/// An assertion of one parent.
pub(super) struct ParentAssertion {
    pub(super) text: String,
    pub(super) value: Option<bool>,
    /// It needs no recursive definition that is not proven total.
    pub(super) proven: bool,
    /// Occurrences of variables that fusions are about: where they are, and which.
    pub(super) slots: Vec<(u32, u32, FuncId)>,
}

/// Where the fused variables occur in an assertion's text, but for places at which a bound variable has the name of a function: what is
/// put there may name one of `functions`, and would mean the variable.
pub(super) fn slots(
    store: &Store,
    term: TermId,
    text: &str,
    fused: &[FuncId],
    functions: &FxHashSet<Symbol>,
) -> Vec<(u32, u32, FuncId)> {
    let Some(tree) = PrintedTree::new(store, term, text.to_string()) else { return Vec::new() };
    let is_open = |n: usize| tree.scope(n as u32).iter().all(|(name, _)| !functions.contains(name));
    let mut slots: Vec<_> = tree
        .places()
        .iter()
        .enumerate()
        .filter(|(_, p)| !p.frozen && !p.is_reference && store.args(p.term).is_empty())
        .filter_map(|(n, p)| {
            let f = store.applied(p.term).filter(|f| fused.contains(f) && is_open(n))?;
            Some((p.span.0, p.span.1, f))
        })
        .collect();
    slots.sort_unstable();
    slots
}
