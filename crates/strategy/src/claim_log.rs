//! Clauses that engines find on the way to a refutation.

use smtlib::{Store, TermId};
use std::sync::{Arc, Mutex, PoisonError};

/// Clauses that are valid independently of the goal: the rule, and the clause.
pub type TheoryClauses = Vec<(&'static str, TermId)>;

/// Receives the clauses that an engine finds. Clones share it.
#[derive(Clone, Debug, Default)]
pub struct ClaimLog(Arc<Mutex<TheoryClauses>>);

impl ClaimLog {
    /// The maximum number of clauses kept per application of an engine.
    const MOST: usize = 10_000;

    /// Records that these literals exclude each other.
    pub fn exclude(&self, store: &mut Store, rule: &'static str, literals: impl IntoIterator<Item = (TermId, bool)>) {
        let mut log = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if log.len() < Self::MOST {
            let literals: Vec<TermId> =
                literals.into_iter().map(|(atom, holds)| if holds { store.not(atom) } else { atom }).collect();
            log.push((rule, store.or(&literals)));
        }
    }

    /// Takes all clauses.
    pub fn take(&self) -> TheoryClauses {
        std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}
