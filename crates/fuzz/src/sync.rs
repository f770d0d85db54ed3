//! Locks that outlive a panic, the user's requests to a running campaign, and the ways to end it.

use solver::process::CancelToken;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

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

/// The ways to stop the runs of a target, and to pause its campaign.
#[derive(Clone, Debug)]
pub struct Stops {
    /// The campaign's time is up: mutants still running are dropped.
    pub time: CancelToken,
    /// The user stopped it: everything is dropped.
    pub user: CancelToken,
    /// The campaign's time plus a tenth is up, wall clock or CPU, or the user stopped it: confirmations and reductions end.
    pub late: CancelToken,
    /// The user's other requests.
    pub requests: Requests,
}

impl Default for Stops {
    fn default() -> Stops {
        let user = CancelToken::new();
        Stops { time: CancelToken::new(), late: user.part(), user, requests: Requests::default() }
    }
}

impl Stops {
    /// Starts the clock of a campaign of this length, which limits its work after the end.
    pub(crate) fn begin(&self, start: Instant, length: Duration) {
        self.late.cancel_at(start + length + length / 10);
    }
}

/// Locks; the data is valid even after a panic, since every change to it is one call.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
#[path = "../tests/unit/sync.rs"]
mod tests;
