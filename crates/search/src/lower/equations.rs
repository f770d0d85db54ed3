//! Equality extraction: a conjunct `(= x e)` makes the symbol `x` a name for `e`, so that it needs no slot of its own.
//!
//! This is about `=`, the identity of the sort, never about `fp.eq`, which holds of zeros of different sign and not of NaN.
//! Which of the definitions found here can stand is decided while terms are lowered: one that leads back to its own symbol
//! is dropped there, and its equation stays a constraint like any other. The equations of those that stand become `e = e`,
//! which is folded to true, so that nothing is lost and nothing has to be taken away.

use crate::types::Ty;
use rustc_hash::{FxHashMap, FxHashSet};
use smtlib::{Kind, Store, TermId};

/// What to do with equations.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Equations {
    /// Their symbols get no slots.
    Extract,
    /// As [`Equations::Extract`], and in `(= e ((_ to_fp eb sb) x))` the vector `x` becomes the encoding of `e`, with one
    /// pattern for NaN. That loses models, those with other patterns: a contradiction is none of the formula then.
    Narrow,
    /// They stay constraints, and every symbol has a slot.
    Keep,
}

/// What a symbol stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Definition {
    /// A term.
    pub term: TermId,
    /// The symbol is the encoding of that float.
    pub encoded: bool,
}

/// The symbols that a conjunct defines, with their definitions: the first for each symbol.
pub fn collect(store: &mut Store, assertions: &[TermId], equations: Equations) -> FxHashMap<TermId, Definition> {
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
                            definitions.insert(x, Definition { term: e, encoded: false });
                        } else if equations == Equations::Narrow {
                            encoding(store, &mut definitions, e, x);
                            encoding(store, &mut definitions, x, e);
                        }
                    }
                }
                (Kind::Apply, _) if is_free(store, &definitions, t) => {
                    let value = store.bool(holds);
                    definitions.insert(t, Definition { term: value, encoded: false });
                }
                _ => {}
            }
        }
    }
    definitions
}

/// Defines the symbol of `(to_fp x)` as the encoding of `term`, for the formats the processor has.
fn encoding(store: &Store, definitions: &mut FxHashMap<TermId, Definition>, float: TermId, term: TermId) {
    let native = Ty::of(store, store.sort(float)).and_then(Ty::native).is_some();
    if let (Kind::FpFromBits, &[x], true) = (store.kind(float), store.args(float), native)
        && is_free(store, definitions, x)
    {
        definitions.insert(x, Definition { term, encoded: true });
    }
}

/// Whether a term is a declared symbol without a definition.
fn is_free(store: &Store, definitions: &FxHashMap<TermId, Definition>, t: TermId) -> bool {
    let declared = store.applied(t).is_some_and(|f| store.func(f).is_declared());
    declared && store.args(t).is_empty() && !definitions.contains_key(&t)
}
