//! Clauses that engines find on the way to a refutation.

use smtlib::{Store, TermId};
use std::sync::{Arc, Mutex, PoisonError};

/// Clauses that an engine found to hold whatever the goal is: the rule, and the clause.
pub type TheoryClauses = Vec<(&'static str, TermId)>;

/// Where an engine puts what it finds on the way. Clones share it.
#[derive(Clone, Debug, Default)]
pub struct ClaimLog(Arc<Mutex<TheoryClauses>>);

impl ClaimLog {
    /// The most clauses that are kept of one application of an engine.
    const MOST: usize = 10_000;

    /// Adds that these literals exclude each other.
    pub fn exclude(&self, store: &mut Store, rule: &'static str, literals: impl IntoIterator<Item = (TermId, bool)>) {
        let mut log = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if log.len() < Self::MOST {
            let literals: Vec<TermId> =
                literals.into_iter().map(|(atom, holds)| if holds { store.not(atom) } else { atom }).collect();
            log.push((rule, store.or(&literals)));
        }
    }

    /// Takes all out.
    pub fn take(&self) -> TheoryClauses {
        std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}
