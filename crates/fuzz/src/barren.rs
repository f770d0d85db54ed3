//! Pairs of seed and solver that give nothing and are not visited again.

use crate::plan::Slot;
use std::sync::atomic::{AtomicU8, AtomicUsize, Ordering};

/// After so many units without any use a pair is given up.
const STRIKES: u8 = 3;

/// The state of every pair.
#[derive(Debug)]
pub(crate) struct Barren {
    targets: usize,
    strikes: Vec<AtomicU8>,
    given_up: AtomicUsize,
}

impl Barren {
    pub(crate) fn new(seeds: usize, targets: usize) -> Barren {
        Barren {
            targets,
            strikes: (0..seeds * targets).map(|_| AtomicU8::new(0)).collect(),
            given_up: AtomicUsize::new(0),
        }
    }

    pub(crate) fn is_barren(&self, slot: Slot) -> bool {
        self.strikes[slot.seed * self.targets + slot.target].load(Ordering::Relaxed) >= STRIKES
    }

    /// Whether nothing is left to visit.
    pub(crate) fn is_all(&self) -> bool {
        self.given_up.load(Ordering::Relaxed) >= self.strikes.len()
    }

    /// A unit of this pair was of no use. True if the pair is given up because of it.
    pub(crate) fn strike(&self, seed: usize, target: usize) -> bool {
        self.add(seed, target, 1)
    }

    /// Gives a pair up at once. True if it was not before.
    pub(crate) fn give_up(&self, seed: usize, target: usize) -> bool {
        self.add(seed, target, STRIKES)
    }

    fn add(&self, seed: usize, target: usize, strikes: u8) -> bool {
        let cell = &self.strikes[seed * self.targets + target];
        let before = cell
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |n| Some(n.saturating_add(strikes).min(STRIKES)))
            .unwrap_or(STRIKES);
        let now = before < STRIKES && before + strikes >= STRIKES;
        if now {
            self.given_up.fetch_add(1, Ordering::Relaxed);
        }
        now
    }
}
