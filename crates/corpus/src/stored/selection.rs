//! Which seeds of many are kept: those that have what the others lack, small ones first.

use rustc_hash::FxHashMap;
use std::cmp::Ordering;
use std::collections::BinaryHeap;

/// A seed of this many bytes costs twice as much as a tiny one.
const DOUBLE_COST: f64 = 4096.0;
/// The worth of a cause of wrong answers found with a seed, in features that no other seed has.
const CAUSE_WORTH: f64 = 1000.0;

/// What a selection needs to know of a seed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Weighed<'a> {
    /// See [`SeedShape::features`](super::shape::SeedShape::features).
    pub(super) features: &'a [u64],
    /// Its size.
    pub(super) bytes: u64,
    /// Causes found with it.
    pub(super) causes: u64,
}

/// A seed with its worth at the last evaluation.
struct Ranked {
    worth: f64,
    at: usize,
}

impl PartialEq for Ranked {
    fn eq(&self, other: &Ranked) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Ranked {}

impl PartialOrd for Ranked {
    fn partial_cmp(&self, other: &Ranked) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Ranked {
    fn cmp(&self, other: &Ranked) -> Ordering {
        // Ties go to the first.
        self.worth.total_cmp(&other.worth).then(other.at.cmp(&self.at))
    }
}

/// Returns the positions of at most `count` seeds, the most valuable first; `is_fit` may reject each.
///
/// Greedy: the next seed is the one whose features are rarest among those chosen, relative to its size. A feature that n chosen seeds
/// have is worth 2^-n. Worths only fall, so a seed that is still the highest after recomputation is the highest of all.
pub(super) fn select(seeds: &[Weighed<'_>], count: usize, mut is_fit: impl FnMut(usize) -> bool) -> Vec<usize> {
    let mut chosen_with: FxHashMap<u64, i32> = FxHashMap::default();
    let worth = |seed: &Weighed<'_>, chosen_with: &FxHashMap<u64, i32>| {
        let features = seed.features.iter().map(|f| 0.5f64.powi(chosen_with.get(f).copied().unwrap_or(0)));
        features.sum::<f64>() / (1.0 + seed.bytes as f64 / DOUBLE_COST) + CAUSE_WORTH * seed.causes as f64
    };
    let mut heap: BinaryHeap<Ranked> =
        seeds.iter().enumerate().map(|(at, seed)| Ranked { worth: worth(seed, &chosen_with), at }).collect();
    let mut chosen = Vec::new();
    while chosen.len() < count {
        let Some(best) = heap.pop() else { break };
        let now = worth(&seeds[best.at], &chosen_with);
        if heap.peek().is_some_and(|next| now < next.worth) {
            heap.push(Ranked { worth: now, ..best });
            continue;
        }
        if is_fit(best.at) {
            chosen.push(best.at);
            seeds[best.at].features.iter().for_each(|f| *chosen_with.entry(*f).or_default() += 1);
        }
    }
    chosen
}

#[cfg(test)]
#[path = "../../tests/unit/selection.rs"]
mod tests;
