//! Passes that replace a term by its parts.

use super::{Grouping, MAX_TERMS, ReductionPass, View, by_level, levels};
use crate::plan::ScriptEdit;
use crate::rebuild::with_fewer;
use rustc_hash::FxHashSet;
use smtlib::free_vars::FreeVars;
use smtlib::{Kind, Store, TermId};

/// Drops arguments of operators that take any number of them.
///
/// Before: `(assert (and a b c))(assert (< 0 x y 9))`. After: `(assert b)(assert (< 0 9))`.
pub const ARGUMENTS: ReductionPass = ReductionPass {
    name: "arguments",
    about: "drops arguments of n-ary operators",
    group: Grouping::Halving,
    propose: arguments,
};

/// Replaces a term by a part of it: a child of the same sort, or a grandchild.
///
/// Before: `(assert (not (not (and a (or b c)))))`. After: `(assert (or b c))`.
pub const CHILDREN: ReductionPass = ReductionPass {
    name: "children",
    about: "replaces terms by a child of the same sort",
    group: Grouping::Single,
    propose: children,
};

/// The maximum number of parts tried for one term.
const MAX_PARTS: usize = 8;

/// The maximum depth of the parts.
const MAX_DISTANCE: usize = 3;

fn arguments(view: &mut View<'_>) -> Vec<Vec<ScriptEdit>> {
    let mut batches = Vec::new();
    for t in levels(view, MAX_TERMS).into_iter().flatten() {
        let args = view.store.args(t).to_vec();
        if args.len() < 2 || with_fewer(view.store, t, &args[1..]).is_none() {
            continue;
        }
        batches.push((0..args.len() as u32).map(|n| ScriptEdit::DropArguments(t, vec![n])).collect());
    }
    batches
}

fn children(view: &mut View<'_>) -> Vec<Vec<ScriptEdit>> {
    let mut free = FreeVars::default();
    by_level(view, MAX_TERMS / 4, |view, t| {
        parts(view.store, t, &mut free).into_iter().map(move |part| ScriptEdit::Replace(t, part))
    })
}

/// Returns the parts of `t` with its sort, nearest first, whose variables are also free in `t`.
fn parts(store: &Store, t: TermId, free: &mut FreeVars) -> Vec<TermId> {
    let mut found = Vec::new();
    let mut seen = FxHashSet::default();
    let mut level = vec![t];
    for _ in 0..MAX_DISTANCE {
        let mut next = Vec::new();
        for &u in &level {
            for &a in store.args(u) {
                if !seen.insert(a) {
                    continue;
                }
                next.push(a);
                if store.sort(a) == store.sort(t) && fits(store, t, a, free) {
                    found.push(a);
                    if found.len() >= MAX_PARTS {
                        return found;
                    }
                }
            }
        }
        level = next;
    }
    found
}

fn fits(store: &Store, t: TermId, part: TermId, free: &mut FreeVars) -> bool {
    // Truth values belong to another pass.
    if matches!(store.kind(part), Kind::True | Kind::False) {
        return false;
    }
    let around = free.of(store, t);
    free.of(store, part).iter().all(|v| around.contains(v))
}
