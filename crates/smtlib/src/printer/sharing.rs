//! Which subterms a printed term repeats, and where each is to be bound by `let`.
//!
//! A repeated subterm is bound in its *home region*: the innermost enclosing binder that binds one of its free variables, or
//! the whole term. Regions form a tree; region 0 is the whole term.

use crate::free_vars::FreeVars;
use crate::op::Kind;
use crate::symbol::Symbol;
use crate::term::{HAS_BINDER, HAS_VARIABLE, Store, TermId};
use rustc_hash::FxHashMap;

/// A scope that can hold `let` bindings.
pub(crate) struct Region {
    parent: u32,
    vars: Vec<Symbol>,
    /// Repeated terms to bind here, children before parents.
    pub(crate) shared: Vec<TermId>,
}

#[derive(Clone, Copy, Default)]
struct Seen {
    /// Which analysis wrote this entry; older ones count as absent.
    epoch: u32,
    count: u32,
    /// For a repeated term its number, from 1; for a binder not repeated nothing.
    number: u32,
}

/// The result of the analysis of one term, with tables that are reused for the next.
#[derive(Default)]
pub(crate) struct Sharing {
    epoch: u32,
    dense: Vec<Seen>,
    sparse: FxHashMap<(TermId, u32), Seen>,
    /// The regions that a binder or match opens: one a body, by (term, home, child number).
    opened: FxHashMap<(TermId, u32, u32), u32>,
    pub(crate) regions: Vec<Region>,
    free: FreeVars,
    stack: Vec<(TermId, u32, bool)>,
    order: Vec<(TermId, u32)>,
    numbers: u32,
}

impl Sharing {
    /// Finds what `root` repeats.
    pub(crate) fn analyse(&mut self, store: &Store, root: TermId) {
        self.epoch = self.epoch.wrapping_add(1);
        if self.epoch == 0 {
            self.dense.clear();
            self.epoch = 1;
        }
        if self.dense.len() < store.len() {
            self.dense.resize(store.len(), Seen::default());
        }
        self.numbers = 0;
        self.sparse.clear();
        self.opened.clear();
        self.regions.clear();
        self.regions.push(Region { parent: 0, vars: Vec::new(), shared: Vec::new() });
        self.order.clear();
        self.stack.push((root, 0, false));
        while let Some((t, region, done)) = self.stack.pop() {
            if done {
                self.order.push((t, region));
                continue;
            }
            let home = self.home(store, t, region);
            let seen = self.seen_mut(t, home);
            seen.count += 1;
            if seen.count > 1 || store.args(t).is_empty() {
                continue;
            }
            self.stack.push((t, home, true));
            let binds = store.flags(t) & HAS_BINDER != 0 && opens_region(store.kind(t));
            for n in (0..store.args(t).len()).rev() {
                let inner = if binds { self.open(store, t, home, n) } else { home };
                self.stack.push((store.args(t)[n], inner, false));
            }
        }
        for n in 0..self.order.len() {
            let (t, home) = self.order[n];
            let numbers = self.numbers + 1;
            let seen = self.seen_mut(t, home);
            if seen.count > 1 {
                seen.number = numbers;
                self.numbers = numbers;
                self.regions[home as usize].shared.push(t);
            }
        }
    }

    /// The region where `t`, met in `region`, belongs.
    pub(crate) fn home(&mut self, store: &Store, t: TermId, mut region: u32) -> u32 {
        if store.flags(t) & HAS_VARIABLE == 0 {
            return 0;
        }
        while region != 0 {
            let r = &self.regions[region as usize];
            if r.vars.iter().any(|v| self.free.contains(store, t, *v)) {
                return region;
            }
            region = r.parent;
        }
        0
    }

    /// The number of a repeated term of a home region, if it is one.
    pub(crate) fn number(&self, t: TermId, home: u32) -> Option<u32> {
        let seen = if home == 0 {
            self.dense.get(t.index()).filter(|s| s.epoch == self.epoch)
        } else {
            self.sparse.get(&(t, home))
        };
        seen.map(|s| s.number).filter(|&n| n > 0)
    }

    /// The region in which child `n` of the binder `t` (of region `home`) is printed.
    pub(crate) fn inner(&self, t: TermId, home: u32, n: usize) -> u32 {
        self.opened.get(&(t, home, region_key(n))).copied().unwrap_or(home)
    }

    fn seen_mut(&mut self, t: TermId, home: u32) -> &mut Seen {
        if home != 0 {
            return self.sparse.entry((t, home)).or_default();
        }
        let seen = &mut self.dense[t.index()];
        if seen.epoch != self.epoch {
            *seen = Seen { epoch: self.epoch, count: 0, number: 0 };
        }
        seen
    }

    /// The region of child `n` of a binder; a quantifier's body and patterns share one, a match has one a case.
    fn open(&mut self, store: &Store, t: TermId, home: u32, n: usize) -> u32 {
        let op = store.op(t);
        let vars: Vec<Symbol> = if let Some(b) = op.binder() {
            store.binder(b).vars.iter().map(|v| v.0).collect()
        } else if let (Some(m), true) = (op.cases(), n > 0) {
            store.cases(m)[n - 1].vars.iter().flatten().copied().collect()
        } else {
            return home;
        };
        let key = if op.binder().is_some() { 0 } else { region_key(n) };
        if let Some(&region) = self.opened.get(&(t, home, key)) {
            return region;
        }
        let region = self.regions.len() as u32;
        self.regions.push(Region { parent: home, vars, shared: Vec::new() });
        self.opened.insert((t, home, key), region);
        region
    }
}

fn region_key(n: usize) -> u32 {
    n as u32
}

fn opens_region(kind: Kind) -> bool {
    matches!(kind, Kind::Forall | Kind::Exists | Kind::Lambda | Kind::Match)
}
