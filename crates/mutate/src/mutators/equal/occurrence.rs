//! Occurrences of subterms in an assertion, and the assertion with one of them replaced.
//!
//! A replacement has no more free variables than the replaced term, so it means the same at every occurrence: nothing is captured
//! under any binder.

use rustc_hash::{FxHashMap, FxHashSet};
use smtlib::{Kind, Store, TermId};

/// A subterm as an argument of another, or the whole of an assertion.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Occurrence {
    /// The term around it, with the number of the argument.
    pub parent: Option<(TermId, usize)>,
    /// The subterm.
    pub term: TermId,
}

/// Whether an argument may change. Patterns may not, nor arguments that solvers require to be literals: a change could make the text
/// ill-formed for them.
fn is_live(store: &Store, t: TermId, argument: usize) -> bool {
    match store.kind(t) {
        Kind::ConstArray | Kind::FpFromReal | Kind::ReRange => false,
        Kind::Fp | Kind::FpFromBits => store.args(t).iter().any(|&a| store.kind(a) != Kind::Constant),
        _ => store.op(t).binder().is_none() || argument == 0,
    }
}

/// Returns all occurrences in a term that may change, the whole first; `None` if there are more than `most`.
pub fn occurrences(store: &Store, root: TermId, most: usize) -> Option<Vec<Occurrence>> {
    let mut found = vec![Occurrence { parent: None, term: root }];
    let mut seen = FxHashSet::default();
    let mut at = 0;
    while let Some(&Occurrence { term, .. }) = found.get(at) {
        at += 1;
        if !seen.insert(term) {
            continue;
        }
        for (n, &arg) in store.args(term).iter().enumerate() {
            if is_live(store, term, n) {
                found.push(Occurrence { parent: Some((term, n)), term: arg });
            }
        }
        if found.len() > most {
            return None;
        }
    }
    Some(found)
}

/// `root` with an occurrence replaced: everywhere if `everywhere`, otherwise only as this argument of its parent term, wherever
/// that occurs.
pub fn replaced(store: &mut Store, root: TermId, at: Occurrence, new: TermId, everywhere: bool) -> TermId {
    let mut done: FxHashMap<TermId, TermId> = FxHashMap::default();
    let target = match at.parent {
        Some((parent, argument)) if !everywhere => {
            let mut args = store.args(parent).to_vec();
            if let Some(slot) = args.get_mut(argument) {
                *slot = new;
            }
            done.insert(parent, store.with_args(parent, &args));
            parent
        }
        _ => {
            done.insert(at.term, new);
            at.term
        }
    };
    if target == root {
        return done.get(&root).copied().unwrap_or(root);
    }
    let mut stack = vec![(root, false)];
    while let Some((t, ready)) = stack.pop() {
        if done.contains_key(&t) {
            continue;
        }
        let count = store.args(t).len();
        if !ready {
            stack.push((t, true));
            for n in 0..count {
                if is_live(store, t, n) {
                    stack.push((store.args(t)[n], false));
                }
            }
            continue;
        }
        let mut args = store.args(t).to_vec();
        for (n, arg) in args.iter_mut().enumerate() {
            if is_live(store, t, n) {
                *arg = done.get(arg).copied().unwrap_or(*arg);
            }
        }
        let new = store.with_args(t, &args);
        done.insert(t, new);
    }
    done.get(&root).copied().unwrap_or(root)
}

/// Returns the number of distinct subterms of terms, counted up to `most`.
pub fn size(store: &Store, roots: &[TermId], most: usize) -> usize {
    let mut seen: FxHashSet<TermId> = FxHashSet::default();
    let mut open = roots.to_vec();
    while let Some(t) = open.pop() {
        if seen.insert(t) {
            open.extend_from_slice(store.args(t));
        }
        if seen.len() > most {
            break;
        }
    }
    seen.len()
}
