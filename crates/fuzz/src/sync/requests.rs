//! What a user asks of a campaign while it runs: to pause, to go on, to leave a seed alone.

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
    /// Lets the campaign begin no new unit (units under way come to their end), or go on. The clock of `--for` runs on.
    pub fn pause(&self, paused: bool) {
        self.asked.paused.store(paused, Ordering::Relaxed);
    }

    /// Whether no new unit shall begin.
    pub fn is_paused(&self) -> bool {
        self.asked.paused.load(Ordering::Relaxed)
    }

    /// Gives a seed up, by its position: for all solvers, and for good in this campaign's folder.
    pub fn skip(&self, seed: usize) {
        lock(&self.asked.skips).push(seed);
    }

    /// The seeds to be given up since this was last asked.
    pub(crate) fn take_skips(&self) -> Vec<usize> {
        std::mem::take(&mut *lock(&self.asked.skips))
    }
}
