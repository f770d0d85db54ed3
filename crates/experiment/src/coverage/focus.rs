//! The focus of a campaign: the seeds, themes, mutators and options of a map that execute given functions.

use super::map::{FunctionMap, InputKind, MapInput, MappedFunction, source_name};
use serde::Serialize;
use solver::coverage::{CoverageItems, CoverageSet, CoverageUnit};
use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;

/// A theme belongs to a focus if its score is at least this share of the best theme's.
const THEME_SHARE: f64 = 0.25;

/// A place in a solver's source.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SourcePlace {
    /// A function, by its linker's name or the last parts of its source name.
    Function(String),
    /// Lines of a file, which is given by the last parts of its path.
    Lines {
        /// The path.
        path: String,
        /// The first line, from 1.
        first: u32,
        /// The last line.
        last: u32,
    },
}

impl FromStr for SourcePlace {
    type Err = String;

    /// Reads `FUNCTION`, `FILE:LINE` or `FILE:LINE-LINE`.
    /// Errors: an empty text, or an invalid range.
    fn from_str(text: &str) -> Result<SourcePlace, String> {
        let wrong = || format!("'{text}' is neither a function nor FILE:LINE or FILE:LINE-LINE");
        let lines = text.rsplit_once(':').filter(|(path, lines)| {
            !path.ends_with(':') && !lines.is_empty() && lines.bytes().all(|b| b.is_ascii_digit() || b == b'-')
        });
        let Some((path, lines)) = lines else {
            return if text.is_empty() { Err(wrong()) } else { Ok(SourcePlace::Function(text.to_string())) };
        };
        let (first, last) = lines.split_once('-').unwrap_or((lines, lines));
        let number = |text: &str| text.parse::<u32>().ok().filter(|line| *line > 0).ok_or_else(wrong);
        let (first, last) = (number(first)?, number(last)?);
        if path.is_empty() || last < first {
            return Err(wrong());
        }
        Ok(SourcePlace::Lines { path: path.to_string(), first, last })
    }
}

impl SourcePlace {
    /// Returns the functions at this place of a map.
    fn functions<'m>(&self, map: &'m FunctionMap) -> Vec<&'m MappedFunction> {
        match self {
            SourcePlace::Function(name) => map.named(name),
            SourcePlace::Lines { path, first, last } => map.of_lines(path, *first, *last),
        }
    }

    /// Returns the functions at these places of a map, as items of an instrumented build of the same or a near commit.
    pub fn items(places: &[SourcePlace], map: &FunctionMap, items: &CoverageItems) -> CoverageSet {
        let functions = places.iter().flat_map(|place| place.functions(map));
        let known: BTreeSet<(&str, &str)> = functions
            .map(|function| (map.files.get(function.file as usize).map_or("", String::as_str), &*function.name))
            .collect();
        let mut set = CoverageSet::default();
        for (at, item) in items.iter().enumerate() {
            if item.unit == CoverageUnit::Function && known.contains(&(items.file(item), items.name(item))) {
                set.insert(at);
            }
        }
        set
    }
}

impl fmt::Display for SourcePlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SourcePlace::Function(name) => f.write_str(name),
            SourcePlace::Lines { path, first, last } => write!(f, "{path}:{first}-{last}"),
        }
    }
}

impl Serialize for SourcePlace {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// An input that executes a function of the focus.
#[derive(Clone, PartialEq, Debug)]
pub struct FocusInput<'m> {
    /// The input.
    pub input: &'m MapInput,
    /// The sum over the functions of its share among the inputs of its kind. Functions that few inputs execute count more.
    pub score: f64,
}

/// The inputs that execute some functions.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct CoverageFocus<'m> {
    /// The source names of the functions that some input executes.
    pub executed: Vec<String>,
    /// The source names of those that no input executes.
    pub idle: Vec<String>,
    /// Places without a function in the map.
    pub unknown: Vec<SourcePlace>,
    /// The inputs, the highest scores first.
    pub inputs: Vec<FocusInput<'m>>,
}

impl<'m> CoverageFocus<'m> {
    /// Returns the focus on the functions of these places.
    pub fn of(map: &'m FunctionMap, places: &[SourcePlace]) -> CoverageFocus<'m> {
        let mut focus = CoverageFocus::default();
        let mut functions: Vec<&MappedFunction> = Vec::new();
        for place in places {
            let meant = place.functions(map);
            if meant.is_empty() {
                focus.unknown.push(place.clone());
            }
            functions.extend(meant);
        }
        functions.sort_unstable();
        functions.dedup();
        let mut scores = vec![0.0; map.inputs.len()];
        for function in functions {
            let is_executed = add_scores(map, function, &mut scores);
            let names = if is_executed { &mut focus.executed } else { &mut focus.idle };
            let name = source_name(&function.name);
            if names.last() != Some(&name) {
                names.push(name);
            }
        }
        // One instance of a template may be executed, and another one not.
        focus.idle.retain(|name| !focus.executed.contains(name));
        let scored = map.inputs.iter().zip(scores).filter(|(_, score)| *score > 0.0);
        focus.inputs = scored.map(|(input, score)| FocusInput { input, score }).collect();
        focus.inputs.sort_by(|a, b| b.score.total_cmp(&a.score));
        focus
    }

    /// Returns its inputs of a kind.
    pub fn of_kind(&self, kind: InputKind) -> impl Iterator<Item = &FocusInput<'m>> {
        self.inputs.iter().filter(move |one| one.input.kind == kind)
    }

    /// Returns the names of the themes with the highest scores.
    pub fn themes(&self) -> Vec<String> {
        let best = self.of_kind(InputKind::Theme).map(|one| one.score).fold(0.0, f64::max);
        let much = self.of_kind(InputKind::Theme).filter(|one| one.score >= THEME_SHARE * best);
        much.map(|one| one.input.name.clone()).collect()
    }
}

/// Adds the scores of one function. Returns whether any input executes it.
fn add_scores(map: &FunctionMap, function: &MappedFunction, scores: &mut [f64]) -> bool {
    let share = |(at, input): (usize, &MapInput)| f64::from(map.count(function, at)) / f64::from(input.scripts.max(1));
    let shares: Vec<f64> = map.inputs.iter().enumerate().map(share).collect();
    for kind in [InputKind::Seed, InputKind::Theme, InputKind::Mutator, InputKind::Option] {
        let of_kind = || map.inputs.iter().zip(&shares).enumerate().filter(|(_, (input, _))| input.kind == kind);
        let all: f64 = of_kind().map(|(_, (_, share))| share).sum();
        of_kind().filter(|_| all > 0.0).for_each(|(at, (_, share))| scores[at] += share / all);
    }
    shares.iter().any(|share| *share > 0.0)
}
