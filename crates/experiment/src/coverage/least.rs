//! A small set of scripts that executes all that many do: greedily, the one that adds most first.

use solver::coverage::CoverageSet;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// A script of the small set.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct KeptScript {
    /// Its number among all.
    pub number: usize,
    /// How many items it adds to those kept before it.
    pub gain: usize,
}

/// Chooses scripts until they execute all that any of them does beyond `covered`: each time the one that adds most, of these the one of
/// least cost. Greedy choice needs at most `ln n + 1` times as many as the best one (V. Chvatal, *A Greedy Heuristic for the Set-Covering
/// Problem*, 1979).
pub fn least(sets: &[CoverageSet], costs: &[usize], covered: &CoverageSet) -> Vec<KeptScript> {
    let mut covered = covered.clone();
    // What a script adds only shrinks, so that one whose old gain is below another's new one need not be looked at.
    let cost = |number: usize| costs.get(number).copied().unwrap_or(usize::MAX);
    let entry = |number: usize, gain: usize| (gain, Reverse(cost(number)), Reverse(number));
    let mut open: BinaryHeap<_> = sets.iter().enumerate().map(|(number, set)| entry(number, set.len())).collect();
    let mut kept = Vec::new();
    while let Some((old, _, Reverse(number))) = open.pop() {
        let gain = sets[number].without(&covered).len();
        if gain == 0 {
            continue;
        }
        if gain < old {
            open.push(entry(number, gain));
            continue;
        }
        covered.add_all(&sets[number]);
        kept.push(KeptScript { number, gain });
    }
    kept
}
