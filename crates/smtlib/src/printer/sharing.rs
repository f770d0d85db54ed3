//! Which subterms a printed term repeats, and where each is bound by `let`.
//!
//! A repeated subterm is bound in its *home region*: the innermost enclosing binder that binds one of its free variables, or
//! the whole term. Regions form a tree; region 0 is the whole term.

use crate::constant::Constant;
use crate::free_vars::FreeVars;
use crate::name_set::NameSet;
use crate::op::Kind;
use crate::symbol::Symbol;
use crate::term::{HAS_BINDER, HAS_VARIABLE, Store, TermId};
use dashu_int::ops::BitTest;
use rustc_hash::FxHashMap;

/// The bits of a number, and the characters of a string, above which a literal is long.
const LONG_BITS: usize = 1 << 13;

/// Which terms are bound by `let`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum LetUse {
    /// Repeated ones, including long literals.
    #[default]
    Repeated,
    /// None, so that the text may be exponentially longer.
    Never,
    /// All with arguments. Some solvers do not accept patterns of quantifiers like that.
    Always,
}

/// A scope that can hold `let` bindings.
pub(crate) struct Region {
    parent: u32,
    /// Its nesting depth.
    depth: u32,
    vars: Vec<Symbol>,
    /// The former bindings of its variables' names, while it is entered.
    hidden: Vec<u32>,
    /// Repeated terms to bind here, children before parents.
    pub(crate) shared: Vec<TermId>,
}

#[derive(Clone, Copy, Default)]
struct SharingEntry {
    /// The analysis that wrote this entry; older ones count as absent.
    epoch: u32,
    count: u32,
    /// For a repeated term its number, from 1; otherwise 0.
    number: u32,
}

/// The remaining visits, last first.
enum VisitStep {
    Visit(TermId, u32),
    /// All children are visited.
    Done(TermId, u32),
    Enter(u32),
    Leave(u32),
}

/// The result of the analysis of one term, with reusable tables.
#[derive(Default)]
pub(crate) struct Sharing {
    epoch: u32,
    dense: Vec<SharingEntry>,
    sparse: FxHashMap<(TermId, u32), SharingEntry>,
    /// The regions that a binder or match opens: one per body, by (term, home, child number).
    opened: FxHashMap<(TermId, u32, u32), u32>,
    pub(crate) regions: Vec<Region>,
    /// The innermost entered region that binds a name; 0 for none.
    bound: FxHashMap<Symbol, u32>,
    free: FreeVars,
    stack: Vec<VisitStep>,
    order: Vec<(TermId, u32)>,
    numbers: u32,
    /// Which terms are bound.
    pub(crate) lets: LetUse,
}

impl Sharing {
    /// Finds what `root` repeats.
    pub(crate) fn analyse(&mut self, store: &Store, root: TermId) {
        self.epoch = self.epoch.wrapping_add(1);
        if self.epoch == 0 {
            self.dense.clear();
            self.epoch = 2;
        }
        if self.is_dense() && self.dense.len() < store.len() {
            self.dense.resize(store.len(), SharingEntry::default());
        }
        self.numbers = 0;
        self.sparse.clear();
        self.opened.clear();
        self.bound.clear();
        self.regions.clear();
        self.regions.push(Region { parent: 0, depth: 0, vars: Vec::new(), hidden: Vec::new(), shared: Vec::new() });
        self.order.clear();
        self.stack.push(VisitStep::Visit(root, 0));
        while let Some(step) = self.stack.pop() {
            match step {
                VisitStep::Visit(t, region) => self.visit(store, t, region),
                VisitStep::Done(t, home) => self.order.push((t, home)),
                VisitStep::Enter(region) => self.enter(region),
                VisitStep::Leave(region) => self.leave(region),
            }
        }
        for n in 0..self.order.len() {
            let (t, home) = self.order[n];
            let numbers = self.numbers + 1;
            let lets = self.lets;
            let seen = self.seen_mut(t, home);
            let is_bound = match lets {
                LetUse::Repeated => seen.count > 1,
                LetUse::Never => false,
                LetUse::Always => true,
            };
            if is_bound {
                seen.number = numbers;
                self.numbers = numbers;
                self.regions[home as usize].shared.push(t);
            }
        }
    }

    fn visit(&mut self, store: &Store, t: TermId, region: u32) {
        let args = store.args(t);
        if args.is_empty() && !is_long(store, t) {
            return;
        }
        let home = self.home(store, t, region);
        let seen = self.seen_mut(t, home);
        seen.count += 1;
        if seen.count > 1 {
            return;
        }
        self.stack.push(VisitStep::Done(t, home));
        let kind = store.kind(t);
        if store.flags(t) & HAS_BINDER == 0 || !opens_region(kind) {
            self.stack.extend(args.iter().rev().map(|&a| VisitStep::Visit(a, home)));
            return;
        }
        if let Some(m) = store.op(t).cases() {
            for (n, case) in store.cases(m).iter().enumerate().rev() {
                let vars = case.vars.iter().flatten().copied().collect();
                let inner = self.open(t, home, n + 1, vars);
                self.stack.extend([
                    VisitStep::Leave(inner),
                    VisitStep::Visit(args[n + 1], inner),
                    VisitStep::Enter(inner),
                ]);
            }
            self.stack.push(VisitStep::Visit(args[0], home));
        } else if let Some(b) = store.op(t).binder() {
            if store.args(t).len() > 1 && has_plain_patterns(store, t) {
                for n in (0..args.len()).rev() {
                    let inner = self.open(t, home, n, store.binder(b).vars.iter().map(|v| v.0).collect());
                    self.stack.extend([
                        VisitStep::Leave(inner),
                        VisitStep::Visit(args[n], inner),
                        VisitStep::Enter(inner),
                    ]);
                }
                return;
            }
            let inner = self.open(t, home, 0, store.binder(b).vars.iter().map(|v| v.0).collect());
            self.stack.push(VisitStep::Leave(inner));
            self.stack.extend(args.iter().rev().map(|&a| VisitStep::Visit(a, inner)));
            self.stack.push(VisitStep::Enter(inner));
        }
    }

    /// Enters a region: binds its variables.
    pub(crate) fn enter(&mut self, region: u32) {
        let r = &mut self.regions[region as usize];
        r.hidden.clear();
        for &v in &r.vars {
            r.hidden.push(self.bound.insert(v, region).unwrap_or(0));
        }
    }

    /// Undoes [`Sharing::enter`].
    pub(crate) fn leave(&mut self, region: u32) {
        let r = &mut self.regions[region as usize];
        while let Some(outer) = r.hidden.pop() {
            self.bound.insert(r.vars[r.hidden.len()], outer);
        }
    }

    /// Returns the home region of `t`, found in the entered `region`: the innermost that binds one of its free variables.
    pub(crate) fn home(&mut self, store: &Store, t: TermId, region: u32) -> u32 {
        if region == 0 || store.flags(t) & HAS_VARIABLE == 0 {
            return 0;
        }
        let set = self.free.set(store, t);
        if set == NameSet::EMPTY {
            return 0;
        }
        let pool = self.free.pool();
        // The bound variables from the inside out: usually the first matches. If there are many of them and few free
        // names, each name is looked up instead.
        let mut asked = 0;
        let mut at = region;
        while at != 0 {
            let r = &self.regions[at as usize];
            asked += r.vars.len();
            if asked > 2 * pool.len(set) {
                break;
            }
            if r.vars.iter().any(|&v| pool.contains(set, v)) {
                return at;
            }
            at = r.parent;
        }
        let mut home = 0;
        pool.any(set, &mut |name| {
            let bound = self.bound.get(&name).copied().unwrap_or(0);
            if self.regions[bound as usize].depth > self.regions[home as usize].depth {
                home = bound;
            }
            home == at
        });
        home
    }

    /// Returns the number of a repeated term of a home region, if it is one.
    pub(crate) fn number(&self, t: TermId, home: u32) -> Option<u32> {
        let seen = if home == 0 && self.is_dense() {
            self.dense.get(t.index()).filter(|s| s.epoch == self.epoch)
        } else {
            self.sparse.get(&(t, home))
        };
        seen.map(|s| s.number).filter(|&n| n > 0)
    }

    /// Returns the region in which child `n` of the binder or match `t` (of region `home`) is printed.
    pub(crate) fn inner(&self, t: TermId, home: u32, n: usize) -> u32 {
        self.opened.get(&(t, home, n as u32)).copied().unwrap_or(home)
    }

    /// Whether the whole term's entries are in the table of the store's size. That table pays from the second analysis on: a small term
    /// that is printed once would otherwise cost as much as its store is large.
    fn is_dense(&self) -> bool {
        self.epoch > 1
    }

    fn seen_mut(&mut self, t: TermId, home: u32) -> &mut SharingEntry {
        if home != 0 || !self.is_dense() {
            return self.sparse.entry((t, home)).or_default();
        }
        let seen = &mut self.dense[t.index()];
        if seen.epoch != self.epoch {
            *seen = SharingEntry { epoch: self.epoch, count: 0, number: 0 };
        }
        seen
    }

    fn open(&mut self, t: TermId, home: u32, n: usize, vars: Vec<Symbol>) -> u32 {
        let region = self.regions.len() as u32;
        let depth = self.regions[home as usize].depth + 1;
        self.regions.push(Region { parent: home, depth, vars, hidden: Vec::new(), shared: Vec::new() });
        self.opened.insert((t, home, n as u32), region);
        region
    }
}

/// Whether body and patterns of a quantifier are separate regions, since one solver accepts no `:pattern` under a `let`.
///
/// Patterns with binders, which no solver can use, could make the text exponential in their depth; then body and patterns share one region.
pub(crate) fn has_plain_patterns(store: &Store, t: TermId) -> bool {
    store.args(t).iter().skip(1).all(|&p| store.flags(p) & HAS_BINDER == 0)
}

/// Whether a literal is long enough to bind: a numeral of many digits takes more than linear time to write and to read.
fn is_long(store: &Store, t: TermId) -> bool {
    match store.constant(t) {
        Some(Constant::Int(n)) => n.bit_len() > LONG_BITS,
        Some(Constant::Real(r)) => r.numerator().bit_len().max(r.denominator().bit_len()) > LONG_BITS,
        Some(Constant::BitVec { value, .. } | Constant::FieldElement { value, .. }) => value.bit_len() > LONG_BITS,
        Some(Constant::String(points)) => points.len() > LONG_BITS,
        None => false,
    }
}

fn opens_region(kind: Kind) -> bool {
    matches!(kind, Kind::Forall | Kind::Exists | Kind::Lambda | Kind::Match)
}
