//! Which bound variables are printed under their original names.
//!
//! The reader renames a variable whose name already has a meaning (`x!1`). The original name is printed wherever nothing in its scope
//! has that name, so shadowing survives reading and printing.

use super::Dialect;
use super::capture::head_names;
use crate::free_vars::FreeVars;
use crate::symbol::Symbol;
use crate::term::{Store, TermId};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;

/// Variables bound together, with the terms in which they are bound.
type BoundGroup<'s> = (Vec<Symbol>, &'s [TermId]);

/// The variables that are printed under their original names in the current text.
#[derive(Default)]
pub(super) struct OwnNames {
    restored: FxHashSet<Symbol>,
    free: FreeVars,
    /// The maximum number of terms examined: beyond that, variables keep the reader's names.
    left: usize,
}

impl OwnNames {
    /// Stops the use of original names.
    pub(super) fn clear(&mut self) {
        self.restored.clear();
    }

    /// Returns the original name of a variable, if it is printed.
    pub(super) fn of(&self, store: &Store, v: Symbol) -> Option<Symbol> {
        store.own_names.get(&v).copied().filter(|_| self.restored.contains(&v))
    }

    /// Chooses the variables for a text with `terms` that binds `params` around `root` and uses operators and functions named `used`.
    pub(super) fn choose(
        &mut self,
        store: &Store,
        dialect: &Dialect,
        (params, root): (&[Symbol], TermId),
        terms: &FxHashSet<TermId>,
        used: &FxHashSet<Symbol>,
    ) {
        self.left = 1024 + 16 * terms.len();
        // Variables bound around the text have names in it, too.
        let around = params.iter().copied().chain(self.free.of(store, root).iter().copied()).collect::<BTreeSet<_>>();
        let mut groups: Vec<BoundGroup<'_>> = vec![(around.into_iter().collect(), std::slice::from_ref(&root))];
        for &t in terms {
            let (op, args) = (store.op(t), store.args(t));
            if let Some(b) = op.binder() {
                groups.push((store.binder(b).vars.iter().map(|v| v.0).collect(), args));
            } else if let Some(m) = op.cases() {
                let cases = store.cases(m).iter().zip(&args[1..]);
                groups.extend(
                    cases.map(|(c, body)| (c.vars.iter().flatten().copied().collect(), std::slice::from_ref(body))),
                );
            }
        }
        // The variables that may be printed under each name.
        let mut called: FxHashMap<Symbol, Vec<Symbol>> = FxHashMap::default();
        let bound: FxHashSet<Symbol> = groups.iter().flat_map(|g| &g.0).copied().collect();
        for &v in &bound {
            called.entry(v).or_default().push(v);
            if let Some(&own) = store.own_names.get(&v) {
                called.entry(own).or_default().push(v);
                self.restored.insert(v);
            }
        }
        if self.restored.is_empty() {
            return;
        }
        let mut refused = FxHashSet::default();
        for (vars, bodies) in &groups {
            if self.left == 0 {
                return self.clear();
            }
            for (n, &v) in vars.iter().enumerate() {
                let own = store.own_names.get(&v).copied();
                for &other in [Some(v), own].into_iter().flatten().filter_map(|name| called.get(&name)).flatten() {
                    if other != v && (vars[..n].contains(&other) || self.is_free_in(store, other, bodies)) {
                        refused.extend([v, other]);
                    }
                }
                if own.is_some_and(|own| used.contains(&own) && self.is_head_in(store, dialect, own, bodies)) {
                    refused.insert(v);
                }
            }
        }
        self.restored.retain(|v| self.left > 0 && !refused.contains(v));
    }

    fn is_free_in(&mut self, store: &Store, v: Symbol, terms: &[TermId]) -> bool {
        self.left = self.left.saturating_sub(terms.len());
        self.left == 0 || terms.iter().any(|&t| self.free.contains(store, t, v))
    }

    /// Whether an operator or function of this name occurs in terms.
    fn is_head_in(&mut self, store: &Store, dialect: &Dialect, name: Symbol, terms: &[TermId]) -> bool {
        let (mut open, mut seen) = (terms.to_vec(), FxHashSet::default());
        while let Some(t) = open.pop() {
            if self.left == 0 || head_names(store, dialect, t).contains(&name) {
                return true;
            }
            if seen.insert(t) {
                self.left -= 1;
                open.extend_from_slice(store.args(t));
            }
        }
        false
    }
}
