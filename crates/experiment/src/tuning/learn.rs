//! Learns a strategy from a table by local search over schedules, a greedy choice of probes, and cross-validation between kinds of strategies.
//!
//! Schedules as in M. Streeter and others, "Combining Multiple Heuristics Online" (AAAI 2007); a step is assumed to need the same time in a
//! strategy as alone.

use super::rules::{LearnedStrategy, TimeSlice};
use super::table::TuningTable;
use search::rng::Random;

/// The fractions of the limit that a slice may have.
const SLICES: [f64; 8] = [0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.35, 0.5];
/// The maximum number of steps of a schedule.
const STEPS: usize = 4;
/// The minimum number of files on each side of a choice.
const SIDE: usize = 8;
/// The number of bounds tried per probe.
const BOUNDS: usize = 8;
/// The number of choices for which schedules are learned, out of those that single steps rank first.
const PROMISING: usize = 8;
/// The share of its cost that a change must save: an edit of a schedule, a choice, or a more complex kind of strategy.
const GAIN: f64 = 0.02;
/// The weight of the cost on all files where a strategy is learned for a part of them: what works nowhere else is rarely right for new
/// files of that part either.
const PRIOR: f64 = 0.1;
/// The number of parts in cross-validation.
const FOLDS: usize = 5;

/// How complex a strategy may be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StrategyKind {
    /// One step.
    Single,
    /// One schedule.
    Schedule,
    /// At most this many nested choices between schedules.
    Choices(usize),
}

/// The kinds in order of complexity.
const KINDS: [StrategyKind; 4] =
    [StrategyKind::Single, StrategyKind::Schedule, StrategyKind::Choices(1), StrategyKind::Choices(2)];

/// Learns a strategy from files. Choices are made only if they save the share `GAIN` of the cost in cross-validation, a schedule also if it
/// costs no more there and less on all files: where few files need another step, no part of them shows it.
pub fn learn(table: &TuningTable, files: &[usize], seed: u64) -> LearnedStrategy {
    let mut shuffled = files.to_vec();
    shuffle(&mut shuffled, seed);
    let validated = |kind: StrategyKind| -> f64 {
        let part = |fold: usize| {
            let is_held = |n: usize| n % FOLDS == fold;
            let pick = |held: bool| {
                let chosen = shuffled.iter().enumerate().filter(|(n, _)| is_held(*n) == held);
                chosen.map(|(_, &file)| file).collect::<Vec<usize>>()
            };
            let known = pick(false);
            fit(table, FileSample { part: &known, all: &known }, kind).cost(table, &pick(true))
        };
        (0..FOLDS).map(part).sum()
    };
    let (mut best, mut least) = (StrategyKind::Single, validated(StrategyKind::Single));
    for kind in KINDS.into_iter().skip(1) {
        let cost = validated(kind);
        let all = |kind| fit(table, FileSample { part: files, all: files }, kind).cost(table, files);
        let is_tie = kind == StrategyKind::Schedule && cost <= least * (1.0 + GAIN) && all(kind) < all(best);
        if cost < least * (1.0 - GAIN) || is_tie {
            (best, least) = (kind, cost);
        }
    }
    fit(table, FileSample { part: files, all: files }, best)
}

/// Orders files at random.
pub fn shuffle(files: &mut [usize], seed: u64) {
    let mut random = Random::from_seed(seed);
    for n in (1..files.len()).rev() {
        files.swap(n, random.below(n as u64 + 1) as usize);
    }
}

/// The files that a strategy is learned from.
#[derive(Clone, Copy)]
struct FileSample<'f> {
    /// The files that the strategy is for.
    part: &'f [usize],
    /// These, and the files on other sides of choices.
    all: &'f [usize],
}

impl FileSample<'_> {
    /// Returns the cost of a strategy on the part, with the [`PRIOR`].
    fn cost(self, table: &TuningTable, strategy: &LearnedStrategy) -> f64 {
        let cost = strategy.cost(table, self.part);
        if self.part.len() == self.all.len() {
            return cost;
        }
        let mean = strategy.cost(table, self.all) / self.all.len() as f64;
        cost + PRIOR * mean * self.part.len() as f64
    }
}

/// Returns the step with the least cost on files.
pub fn single(table: &TuningTable, files: &[usize]) -> LearnedStrategy {
    best_step(table, FileSample { part: files, all: files })
}

fn best_step(table: &TuningTable, files: FileSample<'_>) -> LearnedStrategy {
    let costed = |step| {
        let strategy = LearnedStrategy::only(step, table);
        (files.cost(table, &strategy), strategy)
    };
    let best = (0..table.steps.len()).map(costed).min_by(|a, b| a.0.total_cmp(&b.0));
    best.map_or(LearnedStrategy::Schedule(Vec::new()), |(_, strategy)| strategy)
}

fn fit(table: &TuningTable, files: FileSample<'_>, kind: StrategyKind) -> LearnedStrategy {
    match kind {
        StrategyKind::Single => best_step(table, files),
        StrategyKind::Schedule => completed(table, files),
        StrategyKind::Choices(0) => schedule(table, files),
        StrategyKind::Choices(depth) => choice(table, files, depth),
    }
}

/// Improves the best single step by the best edit as long as one saves enough.
fn schedule(table: &TuningTable, files: FileSample<'_>) -> LearnedStrategy {
    let mut best = best_step(table, files);
    let mut cost = files.cost(table, &best);
    loop {
        let LearnedStrategy::Schedule(slices) = &best else { return best };
        match cheapest(table, files, edits(table, slices)) {
            Some((less, strategy)) if less < cost * (1.0 - GAIN) => (cost, best) = (less, strategy),
            _ => return best,
        }
    }
}

/// Returns the best schedule, with a slice of every other step where that costs next to nothing: new files may need it.
fn completed(table: &TuningTable, files: FileSample<'_>) -> LearnedStrategy {
    let mut best = schedule(table, files);
    let cost = files.cost(table, &best);
    loop {
        let LearnedStrategy::Schedule(slices) = &best else { return best };
        let is_new = |edited: &Vec<TimeSlice>| {
            let is_known = |slice: &&TimeSlice| slices.iter().any(|known| known.step == slice.step);
            edited.len() > slices.len() && edited.iter().filter(is_known).count() == slices.len()
        };
        let added = edits(table, slices).into_iter().filter(is_new).collect();
        match cheapest(table, files, added) {
            Some((more, strategy)) if more <= cost * (1.0 + GAIN) => best = strategy,
            _ => return best,
        }
    }
}

/// Returns the schedule that costs the least on files, with its cost.
fn cheapest(
    table: &TuningTable,
    files: FileSample<'_>,
    schedules: Vec<Vec<TimeSlice>>,
) -> Option<(f64, LearnedStrategy)> {
    let strategies = schedules.into_iter().map(LearnedStrategy::Schedule);
    strategies.map(|strategy| (files.cost(table, &strategy), strategy)).min_by(|a, b| a.0.total_cmp(&b.0))
}

/// Returns all schedules that differ from one by one step: added, left out, replaced, or with another slice.
fn edits(table: &TuningTable, slices: &[TimeSlice]) -> Vec<Vec<TimeSlice>> {
    let mut all = Vec::new();
    let new = || {
        let steps = 0..table.steps.len();
        steps.flat_map(|step| SLICES.map(|share| TimeSlice { step, seconds: share * table.limit }))
    };
    for place in 0..=slices.len() {
        if slices.len() < STEPS {
            all.extend(new().map(|slice| [&slices[..place], &[slice], &slices[place..]].concat()));
        }
        if place < slices.len() {
            all.extend(new().map(|slice| [&slices[..place], &[slice], &slices[place + 1..]].concat()));
            if slices.len() > 1 {
                all.push([&slices[..place], &slices[place + 1..]].concat());
            }
        }
    }
    all
}

/// Splits files by the best comparison of a probe, if one saves enough compared with one schedule.
fn choice(table: &TuningTable, files: FileSample<'_>, depth: usize) -> LearnedStrategy {
    let whole = schedule(table, files);
    let mut ranked: Vec<(f64, usize, f64, [Vec<usize>; 2])> = Vec::new();
    for probe in 0..table.probes.len() {
        for bound in bounds(table, files.part, probe) {
            let (below, above): (Vec<usize>, Vec<usize>) =
                files.part.iter().partition(|&&file| table.files[file].probes[probe] < bound);
            if below.len().min(above.len()) >= SIDE {
                let cost: f64 = [&below, &above].map(|part| single(table, part).cost(table, part)).into_iter().sum();
                ranked.push((cost, probe, bound, [below, above]));
            }
        }
    }
    ranked.sort_by(|a, b| a.0.total_cmp(&b.0));
    ranked.truncate(PROMISING);
    let side = |part: &[usize]| {
        let files = FileSample { part, all: files.all };
        Box::new(fit(table, files, StrategyKind::Choices(depth - 1)))
    };
    let split = ranked.into_iter().map(|(_, probe, bound, [below, above])| {
        let strategy = LearnedStrategy::Choice { probe, bound, below: side(&below), above: side(&above) };
        (files.cost(table, &strategy), strategy)
    });
    match split.min_by(|a, b| a.0.total_cmp(&b.0)) {
        Some((cost, strategy)) if cost < files.cost(table, &whole) * (1.0 - GAIN) => strategy,
        _ => whole,
    }
}

/// Returns bounds between the values of a probe: between neighbours among evenly spaced ranks.
fn bounds(table: &TuningTable, files: &[usize], probe: usize) -> Vec<f64> {
    let mut values: Vec<f64> = files.iter().map(|&file| table.files[file].probes[probe]).collect();
    values.retain(|value| value.is_finite());
    values.sort_by(f64::total_cmp);
    values.dedup();
    let between = |n: usize| {
        let (low, high) = (values[n], values[n + 1]);
        let middle = ((low + high) / 2.0).ceil();
        if middle > low && middle <= high { middle } else { high }
    };
    let gaps = values.len().saturating_sub(1);
    let mut chosen: Vec<usize> = (0..BOUNDS.min(gaps)).map(|n| n * gaps / BOUNDS.min(gaps)).collect();
    chosen.dedup();
    chosen.into_iter().map(between).collect()
}
