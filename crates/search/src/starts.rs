//! Initial assignments of a search, which others may extend while it runs.

use semantics::Model;
use std::sync::{Arc, Mutex, PoisonError};

/// The maximum number kept; further ones are dropped.
const MAX_STARTS: usize = 64;

/// Assignments that are almost models, or models of a similar formula. Clones share them.
#[derive(Clone, Default, Debug)]
pub struct StartingPoints(Arc<Mutex<Vec<Model>>>);

impl StartingPoints {
    /// Adds one. Symbols without a value are zero.
    pub fn add(&self, model: Model) {
        // Even after a panic the data is valid: at most one was added.
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if all.len() < MAX_STARTS {
            all.push(model);
        }
    }

    /// Returns those from number `first` on.
    pub fn since(&self, first: usize) -> Vec<Model> {
        let all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.get(first..).unwrap_or_default().to_vec()
    }
}

impl FromIterator<Model> for StartingPoints {
    fn from_iter<I: IntoIterator<Item = Model>>(models: I) -> StartingPoints {
        StartingPoints(Arc::new(Mutex::new(models.into_iter().take(MAX_STARTS).collect())))
    }
}
