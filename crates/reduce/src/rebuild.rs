//! Rebuilds terms with changed nodes, from the outside in: subterms of a replaced term are skipped.

use rustc_hash::FxHashMap;
use smtlib::{FuncId, Kind, Op, Store, TermId};

/// The change of a node.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum NodeChange {
    /// The node is replaced by another term.
    Replace(TermId),
    /// The node loses arguments, or some are replaced; by number.
    Args {
        /// The dropped arguments, ascending.
        drop: Vec<u32>,
        /// The replaced arguments.
        put: Vec<(u32, TermId)>,
    },
}

/// A set of changes to the terms of one script.
#[derive(Clone, Default, Debug)]
pub(crate) struct Changes {
    /// Changes by node.
    pub nodes: FxHashMap<TermId, NodeChange>,
    /// Functions replaced by others of the same rank.
    pub functions: FxHashMap<FuncId, FuncId>,
}

/// Applies changes, caching the result for each term.
pub(crate) struct Rebuilder<'c> {
    changes: &'c Changes,
    done: FxHashMap<TermId, TermId>,
    /// Functions with replaced bodies.
    functions: FxHashMap<FuncId, FuncId>,
}

enum RebuildStep {
    Enter(TermId),
    /// All children are rebuilt.
    Leave(TermId),
    /// The second becomes the result for the first.
    Alias(TermId, TermId),
}

impl<'c> Rebuilder<'c> {
    pub(crate) fn new(changes: &'c Changes) -> Rebuilder<'c> {
        Rebuilder { changes, done: FxHashMap::default(), functions: changes.functions.clone() }
    }

    /// Replaces `old` by `new` from now on; they have the same rank.
    pub(crate) fn map_function(&mut self, old: FuncId, new: FuncId) {
        // Functions that became `old` become `new`.
        self.functions.values_mut().filter(|f| **f == old).for_each(|f| *f = new);
        self.functions.insert(old, new);
        self.done.clear();
    }

    pub(crate) fn function(&self, f: FuncId) -> FuncId {
        self.functions.get(&f).copied().unwrap_or(f)
    }

    /// Returns the changed term. Changes that do not fit (too few arguments, another sort) are skipped.
    pub(crate) fn term(&mut self, store: &mut Store, root: TermId) -> TermId {
        let mut stack = vec![RebuildStep::Enter(root)];
        while let Some(step) = stack.pop() {
            match step {
                RebuildStep::Enter(t) => {
                    if self.done.contains_key(&t) {
                        continue;
                    }
                    // While a term is in progress it maps to itself, which breaks cycles of changes.
                    self.done.insert(t, t);
                    if let Some(NodeChange::Replace(new)) = self.changes.nodes.get(&t) {
                        stack.push(RebuildStep::Alias(t, *new));
                        stack.push(RebuildStep::Enter(*new));
                        continue;
                    }
                    stack.push(RebuildStep::Leave(t));
                    stack.extend(store.args(t).iter().map(|&a| RebuildStep::Enter(a)));
                    if let Some(NodeChange::Args { put, .. }) = self.changes.nodes.get(&t) {
                        stack.extend(put.iter().map(|&(_, a)| RebuildStep::Enter(a)));
                    }
                }
                RebuildStep::Leave(t) => {
                    let new = self.node(store, t);
                    self.done.insert(t, new);
                }
                RebuildStep::Alias(t, new) => {
                    let new = self.known(new);
                    if store.sort(new) == store.sort(t) {
                        self.done.insert(t, new);
                    }
                }
            }
        }
        self.known(root)
    }

    fn known(&self, t: TermId) -> TermId {
        self.done.get(&t).copied().unwrap_or(t)
    }

    fn node(&mut self, store: &mut Store, t: TermId) -> TermId {
        let old = store.args(t).to_vec();
        let mut args: Vec<TermId> = old.iter().map(|&a| self.known(a)).collect();
        let mut dropped = &[][..];
        if let Some(NodeChange::Args { drop, put }) = self.changes.nodes.get(&t) {
            for &(n, a) in put {
                let a = self.known(a);
                if let Some(slot) = args.get_mut(n as usize)
                    && store.sort(*slot) == store.sort(a)
                {
                    *slot = a;
                }
            }
            dropped = drop;
        }
        if !dropped.is_empty() {
            let kept: Vec<TermId> =
                args.iter().enumerate().filter(|(n, _)| !dropped.contains(&(*n as u32))).map(|(_, &a)| a).collect();
            if let Some(new) = with_fewer(store, t, &kept) {
                return new;
            }
        }
        if let Some(f) = store.applied(t) {
            let g = self.function(f);
            if g != f
                && let Ok(new) = store.apply(g, &args)
            {
                return new;
            }
        }
        store.with_args(t, &args)
    }
}

/// Returns `t` with fewer arguments: the operator on the remaining ones, the single remaining one, or the neutral element.
pub(crate) fn with_fewer(store: &mut Store, t: TermId, kept: &[TermId]) -> Option<TermId> {
    let op = store.op(t);
    let sort = store.sort(t);
    match (op.kind, kept) {
        (Kind::And, kept) => return Some(store.and(kept)),
        (Kind::Or, kept) => return Some(store.or(kept)),
        (Kind::Implies, &[one]) => return Some(one),
        (_, []) => return None,
        (_, &[one]) if is_associative(op.kind) && store.sort(one) == sort => return Some(one),
        _ => {}
    }
    if kept.len() < 2 {
        return None;
    }
    let new = store.app(Op::indexed(op.kind, op.i, op.j), kept).ok()?;
    (store.sort(new) == sort).then_some(new)
}

/// Whether a single argument is a valid remainder of an application.
fn is_associative(kind: Kind) -> bool {
    use Kind::*;
    matches!(
        kind,
        Xor | IntAdd
            | IntMul
            | IntSub
            | RealAdd
            | RealMul
            | RealSub
            | RealDiv
            | IntDiv
            | BvAnd
            | BvOr
            | BvAdd
            | BvMul
            | BvXor
            | BvSub
            | StrConcat
            | SeqConcat
            | FfAdd
            | FfMul
            | ReConcat
            | ReUnion
            | ReInter
            | ReDiff
    )
}
