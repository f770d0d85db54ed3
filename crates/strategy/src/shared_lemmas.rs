//! Lemmas of linear arithmetic: small sets of constraints that cannot hold together, for any goal. Only short ones are exchanged, as in
//! Hamadi, Jabbour and Sais, "ManySAT: a parallel SAT solver", JSAT 2009, section 3.4.

use crate::constraint::LinearConstraint;
use rustc_hash::FxHashSet;
use smtlib::Store;
use std::sync::{Arc, Mutex, PoisonError};

/// The maximum number of constraints of a lemma.
pub const LONGEST: usize = 8;
/// The maximum number of summands in a lemma.
const SUMMANDS: usize = 64;
/// The maximum number of lemmas; further ones are dropped.
const MOST: usize = 20_000;

/// Constraints that cannot hold together.
pub type Lemma = Arc<[LinearConstraint]>;

#[derive(Debug, Default)]
struct LemmaPool {
    /// The sender of each.
    lemmas: Vec<(usize, Lemma)>,
    known: FxHashSet<Lemma>,
    readers: usize,
}

/// Lemmas exchanged between runs of a strategy's engines. Clones share them.
///
/// Terms mean the same in two copies of a store only if they were made before the copy; lemmas with other terms are neither sent nor
/// received.
#[derive(Clone, Debug)]
pub struct SharedLemmas {
    pool: Arc<Mutex<LemmaPool>>,
    /// The number of terms that mean the same in all copies.
    terms: usize,
}

impl Default for SharedLemmas {
    fn default() -> SharedLemmas {
        SharedLemmas { pool: Arc::default(), terms: usize::MAX }
    }
}

impl SharedLemmas {
    /// Returns the exchange for a thread with its own copy of the store.
    pub fn in_copy_of(&self, store: &Store) -> SharedLemmas {
        SharedLemmas { pool: Arc::clone(&self.pool), terms: self.terms.min(store.len()) }
    }

    /// Returns the number of lemmas.
    pub fn len(&self) -> usize {
        self.with(|pool| pool.lemmas.len())
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns a participant, which does not receive its own lemmas.
    pub fn reader(&self) -> LemmaReader {
        let id = self.with(|pool| {
            pool.readers += 1;
            pool.readers
        });
        LemmaReader { shared: self.clone(), id, heard: 0 }
    }

    fn with<R>(&self, work: impl FnOnce(&mut LemmaPool) -> R) -> R {
        // Even after a panic the data is valid: at most one lemma was added.
        work(&mut self.pool.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Whether all symbols of a lemma mean the same in all copies.
    fn is_common(&self, lemma: &[LinearConstraint]) -> bool {
        let symbols = || lemma.iter().flat_map(|constraint| &constraint.form.summands);
        symbols().all(|(symbol, _)| symbol.index() < self.terms)
    }
}

/// A participant in the exchange.
#[derive(Clone, Debug)]
pub struct LemmaReader {
    shared: SharedLemmas,
    id: usize,
    heard: usize,
}

impl LemmaReader {
    /// Sends a lemma, if it is short. One without symbols is obvious to all.
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

    /// Returns the number of lemmas sent since the last call of `hear`.
    pub fn unheard(&self) -> usize {
        self.shared.len().saturating_sub(self.heard)
    }

    /// Returns the lemmas of others since the last call.
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
