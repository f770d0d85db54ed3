//! What mutants execute beyond the seeds, by file and by function.

use super::run::CoverageRun;
use serde::Serialize;
use solver::coverage::{CoverageItems, CoverageSet, CoverageUnit, readable_name};
use std::collections::BTreeMap;

/// Counts of one unit over the whole build.
#[derive(Clone, Debug, Serialize)]
pub struct UnitGain {
    /// The unit.
    pub unit: CoverageUnit,
    /// How many items there are.
    pub all: usize,
    /// How many the seeds executed.
    pub seeds: usize,
    /// How many each arm executed that no seed did.
    pub arms: Vec<usize>,
    /// How many any arm executed that no seed did.
    pub together: usize,
}

/// Counts of lines of a file, or of what belongs to a function.
#[derive(Clone, Debug, Serialize)]
pub struct PlaceGain {
    /// The source file.
    pub file: String,
    /// The function's name, as its source has it; none for a file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub function: Option<String>,
    /// The line where the function begins; 0 for a file.
    pub line: u32,
    /// How many lines there are.
    pub all: usize,
    /// How many the seeds executed.
    pub seeds: usize,
    /// How many each arm executed that no seed did.
    pub arms: Vec<usize>,
    /// How many any arm executed that no seed did.
    pub together: usize,
    /// Whether a seed entered the function.
    pub is_entered: bool,
}

/// What mutants execute beyond the seeds.
#[derive(Clone, Debug, Serialize)]
pub struct CoverageGains {
    /// By unit.
    pub units: Vec<UnitGain>,
    /// By file, the greatest gain first; files without any lines executed by anyone are at the end. Empty where nothing tells places.
    pub files: Vec<PlaceGain>,
    /// By function, those with a gain alone, the greatest first.
    pub functions: Vec<PlaceGain>,
}

impl CoverageGains {
    /// The gains of an experiment so far.
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
    /// Lines by file and by function. A line belongs to the last function of its file that begins at it or before.
    fn places(&self, items: &CoverageItems) -> (Vec<PlaceGain>, Vec<PlaceGain>) {
        let mut begins: BTreeMap<(u32, u32), PlaceGain> = BTreeMap::new();
        for (number, item) in items.iter().enumerate().filter(|(_, item)| item.unit == CoverageUnit::Function) {
            // Of the instances of a template, which begin at one line, the shortest name stands for all.
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
