//! Rebuilding terms bottom-up with some parts replaced.

use crate::decl::FuncId;
use crate::op::Op;
use crate::term::{Store, TermId};
use rustc_hash::FxHashMap;

impl Store {
    /// `t` with `change` asked at every subterm, children first: it sees the subterm with its children already rebuilt, and
    /// gives the replacement or `None` to keep it. Sorts must be kept. Shared subterms are visited once; binders are entered
    /// like any node, so a replacement that holds variables must not be put where they would be captured.
    pub fn rebuild(&mut self, t: TermId, mut change: impl FnMut(&mut Store, TermId) -> Option<TermId>) -> TermId {
        let mut done: FxHashMap<TermId, TermId> = FxHashMap::default();
        let mut stack = vec![(t, false)];
        let mut args = Vec::new();
        while let Some((u, ready)) = stack.pop() {
            if done.contains_key(&u) {
                continue;
            }
            if !ready {
                stack.push((u, true));
                stack.extend(self.args(u).iter().map(|&a| (a, false)));
                continue;
            }
            args.clear();
            args.extend(self.args(u).iter().map(|a| done.get(a).copied().unwrap_or(*a)));
            let rebuilt = self.with_args(u, &args);
            let new = change(self, rebuilt).unwrap_or(rebuilt);
            done.insert(u, new);
        }
        done.get(&t).copied().unwrap_or(t)
    }

    /// `t` with the terms that `map` holds replaced by what it holds for them.
    pub fn replace(&mut self, t: TermId, map: &FxHashMap<TermId, TermId>) -> TermId {
        self.rebuild(t, |_, u| map.get(&u).copied())
    }

    /// `t` with function symbols replaced; each must have the rank of the one it replaces.
    pub fn replace_functions(&mut self, t: TermId, map: &FxHashMap<FuncId, FuncId>) -> TermId {
        self.rebuild(t, |store, u| {
            let op = store.op(u);
            let new = map.get(&op.func()?)?;
            let args = store.args(u).to_vec();
            let sort = store.sort(u);
            Some(store.node(Op::indexed(op.kind, new.0, op.j), &args, sort))
        })
    }
}
