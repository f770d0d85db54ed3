//! Counts of work and answers, and the live status of worker threads.

pub mod answer_counts;
pub mod error_texts;
pub mod stats;
pub mod untested;

use crate::sync::lock;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// The status of a worker. The worker writes it, others read it.
#[derive(Debug, Default)]
pub struct WorkerStatus {
    unit: Mutex<Option<ActiveUnit>>,
    given_up: AtomicBool,
}

/// A unit in progress.
#[derive(Clone, Debug)]
pub struct ActiveUnit {
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

impl WorkerStatus {
    /// Called at the start of a unit.
    pub(crate) fn begin(&self, unit: u64, seed: usize, target: usize) {
        *lock(&self.unit) = Some(ActiveUnit { unit, seed, target, mutator: None, since: Instant::now() });
        self.given_up.store(false, Ordering::Relaxed);
    }

    /// Sets the mutator of the current mutants.
    pub(crate) fn mutator(&self, name: &str) {
        if let Some(unit) = &mut *lock(&self.unit) {
            unit.mutator = Some(name.to_string());
        }
    }

    /// Called at the end of a unit.
    pub(crate) fn end(&self) {
        *lock(&self.unit) = None;
    }

    /// Returns the unit in progress; `None` between units.
    pub fn unit(&self) -> Option<ActiveUnit> {
        lock(&self.unit).clone()
    }

    /// Makes the unit in progress end soon, if it uses this seed.
    pub(crate) fn give_up(&self, seed: usize) {
        if lock(&self.unit).as_ref().is_some_and(|unit| unit.seed == seed) {
            self.given_up.store(true, Ordering::Relaxed);
        }
    }

    /// Whether the unit in progress must send nothing more.
    pub(crate) fn is_given_up(&self) -> bool {
        self.given_up.load(Ordering::Relaxed)
    }
}
