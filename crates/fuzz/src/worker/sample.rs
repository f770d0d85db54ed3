//! A random sample of the mutants that a campaign makes.

use crate::sync::lock;
use std::collections::BTreeMap;
use std::sync::Mutex;

/// A mutant as it is sent to its own process.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SampledMutant {
    /// The script.
    pub text: String,
    /// The number of its checks.
    pub checks: usize,
    /// The options drawn for the command line.
    pub options: Vec<String>,
}

/// Keeps the mutants that draw the smallest numbers. So the sample is uniform, and independent of the order of workers.
#[derive(Default)]
pub(crate) struct MutantSample {
    size: usize,
    kept: Mutex<BTreeMap<u64, SampledMutant>>,
}

impl MutantSample {
    /// Makes an empty sample of at most `size` mutants.
    pub(crate) fn new(size: usize) -> MutantSample {
        MutantSample { size, kept: Mutex::default() }
    }

    /// Offers the mutant that drew a number.
    pub(crate) fn offer(&self, drawn: u64, mutant: impl FnOnce() -> SampledMutant) {
        let mut kept = lock(&self.kept);
        if kept.len() < self.size || kept.last_key_value().is_some_and(|(last, _)| drawn < *last) {
            kept.insert(drawn, mutant());
            if kept.len() > self.size {
                kept.pop_last();
            }
        }
    }

    /// Takes the sample.
    pub(crate) fn take(&self) -> Vec<SampledMutant> {
        std::mem::take(&mut *lock(&self.kept)).into_values().collect()
    }
}
