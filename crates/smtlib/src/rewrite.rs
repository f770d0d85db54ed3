//! Rebuilding terms with some parts replaced, and groups of recursive functions, reserved before their bodies are defined.

use crate::decl::{Func, FuncBody, FuncId};
use crate::op::Op;
use crate::sort::SortId;
use crate::symbol::Symbol;
use crate::term::{Store, TermId};
use rustc_hash::FxHashMap;

impl Store {
    /// Rebuilds `t` by calling `change` on every subterm, children first: it gets the subterm with its children already
    /// rebuilt, and returns the replacement or `None` to keep it. Sorts must be kept. Shared subterms are visited once;
    /// binders are entered like any node, so a replacement with variables must not be captured.
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

    /// Replaces the keys of `map` in `t` by their values.
    pub fn replace(&mut self, t: TermId, map: &FxHashMap<TermId, TermId>) -> TermId {
        self.rebuild(t, |_, u| map.get(&u).copied())
    }

    /// Replaces function symbols in `t`; each replacement must have the same rank.
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

impl Store {
    /// Reserves a function that [`Store::define_recursive`] will define. It is not shared with others of the same name and rank.
    pub fn reserve_recursive(&mut self, name: Symbol, params: Box<[SortId]>, result: SortId) -> FuncId {
        let id = FuncId(self.funcs.len() as u32);
        self.funcs.push(Func { name, params, result, body: FuncBody::Declared });
        id
    }

    /// Defines consecutively reserved functions by their parameter names and bodies. Returns the group, or an equal earlier
    /// one: equal names and ranks, and bodies that are equal after replacing the new functions by the old.
    pub fn define_recursive(&mut self, group: &[FuncId], definitions: Vec<(Box<[Symbol]>, TermId)>) -> Box<[FuncId]> {
        for (&f, (vars, body)) in group.iter().zip(definitions) {
            self.funcs[f.index()].body = FuncBody::Recursive { vars, body };
        }
        let Some(&first) = group.first() else { return [].into() };
        let known = self.recursive.entry(self.func(first).name).or_default();
        let starts: Vec<usize> = known.iter().map(|f| f.index()).collect();
        known.push(first);
        let old = starts.into_iter().find(|&start| self.is_like(start, group));
        let Some(start) = old else { return group.into() };
        let old: Box<[FuncId]> = (0..group.len()).map(|n| FuncId((start + n) as u32)).collect();
        let map: FxHashMap<FuncId, FuncId> = group.iter().copied().zip(old.iter().copied()).collect();
        let same = group.iter().zip(&old).all(|(&n, &o)| {
            let (Some((nv, nb)), Some((ov, ob))) = (self.func(n).definition(), self.func(o).definition()) else {
                return false;
            };
            nv == ov && self.replace_functions(nb, &map) == ob
        });
        if same { old } else { group.into() }
    }

    /// Whether the functions from `start` on, defined before `group`, have its names and ranks.
    fn is_like(&self, start: usize, group: &[FuncId]) -> bool {
        let is_before = group.first().is_some_and(|first| start + group.len() <= first.index());
        is_before
            && group.iter().zip(start..).all(|(&f, n)| {
                let (a, b) = (&self.funcs[n], self.func(f));
                let is_recursive = matches!(a.body, FuncBody::Recursive { .. });
                is_recursive && (a.name, &a.params, a.result) == (b.name, &b.params, b.result)
            })
    }
}
