//! Walks over term graphs without recursion: rebuilds bottom-up, and visits each subterm once.

use crate::settings::{PassError, PassMeter};
use rustc_hash::{FxHashMap, FxHashSet};
use smtlib::{Store, TermId};

/// A map from terms to terms. Passes make many small ones, so its size depends on its contents, not on the store.
#[derive(Clone, Default, Debug)]
pub struct TermMap {
    images: FxHashMap<TermId, TermId>,
}

impl TermMap {
    /// Returns the image of a term, if it has one.
    pub fn get(&self, t: TermId) -> Option<TermId> {
        self.images.get(&t).copied()
    }

    /// Sets the image of a term.
    pub fn insert(&mut self, t: TermId, image: TermId) {
        self.images.insert(t, image);
    }
}

/// A set of terms, with size proportional to its contents.
#[derive(Clone, Default, Debug)]
pub struct TermSet {
    terms: FxHashSet<TermId>,
}

impl TermSet {
    /// Whether a term is in the set.
    pub fn contains(&self, t: TermId) -> bool {
        self.terms.contains(&t)
    }

    /// Adds a term; returns whether it is new.
    pub fn insert(&mut self, t: TermId) -> bool {
        self.terms.insert(t)
    }
}

/// Visits every subterm of the roots once, parents before the children under which they are first met.
pub fn visit(store: &Store, roots: impl IntoIterator<Item = TermId>, mut see: impl FnMut(TermId)) {
    let mut seen = TermSet::default();
    let mut stack: Vec<TermId> = roots.into_iter().collect();
    stack.reverse();
    while let Some(t) = stack.pop() {
        if !seen.insert(t) {
            continue;
        }
        see(t);
        stack.extend(store.args(t).iter().rev());
    }
}

/// Whether the roots have more than `most` different subterms, including themselves.
pub fn has_more_than(store: &Store, roots: &[TermId], most: usize) -> bool {
    let (mut seen, mut count) = (TermSet::default(), 0);
    let mut stack = roots.to_vec();
    while let Some(t) = stack.pop() {
        if seen.insert(t) {
            count += 1;
            if count > most {
                return true;
            }
            stack.extend(store.args(t));
        }
    }
    false
}

/// Returns every subterm of the roots once, children before parents, which is the order of ids.
pub fn bottom_up(store: &Store, roots: impl IntoIterator<Item = TermId>) -> Vec<TermId> {
    let mut all = Vec::new();
    visit(store, roots, |t| all.push(t));
    all.sort_unstable();
    all
}

/// Rebuilds terms bottom-up with some parts replaced, with a cache across roots.
#[derive(Clone, Default, Debug)]
pub struct Rebuild {
    done: TermMap,
}

impl Rebuild {
    /// Sets a term's image beforehand: it is not traversed.
    pub fn preset(&mut self, t: TermId, image: TermId) {
        self.done.insert(t, image);
    }

    /// Rebuilds `root`, calling `change` for every subterm: it gets the subterm with rebuilt children and returns the replacement, of the
    /// same sort, or the subterm itself.
    /// Errors: the errors of `change`, and of [`PassMeter::tick`]: too many terms were made, or the time is up.
    pub fn run(
        &mut self,
        store: &mut Store,
        root: TermId,
        watch: &mut PassMeter<'_>,
        mut change: impl FnMut(&mut Store, TermId) -> Result<TermId, PassError>,
    ) -> Result<TermId, PassError> {
        let mut stack = vec![root];
        let mut args = Vec::new();
        while let Some(&t) = stack.last() {
            if self.done.get(t).is_some() {
                stack.pop();
                continue;
            }
            let before = stack.len();
            stack.extend(store.args(t).iter().filter(|&&a| self.done.get(a).is_none()));
            if stack.len() > before {
                continue;
            }
            stack.pop();
            watch.tick(store)?;
            args.clear();
            args.extend(store.args(t).iter().map(|&a| self.done.get(a).unwrap_or(a)));
            let rebuilt = store.with_args(t, &args);
            let image = change(store, rebuilt)?;
            self.done.insert(t, image);
        }
        Ok(self.done.get(root).unwrap_or(root))
    }
}
