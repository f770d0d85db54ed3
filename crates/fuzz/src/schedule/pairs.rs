//! What is known of every pair of seed and solver: visits, uses, and whether it is given up.

use crate::schedule::unit::PairVerdict;
use serde::{Deserialize, Serialize};
use std::cmp::Ordering;

/// A pass over the pairs of seed and solver: it ends when each that is not given up was visited once more.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct SchedulePass {
    /// Its number, from 1.
    pub number: u64,
    /// Pairs that were visited in it.
    pub done: usize,
    /// Pairs that are not given up.
    pub pairs: usize,
}

/// After so many units without any use a pair is given up.
const MAX_FAILURES: u8 = 3;

/// One pair.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct SeedSolverPair {
    /// Units given out.
    pub visits: u64,
    /// Units without any use, up to `MAX_FAILURES`: then the pair is given up.
    pub failures: u8,
    /// The kinds of answers seen so far, one bit each.
    pub seen: u16,
    /// What its units cost, discounted, in thousandths.
    pub cost: u64,
    /// What they brought, discounted, in thousandths.
    pub reward: u64,
}

/// All pairs, by the seed's position and then the solver's.
#[derive(Clone, Debug)]
pub struct Pairs {
    targets: usize,
    pairs: Vec<SeedSolverPair>,
    given_up: usize,
}

impl Pairs {
    /// Pairs of which nothing is known, over so many seeds and solvers.
    pub fn new(seeds: usize, targets: usize) -> Pairs {
        Pairs { targets: targets.max(1), pairs: vec![SeedSolverPair::default(); seeds * targets.max(1)], given_up: 0 }
    }

    /// Puts back what was known before. Positions that do not exist are ignored.
    pub fn restore(&mut self, rows: impl IntoIterator<Item = (usize, usize, SeedSolverPair)>) {
        for (seed, target, pair) in rows {
            if target < self.targets && seed * self.targets + target < self.pairs.len() {
                let before = std::mem::replace(&mut self.pairs[seed * self.targets + target], pair);
                self.given_up += usize::from(pair.is_given_up());
                self.given_up -= usize::from(before.is_given_up());
            }
        }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.pairs.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.pairs.is_empty()
    }

    /// One pair by its place.
    pub fn at(&self, place: usize) -> &SeedSolverPair {
        &self.pairs[place]
    }

    /// The seed and the solver of a place.
    pub fn of_place(&self, place: usize) -> (usize, usize) {
        (place / self.targets, place % self.targets)
    }

    /// The place of a pair.
    pub fn place(&self, seed: usize, target: usize) -> usize {
        seed * self.targets + target
    }

    /// One pair.
    pub fn get(&self, seed: usize, target: usize) -> &SeedSolverPair {
        &self.pairs[seed * self.targets + target]
    }

    /// One pair, to be changed by anything but failures.
    pub fn get_mut(&mut self, seed: usize, target: usize) -> &mut SeedSolverPair {
        &mut self.pairs[seed * self.targets + target]
    }

    /// Whether nothing is left to visit.
    pub fn is_all_given_up(&self) -> bool {
        self.given_up >= self.pairs.len()
    }

    /// How far the pass is: all pairs that are not given up were visited `number - 1` times at least, and `done` once more.
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

    /// A unit's verdict. True if a pair is given up because of it.
    pub fn judge(&mut self, seed: usize, target: usize, verdict: &PairVerdict) -> bool {
        match verdict {
            PairVerdict::Useful => false,
            PairVerdict::Failed(_) => self.fail(seed, target, 1),
            PairVerdict::NotForSolver(_) => self.fail(seed, target, MAX_FAILURES),
            // Every one of them, not only up to the first that was not given up before.
            PairVerdict::ForNobody(_) => {
                (0..self.targets).filter(|&target| self.fail(seed, target, MAX_FAILURES)).count() > 0
            }
        }
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
    /// Whether it is not visited again.
    pub fn is_given_up(&self) -> bool {
        self.failures >= MAX_FAILURES
    }
}
