//! Where a search begins: assignments from outside, to which others may add while it runs.

use semantics::Model;
use std::sync::{Arc, Mutex, PoisonError};

/// The most that are kept; further ones are dropped.
const MAX_STARTS: usize = 64;

/// Assignments that are models, nearly, or of a similar formula. Clones share them.
#[derive(Clone, Default, Debug)]
pub struct StartingPoints(Arc<Mutex<Vec<Model>>>);

impl StartingPoints {
    /// Adds one. Symbols that it does not give a value are zero.
    pub fn add(&self, model: Model) {
        // A thread that panicked while it held the lock has at most added one.
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if all.len() < MAX_STARTS {
            all.push(model);
        }
    }

    /// Those from number `first` on.
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
