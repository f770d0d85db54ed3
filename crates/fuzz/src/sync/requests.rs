//! The user's requests to a running campaign: pause, continue, skip a seed.

use crate::sync::lock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

/// A handle on a running campaign. All clones are the same handle.
#[derive(Clone, Debug, Default)]
pub struct Requests {
    asked: Arc<RequestState>,
}

#[derive(Debug, Default)]
struct RequestState {
    paused: AtomicBool,
    skips: Mutex<Vec<usize>>,
}

impl Requests {
    /// Pauses the start of new units (units in progress are completed), or continues. The clock of `--for` keeps running.
    pub fn pause(&self, paused: bool) {
        self.asked.paused.store(paused, Ordering::Relaxed);
    }

    /// Whether no new unit may begin.
    pub fn is_paused(&self) -> bool {
        self.asked.paused.load(Ordering::Relaxed)
    }

    /// Skips a seed, given by position, for all solvers and permanently in this campaign's folder.
    pub fn skip(&self, seed: usize) {
        lock(&self.asked.skips).push(seed);
    }

    /// Returns the seeds to skip since the last call.
    pub(crate) fn take_skips(&self) -> Vec<usize> {
        std::mem::take(&mut *lock(&self.asked.skips))
    }
}
