//! Random streams that depend only on (campaign seed, unit number, mutant index).
//!
//! Invariant: the same numbers give the same draws on every platform and with any number of jobs. Draws are therefore made
//! of `u64`s by the functions here, never through `usize`, floats or a library's distributions, whose algorithms may change.

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

/// The odd constant of SplitMix64 (Steele, Lea, Flood, OOPSLA 2014), the golden ratio in 64 bits.
const GOLDEN_GAMMA: u64 = 0x9e37_79b9_7f4a_7c15;

/// The position of a unit of work: all that its random choices depend on.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Unit {
    /// The seed of the whole campaign.
    pub campaign: u64,
    /// The number of this unit in the campaign, from 0.
    pub number: u64,
}

impl Unit {
    /// Returns the stream for the unit's preparation: its assignment, its pools.
    pub fn stream(self) -> RandomStream {
        unit_rng(self.campaign, self.number)
    }

    /// Returns the stream of one mutant of the unit, independent of earlier mutants: each can be recreated alone.
    pub fn mutant_stream(self, index: u64) -> RandomStream {
        let unit = mix(mix(self.campaign) ^ self.number.wrapping_mul(GOLDEN_GAMMA));
        RandomStream::from_seed(mix(unit ^ mix(index.wrapping_add(GOLDEN_GAMMA))))
    }

    /// Returns the stream that draws a tactic for a mutant of the unit; its other choices do not depend on it.
    pub fn tactic_stream(self, index: u64) -> RandomStream {
        Unit { campaign: !self.campaign, ..self }.mutant_stream(index)
    }

    /// Returns the stream that draws a related script for a mutant of the unit or, with the largest number, for its seed.
    pub fn relation_stream(self, index: u64) -> RandomStream {
        RandomStream::from_seed(mix(self.rewording_stream(index).bits()))
    }

    /// Returns the stream that rephrases a mutant of the unit; its other choices do not depend on it.
    pub fn rewording_stream(self, index: u64) -> RandomStream {
        RandomStream::from_seed(mix(self.tactic_stream(index).bits()))
    }

    /// Returns the stream that draws whether a mutant of the unit belongs to a sample; its other choices do not depend on it.
    pub fn sample_stream(self, index: u64) -> RandomStream {
        RandomStream::from_seed(mix(self.relation_stream(index).bits()))
    }
}

/// Returns the stream of a unit: xoshiro256++ seeded by SplitMix64 of both numbers.
pub fn unit_rng(campaign: u64, unit: u64) -> RandomStream {
    RandomStream::from_seed(mix(mix(campaign) ^ unit.wrapping_mul(GOLDEN_GAMMA)))
}

/// A stream of random draws.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RandomStream(Xoshiro256PlusPlus);

impl RandomStream {
    /// Returns the stream of one number.
    pub fn from_seed(seed: u64) -> RandomStream {
        RandomStream(Xoshiro256PlusPlus::seed_from_u64(seed))
    }

    /// 64 random bits.
    pub fn bits(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// Returns a number below `bound`, all equally likely up to a bias below `bound` / 2^64; 0 when `bound` is 0.
    ///
    /// The high half of a product replaces a remainder (Lemire, TOMACS 2019).
    pub fn below(&mut self, bound: u64) -> u64 {
        ((u128::from(self.bits()) * u128::from(bound)) >> 64) as u64
    }

    /// Returns a position in a list of `len` entries; 0 if it is empty.
    pub fn index(&mut self, len: usize) -> usize {
        self.below(len as u64) as usize
    }

    /// Returns a number from `low` to `high`, both included; `low` if `high` is less.
    pub fn between(&mut self, low: u64, high: u64) -> u64 {
        match high.checked_sub(low) {
            None => low,
            Some(u64::MAX) => self.bits(),
            Some(span) => low + self.below(span + 1),
        }
    }

    /// True `percent` times in a hundred; always from 100 on.
    pub fn percent(&mut self, percent: u32) -> bool {
        self.below(100) < u64::from(percent)
    }

    /// True half the time.
    pub fn coin(&mut self) -> bool {
        self.bits() >> 63 == 1
    }

    /// Returns one entry of a list; `None` if it is empty.
    pub fn pick<'l, T>(&mut self, list: &'l [T]) -> Option<&'l T> {
        if list.is_empty() { None } else { list.get(self.index(list.len())) }
    }

    /// Returns a position in a list, drawn by weight; `None` without weights.
    pub fn weighted(&mut self, weights: &[u64]) -> Option<usize> {
        let whole = weights.iter().fold(0u64, |sum, weight| sum.saturating_add(*weight));
        let mut at = self.below(whole);
        weights.iter().position(|weight| {
            let here = at < *weight;
            at = at.saturating_sub(*weight);
            here
        })
    }

    /// Puts a list in random order (Fisher and Yates).
    pub fn shuffle<T>(&mut self, list: &mut [T]) {
        for last in (1..list.len()).rev() {
            let other = self.index(last + 1);
            list.swap(last, other);
        }
    }
}

/// Does one step of SplitMix64: a bijection on 64 bits in which every input bit moves every output bit.
fn mix(x: u64) -> u64 {
    let mut z = x.wrapping_add(GOLDEN_GAMMA);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}
