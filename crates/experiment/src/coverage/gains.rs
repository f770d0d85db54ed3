//! Counts what mutants execute beyond the seeds, by file and by function, and chooses a small set of scripts that executes everything.

use super::run::CoverageRun;
use serde::Serialize;
use solver::coverage::{CoverageItems, CoverageSet, CoverageUnit, readable_name};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

/// Counts of one unit over the whole build.
#[derive(Clone, Debug, Serialize)]
pub struct UnitGain {
    /// The unit.
    pub unit: CoverageUnit,
    /// The number of items.
    pub all: usize,
    /// Items that the seeds executed.
    pub seeds: usize,
    /// Items that each arm executed and no seed did.
    pub arms: Vec<usize>,
    /// Items that any arm executed and no seed did.
    pub together: usize,
}

/// Counts of the lines of a file or function.
#[derive(Clone, Debug, Serialize)]
pub struct PlaceGain {
    /// The source file.
    pub file: String,
    /// The function's name as in the source; `None` for a file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub function: Option<String>,
    /// The first line of the function; 0 for a file.
    pub line: u32,
    /// The number of lines.
    pub all: usize,
    /// Items that the seeds executed.
    pub seeds: usize,
    /// Items that each arm executed and no seed did.
    pub arms: Vec<usize>,
    /// Items that any arm executed and no seed did.
    pub together: usize,
    /// Whether a seed entered the function.
    pub is_entered: bool,
}

/// The items that mutants execute beyond the seeds.
#[derive(Clone, Debug, Serialize)]
pub struct CoverageGains {
    /// By unit.
    pub units: Vec<UnitGain>,
    /// By file, the largest gain first; files without executed lines are last. Empty if the build has no source positions.
    pub files: Vec<PlaceGain>,
    /// By function, only those with a gain, the largest first.
    pub functions: Vec<PlaceGain>,
}

/// A chosen script.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct KeptScript {
    /// Its number in the large set.
    pub number: usize,
    /// The number of items it adds to those of the scripts chosen before it.
    pub gain: usize,
}

impl CoverageGains {
    /// Computes the gains of an experiment so far.
    pub fn of(items: &CoverageItems, run: &CoverageRun) -> CoverageGains {
        let seeds = &run.seeds.executed;
        let arms: Vec<CoverageSet> = run.arms.iter().map(|arm| arm.executed.without(seeds)).collect();
        let mut together = CoverageSet::default();
        arms.iter().for_each(|arm| together.add_all(arm));
        let unit = |unit: CoverageUnit| UnitGain {
            unit,
            all: items.count(unit),
            seeds: seeds.count(items, unit),
            arms: arms.iter().map(|arm| arm.count(items, unit)).collect(),
            together: together.count(items, unit),
        };
        let sets = Sets { seeds, arms: &arms, together: &together };
        let (mut files, mut functions) = sets.places(items);
        let order = |a: &PlaceGain, b: &PlaceGain| {
            (b.together, b.seeds, &a.file, a.line).cmp(&(a.together, a.seeds, &b.file, b.line))
        };
        functions.retain(|place| place.together > 0);
        for place in &mut functions {
            place.function = place.function.as_deref().map(readable_name);
        }
        files.sort_by(order);
        functions.sort_by(order);
        CoverageGains { units: items.units().into_iter().map(unit).collect(), files, functions }
    }
}

struct Sets<'s> {
    seeds: &'s CoverageSet,
    arms: &'s [CoverageSet],
    together: &'s CoverageSet,
}

impl Sets<'_> {
    /// Counts lines by file and by function. A line belongs to the last function of its file that starts at or before it.
    fn places(&self, items: &CoverageItems) -> (Vec<PlaceGain>, Vec<PlaceGain>) {
        let mut begins: BTreeMap<(u32, u32), PlaceGain> = BTreeMap::new();
        for (number, item) in items.iter().enumerate().filter(|(_, item)| item.unit == CoverageUnit::Function) {
            // All instances of a template start at one line; the shortest name represents them.
            let name = items.name(item);
            let place = begins.entry((item.file, item.line)).or_insert_with(|| self.nothing(items.file(item)));
            if place.function.as_ref().is_none_or(|known| name.len() < known.len()) {
                place.function = Some(name.to_string());
            }
            place.line = item.line;
            place.is_entered |= self.seeds.contains(number);
        }
        let mut files: BTreeMap<u32, PlaceGain> = BTreeMap::new();
        for (number, item) in items.iter().enumerate().filter(|(_, item)| item.unit == CoverageUnit::Line) {
            self.count(files.entry(item.file).or_insert_with(|| self.nothing(items.file(item))), number);
            if let Some((_, function)) = begins.range_mut((item.file, 0)..=(item.file, item.line)).next_back() {
                self.count(function, number);
            }
        }
        (files.into_values().collect(), begins.into_values().collect())
    }

    fn nothing(&self, file: &str) -> PlaceGain {
        PlaceGain {
            file: file.to_string(),
            function: None,
            line: 0,
            all: 0,
            seeds: 0,
            arms: vec![0; self.arms.len()],
            together: 0,
            is_entered: false,
        }
    }

    fn count(&self, place: &mut PlaceGain, number: usize) {
        place.all += 1;
        place.seeds += usize::from(self.seeds.contains(number));
        place.together += usize::from(self.together.contains(number));
        place.arms.iter_mut().zip(self.arms).for_each(|(sum, arm)| *sum += usize::from(arm.contains(number)));
    }
}

/// Chooses scripts until they execute all that any script does beyond `covered`. Each step takes the script that adds most, and among equal
/// ones the cheapest. This needs at most `ln n + 1` times the optimal number (V. Chvatal, *A Greedy Heuristic for the Set-Covering Problem*,
/// 1979).
pub fn least(sets: &[CoverageSet], costs: &[usize], covered: &CoverageSet) -> Vec<KeptScript> {
    let mut covered = covered.clone();
    // Gains only shrink, so a script whose old gain is below another's new one need not be examined.
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
