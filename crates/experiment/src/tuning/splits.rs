//! Measures, over random splits, what a learned strategy gains on files that it was not learned from.

use super::learn::{learn, shuffle, single};
use super::rules::LearnedStrategy;
use super::table::TuningTable;
use serde::Serialize;

/// One file in this many is held out.
const HELD_OUT: usize = 3;

/// Files solved, and the sum of the PAR-2 costs in seconds.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct SplitScore {
    /// Files solved within the limit.
    pub solved: usize,
    /// The sum of the times, where a file that is not solved counts as twice the limit.
    pub par2: f64,
}

/// The results of one split, on the files held out.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct SplitResult {
    /// The number of files held out.
    pub held_out: usize,
    /// The step that is best on the other files.
    pub single: String,
    /// The score of `single`.
    pub of_single: SplitScore,
    /// The strategy learned from the other files.
    pub learned: String,
    /// The score of `learned`.
    pub of_learned: SplitScore,
    /// The score with each file's best step.
    pub of_best: SplitScore,
}

impl SplitResult {
    /// Returns the share, by PAR-2, that the strategy closes of the gap between the best single step and each file's best step. `None`
    /// if there is no gap.
    pub fn closed(&self) -> Option<f64> {
        let gap = self.of_single.par2 - self.of_best.par2;
        (gap > 1e-9).then(|| (self.of_single.par2 - self.of_learned.par2) / gap)
    }
}

/// Learns from two thirds of the files and tests on the rest, once per split. A seed determines the splits.
pub fn splits(table: &TuningTable, count: u32, seed: u64) -> Vec<SplitResult> {
    (0..count).map(|n| split(table, seed.wrapping_add(n.into()))).collect()
}

fn split(table: &TuningTable, seed: u64) -> SplitResult {
    let mut files: Vec<usize> = (0..table.files.len()).collect();
    shuffle(&mut files, seed);
    let (held, known) = files.split_at(files.len() / HELD_OUT);
    let (best, learned) = (single(table, known), learn(table, known, seed));
    let score = |time: &dyn Fn(usize) -> Option<f64>| SplitScore {
        solved: held.iter().filter(|&&file| time(file).is_some()).count(),
        par2: held.iter().map(|&file| table.cost(time(file))).sum(),
    };
    let of = |strategy: &LearnedStrategy| score(&|file| strategy.solved_after(table, file));
    SplitResult {
        held_out: held.len(),
        of_single: of(&best),
        single: best.text(table),
        of_learned: of(&learned),
        learned: learned.text(table),
        of_best: score(&|file| table.best(file)),
    }
}
