//! The state of every pair of seed and solver: visits, uses, and whether it is skipped from now on.

use crate::schedule::unit::PairVerdict;
use serde::{Deserialize, Serialize};
use std::cmp::Ordering;

/// A pass over the pairs of seed and solver: it ends when each active pair was visited once more.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct SchedulePass {
    /// Its number, from 1.
    pub number: u64,
    /// The number of pairs visited in it.
    pub done: usize,
    /// The number of active pairs.
    pub pairs: usize,
}

/// A pair that yields no answer in this number of units in a row is skipped from then on.
const MAX_FAILURES: u8 = 3;
/// The number of units of a solver without an answer to a generated problem, in a row, after which they count as failures of their pairs.
const MAX_BARREN: u32 = 50;

/// One pair.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct SeedSolverPair {
    /// Units given out.
    pub visits: u64,
    /// Units without any use since the last answer, up to `MAX_FAILURES`: then the pair is skipped.
    pub failures: u8,
    /// The kinds of answers seen so far, one bit each.
    pub seen: u16,
    /// The cost of its units, discounted, in thousandths.
    pub cost: u64,
    /// Their yield, discounted, in thousandths.
    pub reward: u64,
}

/// All pairs, by the seed's position and then the solver's.
#[derive(Clone, Debug)]
pub struct Pairs {
    targets: usize,
    pairs: Vec<SeedSolverPair>,
    given_up: usize,
    /// The number of units of each solver without an answer to a generated problem, since its last answer. A solver that has answered
    /// nothing starts at `MAX_BARREN`, so its first such unit counts.
    barren: Vec<u32>,
}

impl Pairs {
    /// Makes pairs without knowledge.
    pub fn new(seeds: usize, targets: usize) -> Pairs {
        let targets = targets.max(1);
        let pairs = vec![SeedSolverPair::default(); seeds * targets];
        Pairs { targets, pairs, given_up: 0, barren: vec![MAX_BARREN; targets] }
    }

    /// Restores earlier knowledge. Invalid positions are ignored.
    pub fn restore(&mut self, rows: impl IntoIterator<Item = (usize, usize, SeedSolverPair)>) {
        for (seed, target, pair) in rows {
            if target < self.targets && seed * self.targets + target < self.pairs.len() {
                let before = std::mem::replace(&mut self.pairs[seed * self.targets + target], pair);
                self.given_up += usize::from(pair.is_given_up());
                self.given_up -= usize::from(before.is_given_up());
                if pair.seen != 0 {
                    self.barren[target] = 0;
                }
            }
        }
    }

    /// Returns the number of pairs.
    pub fn len(&self) -> usize {
        self.pairs.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.pairs.is_empty()
    }

    /// Returns a pair by its index.
    pub fn at(&self, place: usize) -> &SeedSolverPair {
        &self.pairs[place]
    }

    /// Returns the seed and the solver of an index.
    pub fn of_place(&self, place: usize) -> (usize, usize) {
        (place / self.targets, place % self.targets)
    }

    /// Returns the index of a pair.
    pub fn place(&self, seed: usize, target: usize) -> usize {
        seed * self.targets + target
    }

    /// Returns a pair.
    pub fn get(&self, seed: usize, target: usize) -> &SeedSolverPair {
        &self.pairs[seed * self.targets + target]
    }

    /// Returns a pair for changes other than failures.
    pub fn get_mut(&mut self, seed: usize, target: usize) -> &mut SeedSolverPair {
        &mut self.pairs[seed * self.targets + target]
    }

    /// Whether nothing is left to visit.
    pub fn is_all_given_up(&self) -> bool {
        self.given_up >= self.pairs.len()
    }

    /// Returns the progress of the pass: all active pairs were visited at least `number - 1` times, and `done` of them once more.
    pub fn pass(&self) -> SchedulePass {
        let (mut least, mut at_least, mut pairs) = (u64::MAX, 0, 0);
        for pair in self.pairs.iter().filter(|pair| !pair.is_given_up()) {
            pairs += 1;
            match pair.visits.cmp(&least) {
                Ordering::Less => (least, at_least) = (pair.visits, 1),
                Ordering::Equal => at_least += 1,
                Ordering::Greater => {}
            }
        }
        match pairs {
            0 => SchedulePass::default(),
            _ => SchedulePass { number: least.saturating_add(1), done: pairs - at_least, pairs },
        }
    }

    /// Applies a unit's verdict. Returns true if it makes a pair skipped.
    pub fn judge(&mut self, seed: usize, target: usize, verdict: &PairVerdict) -> bool {
        match verdict {
            PairVerdict::Useful => false,
            // The problems of one pair are like those of all others: some problems without an answer say nothing about the next.
            PairVerdict::NoProblem(_) => {
                self.barren[target] = self.barren[target].saturating_add(1);
                self.barren[target] > MAX_BARREN && self.fail(seed, target, 1)
            }
            PairVerdict::Failed(_) => self.fail(seed, target, 1),
            PairVerdict::NotForSolver(_) => self.fail(seed, target, MAX_FAILURES),
            // Every one of them, not only up to the first newly skipped one.
            PairVerdict::ForNobody(_) => {
                (0..self.targets).filter(|&target| self.fail(seed, target, MAX_FAILURES)).count() > 0
            }
        }
    }

    /// Records that the solver answered in a unit of the pair: earlier failures count no longer.
    pub fn answered(&mut self, seed: usize, target: usize) {
        self.barren[target] = 0;
        let pair = self.get_mut(seed, target);
        pair.failures = if pair.is_given_up() { pair.failures } else { 0 };
    }

    fn fail(&mut self, seed: usize, target: usize, failures: u8) -> bool {
        let pair = self.get_mut(seed, target);
        let before = pair.is_given_up();
        pair.failures = pair.failures.saturating_add(failures).min(MAX_FAILURES);
        let now = !before && pair.is_given_up();
        self.given_up += usize::from(now);
        now
    }
}

impl SeedSolverPair {
    /// Whether the pair is skipped.
    pub fn is_given_up(&self) -> bool {
        self.failures >= MAX_FAILURES
    }
}
