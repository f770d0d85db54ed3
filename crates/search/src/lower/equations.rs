//! Equality extraction: a conjunct `(= x e)` makes the symbol `x` a name for `e`, so that it needs no slot of its own.
//!
//! This is about `=`, the identity of the sort, never about `fp.eq`, which holds of zeros of different sign and not of NaN.
//! Which of the definitions found here can stand is decided while terms are lowered: one that leads back to its own symbol
//! is dropped there, and its equation stays a constraint like any other. The equations of those that stand become `e = e`,
//! which is folded to true, so that nothing is lost and nothing has to be taken away.

use rustc_hash::{FxHashMap, FxHashSet};
use smtlib::{Kind, Store, TermId};

/// What to do with equations.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Equations {
    /// Their symbols get no slots.
    Extract,
    /// They stay constraints, and every symbol has a slot.
    Keep,
}

/// The symbols that a conjunct defines, with their definitions: the first for each symbol.
pub fn collect(store: &mut Store, assertions: &[TermId]) -> FxHashMap<TermId, TermId> {
    let mut definitions = FxHashMap::default();
    let mut seen = FxHashSet::default();
    for &assertion in assertions {
        // Truth values as wanted: a conjunction taken apart, its negation's disjunctions too.
        let mut stack = vec![(assertion, true)];
        while let Some((t, holds)) = stack.pop() {
            if !seen.insert((t, holds)) {
                continue;
            }
            let args = store.args(t);
            match (store.kind(t), holds) {
                (Kind::And, true) | (Kind::Or, false) => stack.extend(args.iter().rev().map(|&a| (a, holds))),
                (Kind::Not, _) => stack.push((args[0], !holds)),
                (Kind::Eq, true) => {
                    let args = args.to_vec();
                    for pair in args.windows(2) {
                        let (x, e) =
                            if is_free(store, &definitions, pair[0]) { (pair[0], pair[1]) } else { (pair[1], pair[0]) };
                        if x != e && is_free(store, &definitions, x) {
                            definitions.insert(x, e);
                        }
                    }
                }
                (Kind::Apply, _) if is_free(store, &definitions, t) => {
                    let value = store.bool(holds);
                    definitions.insert(t, value);
                }
                _ => {}
            }
        }
    }
    definitions
}

/// Whether a term is a declared symbol without a definition.
fn is_free(store: &Store, definitions: &FxHashMap<TermId, TermId>, t: TermId) -> bool {
    let declared = store.applied(t).is_some_and(|f| store.func(f).is_declared());
    declared && store.args(t).is_empty() && !definitions.contains_key(&t)
}
