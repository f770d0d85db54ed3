//! Lemmas of linear arithmetic: a few constraints that cannot hold together, whatever the goal. Only short ones are told, as in Hamadi,
//! Jabbour and Sais, "ManySAT: a parallel SAT solver", JSAT 2009, section 3.4.

use crate::constraint::LinearConstraint;
use rustc_hash::FxHashSet;
use smtlib::Store;
use std::sync::{Arc, Mutex, PoisonError};

/// The most constraints of a lemma.
pub const LONGEST: usize = 8;
/// The most summands of all constraints of a lemma.
const SUMMANDS: usize = 64;
/// The most lemmas that are kept; further ones are dropped.
const MOST: usize = 20_000;

/// Constraints that cannot hold together.
pub type Lemma = Arc<[LinearConstraint]>;

#[derive(Debug, Default)]
struct LemmaPool {
    /// By whom each was told.
    lemmas: Vec<(usize, Lemma)>,
    known: FxHashSet<Lemma>,
    readers: usize,
}

/// Lemmas that runs of a strategy's engines tell each other. Clones share them.
///
/// Terms mean the same in two copies of a store only if they were made before the copy; what speaks of others is neither told nor heard.
#[derive(Clone, Debug)]
pub struct SharedLemmas {
    pool: Arc<Mutex<LemmaPool>>,
    /// So many terms mean the same to all.
    terms: usize,
}

impl Default for SharedLemmas {
    fn default() -> SharedLemmas {
        SharedLemmas { pool: Arc::default(), terms: usize::MAX }
    }
}

impl SharedLemmas {
    /// The same for a thread that has a copy of the store of its own.
    pub fn in_copy_of(&self, store: &Store) -> SharedLemmas {
        SharedLemmas { pool: Arc::clone(&self.pool), terms: self.terms.min(store.len()) }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.with(|pool| pool.lemmas.len())
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Someone who tells and hears lemmas, and hears none of his own.
    pub fn reader(&self) -> LemmaReader {
        let id = self.with(|pool| {
            pool.readers += 1;
            pool.readers
        });
        LemmaReader { shared: self.clone(), id, heard: 0 }
    }

    fn with<R>(&self, work: impl FnOnce(&mut LemmaPool) -> R) -> R {
        // A thread that panicked while it held the lock has at most added one lemma.
        work(&mut self.pool.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Whether all of a lemma's symbols mean the same to all.
    fn is_common(&self, lemma: &[LinearConstraint]) -> bool {
        let symbols = || lemma.iter().flat_map(|constraint| &constraint.form.summands);
        symbols().all(|(symbol, _)| symbol.index() < self.terms)
    }
}

/// Someone who tells and hears lemmas.
#[derive(Clone, Debug)]
pub struct LemmaReader {
    shared: SharedLemmas,
    id: usize,
    heard: usize,
}

impl LemmaReader {
    /// Tells a lemma, if it is short. One without symbols everyone sees alone.
    pub fn tell(&self, lemma: Vec<LinearConstraint>) {
        let summands: usize = lemma.iter().map(|constraint| constraint.form.summands.len()).sum();
        let is_short = lemma.len() <= LONGEST && (1..=SUMMANDS).contains(&summands);
        if !is_short || !self.shared.is_common(&lemma) {
            return;
        }
        let lemma: Lemma = lemma.into();
        self.shared.with(|pool| {
            if pool.lemmas.len() < MOST && pool.known.insert(Arc::clone(&lemma)) {
                pool.lemmas.push((self.id, lemma));
            }
        });
    }

    /// How many lemmas of all were told since the last were heard.
    pub fn unheard(&self) -> usize {
        self.shared.len().saturating_sub(self.heard)
    }

    /// The lemmas of others since the last time.
    pub fn hear(&mut self) -> Vec<Lemma> {
        let new: Vec<(usize, Lemma)> = self.shared.with(|pool| {
            let new = pool.lemmas.get(self.heard..).unwrap_or_default().to_vec();
            self.heard = pool.lemmas.len();
            new
        });
        new.into_iter()
            .filter(|(by, lemma)| *by != self.id && self.shared.is_common(lemma))
            .map(|(_, lemma)| lemma)
            .collect()
    }
}
