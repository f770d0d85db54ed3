//! The function symbols of a term.

use rustc_hash::FxHashSet;
use smtlib::{FuncId, Store, TermId};

/// Returns the function symbols that occur in a term, each once.
pub(crate) fn mentioned(store: &Store, root: TermId) -> Vec<FuncId> {
    let mut seen = FxHashSet::default();
    let mut found = FxHashSet::default();
    let mut list = Vec::new();
    let mut stack = vec![root];
    while let Some(t) = stack.pop() {
        if !seen.insert(t) {
            continue;
        }
        if let Some(f) = store.op(t).func()
            && found.insert(f)
        {
            list.push(f);
        }
        stack.extend_from_slice(store.args(t));
    }
    list
}

/// Returns the function symbols that occur in terms and in the definitions they lead to, each once.
pub(crate) fn mentioned_deeply(store: &Store, roots: &[TermId]) -> Vec<FuncId> {
    let mut found: Vec<FuncId> = Vec::new();
    let mut stack = roots.to_vec();
    let mut seen = FxHashSet::default();
    while let Some(t) = stack.pop() {
        if !seen.insert(t) {
            continue;
        }
        if let Some(f) = store.op(t).func()
            && !found.contains(&f)
        {
            found.push(f);
            stack.extend(store.func(f).definition().map(|(_, body)| body));
        }
        stack.extend_from_slice(store.args(t));
    }
    found
}
