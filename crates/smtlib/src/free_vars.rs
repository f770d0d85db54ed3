//! The free variables of terms, by name, memoised.

use crate::symbol::Symbol;
use crate::term::{HAS_VARIABLE, Store, TermId};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// A memo of free-variable sets of one store's terms. Terms without variables cost nothing.
#[derive(Default)]
pub struct FreeVars {
    sets: FxHashMap<TermId, Rc<[Symbol]>>,
}

impl FreeVars {
    /// The names free in `t`, sorted.
    pub fn of(&mut self, store: &Store, t: TermId) -> Rc<[Symbol]> {
        if store.flags(t) & HAS_VARIABLE == 0 {
            return Rc::from([]);
        }
        if let Some(set) = self.sets.get(&t) {
            return set.clone();
        }
        let mut stack = vec![(t, false)];
        while let Some((u, ready)) = stack.pop() {
            if self.sets.contains_key(&u) {
                continue;
            }
            if !ready {
                stack.push((u, true));
                stack
                    .extend(store.args(u).iter().filter(|&&a| store.flags(a) & HAS_VARIABLE != 0).map(|&a| (a, false)));
                continue;
            }
            let set = self.combine(store, u);
            self.sets.insert(u, set);
        }
        self.sets.get(&t).cloned().unwrap_or_else(|| Rc::from([]))
    }

    /// Whether `v` is free in `t`.
    pub fn contains(&mut self, store: &Store, t: TermId, v: Symbol) -> bool {
        self.of(store, t).binary_search(&v).is_ok()
    }

    /// The set of `t` from those of its children, which are all known.
    fn combine(&self, store: &Store, t: TermId) -> Rc<[Symbol]> {
        if let Some(v) = store.variable(t) {
            return Rc::from([v]);
        }
        let op = store.op(t);
        let mut names: Vec<Symbol> = Vec::new();
        for (n, a) in store.args(t).iter().enumerate() {
            let Some(set) = self.sets.get(a) else { continue };
            if let Some(b) = op.binder() {
                let vars = &store.binder(b).vars;
                names.extend(set.iter().filter(|s| !vars.iter().any(|v| v.0 == **s)));
            } else if let (Some(m), true) = (op.cases(), n > 0) {
                let vars = &store.cases(m)[n - 1].vars;
                names.extend(set.iter().filter(|s| !vars.contains(&Some(**s))));
            } else {
                names.extend_from_slice(set);
            }
        }
        names.sort_unstable();
        names.dedup();
        names.into()
    }
}
