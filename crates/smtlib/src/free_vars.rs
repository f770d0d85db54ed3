//! The free variables of terms, by name, memoised.

use crate::name_set::{NameSet, NameSets};
use crate::symbol::Symbol;
use crate::term::{HAS_BINDER, HAS_VARIABLE, Store, TermId};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// A memo of free-variable sets of one store's terms. Terms without variables cost nothing, and sets share structure: a
/// hundred thousand nested quantifiers take some megabytes, not quadratic space.
#[derive(Default)]
pub struct FreeVars {
    sets: FxHashMap<TermId, NameSet>,
    pool: NameSets,
    stack: Vec<(TermId, bool)>,
}

impl FreeVars {
    /// Lists the names free in `t`, sorted. It allocates; see [`FreeVars::is_closed`] and [`FreeVars::contains`].
    pub fn of(&mut self, store: &Store, t: TermId) -> Rc<[Symbol]> {
        let set = self.set(store, t);
        let mut names = Vec::with_capacity(self.pool.len(set));
        self.pool.for_each(set, &mut |name| names.push(name));
        names.into()
    }

    /// Whether no variable is free in `t`.
    pub fn is_closed(&mut self, store: &Store, t: TermId) -> bool {
        self.set(store, t) == NameSet::EMPTY
    }

    /// Whether `v` is free in `t`.
    pub fn contains(&mut self, store: &Store, t: TermId, v: Symbol) -> bool {
        let set = self.set(store, t);
        self.pool.contains(set, v)
    }

    /// Returns the sets' common table.
    pub(crate) fn pool(&self) -> &NameSets {
        &self.pool
    }

    /// Returns the names free in `t`, as a set of [`FreeVars::pool`].
    pub(crate) fn set(&mut self, store: &Store, t: TermId) -> NameSet {
        if store.flags(t) & HAS_VARIABLE == 0 {
            return NameSet::EMPTY;
        }
        if let Some(&set) = self.sets.get(&t) {
            return set;
        }
        self.stack.push((t, false));
        while let Some((u, ready)) = self.stack.pop() {
            if self.sets.contains_key(&u) {
                continue;
            }
            if ready {
                let set = self.combine(store, u);
                self.sets.insert(u, set);
                continue;
            }
            self.stack.push((u, true));
            let open = store.args(u).iter().filter(|&&a| store.flags(a) & HAS_VARIABLE != 0);
            self.stack.extend(open.map(|&a| (a, false)));
        }
        self.sets.get(&t).copied().unwrap_or(NameSet::EMPTY)
    }

    /// Computes the set of `t` from those of its children, which are all known.
    fn combine(&mut self, store: &Store, t: TermId) -> NameSet {
        if let Some(v) = store.variable(t) {
            return self.pool.single(v);
        }
        let op = store.op(t);
        let cases = op.cases().map(|m| store.cases(m)).filter(|_| store.flags(t) & HAS_BINDER != 0);
        let mut all = NameSet::EMPTY;
        for (n, a) in store.args(t).iter().enumerate() {
            let mut set = self.sets.get(a).copied().unwrap_or(NameSet::EMPTY);
            if let (Some(cases), true) = (cases, n > 0) {
                for &v in cases[n - 1].vars.iter().flatten() {
                    set = self.pool.without(set, v);
                }
            }
            all = self.pool.union(all, set);
        }
        if let Some(b) = op.binder() {
            for v in &store.binder(b).vars {
                all = self.pool.without(all, v.0);
            }
        }
        all
    }
}
