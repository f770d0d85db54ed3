//! The order of work: the seed and the solver of each unit.
//!
//! Invariant: a unit depends only on the campaign seed, its number, and the lists of seeds and solvers.

use mutate::Unit;
use mutate::rng::RandomStream;

/// The maximum number of mutants per unit with a real solver: short units visit many seeds, and come back.
const MAX_UNIT: u64 = 64;
/// The number of mutants of a unit in the first pass.
const FIRST_UNIT: u64 = 8;

/// The plan of a campaign: pass after pass over all pairs of seed and solver, each in its own order.
#[derive(Clone, Debug)]
pub struct UniformPlan {
    campaign: u64,
    seeds: usize,
    targets: usize,
    /// The current pass and its order.
    pass: Option<(u64, Vec<u32>)>,
}

/// The subject of a unit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PlanSlot {
    /// The position of the seed.
    pub seed: usize,
    /// The position of the solver.
    pub target: usize,
    /// The number of earlier visits to the pair.
    pub visit: u64,
    /// The unit's random source.
    pub unit: Unit,
}

impl UniformPlan {
    /// Makes a plan over `seeds` seeds and `targets` solvers, both at least 1.
    pub fn new(campaign: u64, seeds: usize, targets: usize) -> UniformPlan {
        UniformPlan { campaign, seeds: seeds.max(1), targets: targets.max(1), pass: None }
    }

    /// Returns the subject of a unit.
    pub fn slot(&mut self, number: u64) -> PlanSlot {
        let slots = (self.seeds * self.targets) as u64;
        let (visit, place) = (number / slots, (number % slots) as usize);
        if self.pass.as_ref().is_none_or(|(pass, _)| *pass != visit) {
            let mut order: Vec<u32> = (0..slots as u32).collect();
            // Counted from the top, so that no unit's own stream is used.
            mutate::unit_rng(self.campaign, u64::MAX - visit).shuffle(&mut order);
            self.pass = Some((visit, order));
        }
        let at = self.pass.as_ref().map_or(place, |(_, order)| order[place] as usize);
        let unit = Unit { campaign: self.campaign, number };
        PlanSlot { seed: at / self.targets, target: at % self.targets, visit, unit }
    }
}

impl PlanSlot {
    /// Returns the number of mutants of a unit for a real solver: few at the first visit, twice as many at each later one.
    pub fn mutants(self) -> u64 {
        FIRST_UNIT.checked_shl(self.visit.min(8) as u32).map_or(MAX_UNIT, |n| n.min(MAX_UNIT))
    }

    /// Returns the stream for choices that the worker makes before the mutator draws from the unit's own.
    pub fn choices(self) -> RandomStream {
        // An index that no mutant has.
        self.unit.mutant_stream(u64::MAX)
    }
}
