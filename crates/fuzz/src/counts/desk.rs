//! What one worker is at, for whoever watches.

use crate::sync::lock;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// The desk of a worker. The worker writes, others read.
#[derive(Debug, Default)]
pub struct Desk {
    job: Mutex<Option<Job>>,
    given_up: AtomicBool,
}

/// A unit under way.
#[derive(Clone, Debug)]
pub struct Job {
    /// Its number.
    pub unit: u64,
    /// The position of its seed.
    pub seed: usize,
    /// The position of its solver.
    pub target: usize,
    /// The mutator, once one is chosen.
    pub mutator: Option<String>,
    /// When it began.
    pub since: Instant,
}

impl Desk {
    /// A unit begins.
    pub(crate) fn take_up(&self, unit: u64, seed: usize, target: usize) {
        *lock(&self.job) = Some(Job { unit, seed, target, mutator: None, since: Instant::now() });
        self.given_up.store(false, Ordering::Relaxed);
    }

    /// This mutator makes its mutants.
    pub(crate) fn mutator(&self, name: &str) {
        if let Some(job) = &mut *lock(&self.job) {
            job.mutator = Some(name.to_string());
        }
    }

    /// The unit is done.
    pub(crate) fn leave(&self) {
        *lock(&self.job) = None;
    }

    /// The unit under way; none between units.
    pub fn job(&self) -> Option<Job> {
        lock(&self.job).clone()
    }

    /// The unit under way ends soon, if it is about this seed.
    pub(crate) fn give_up(&self, seed: usize) {
        if lock(&self.job).as_ref().is_some_and(|job| job.seed == seed) {
            self.given_up.store(true, Ordering::Relaxed);
        }
    }

    /// Whether the unit under way shall send nothing more.
    pub(crate) fn is_given_up(&self) -> bool {
        self.given_up.load(Ordering::Relaxed)
    }
}
