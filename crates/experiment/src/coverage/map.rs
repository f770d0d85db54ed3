//! The map of an instrumented build: which seeds, themes, mutators and options execute each of its functions.

use anyhow::{Context, Result, bail};
use serde::{Deserialize, Serialize};
use solver::coverage::{CoverageItems, CoverageSet, CoverageUnit, readable_name};
use std::collections::BTreeMap;
use std::path::Path;

/// The version of the format.
const FORMAT: u32 = 1;
/// The maximum number of scripts of one input: a count is one character of a row.
pub const MAX_SCRIPTS: u32 = 35;

/// The kind of an input.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum InputKind {
    /// A seed, as one script.
    Seed,
    /// A theme of `finite`.
    Theme,
    /// A mutator, over all seeds.
    Mutator,
    /// A value of a solver's option, over some generated problems.
    Option,
}

/// What was run.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct MapInput {
    /// Its kind.
    pub kind: InputKind,
    /// The name of the seed, theme or mutator, or the option.
    pub name: String,
    /// SHA-256 of a seed, and of all seeds for a mutator; empty for others.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub digest: String,
    /// The number of scripts that were run, at most [`MAX_SCRIPTS`].
    pub scripts: u32,
}

/// A function of the build.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct MappedFunction {
    /// Its source file, by number.
    pub file: u32,
    /// Its first line, from 1.
    pub line: u32,
    /// The linker's name.
    pub name: String,
    /// The number of the row with its counts.
    pub row: u32,
}

/// Which build a map describes, and how it was made.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct MapConditions {
    /// The version of the format.
    pub format: u32,
    /// The build's label, such as `bitwuzla@0.9.1+coverage`.
    pub solver: String,
    /// SHA-256 of the program, in hexadecimal.
    pub program: String,
    /// The seed of all random choices.
    pub seed: u64,
    /// The number of scripts for each theme and mutator.
    pub per: u32,
}

/// The map. Its text depends only on the build, the inputs and the seed.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct FunctionMap {
    /// Its conditions.
    pub conditions: MapConditions,
    /// What was run.
    pub inputs: Vec<MapInput>,
    /// The source files.
    pub files: Vec<String>,
    /// The functions, by file, line and name.
    pub functions: Vec<MappedFunction>,
    /// The distinct rows of counts: for each input, how many of its scripts executed the function, as a digit to base 36.
    rows: Vec<String>,
}

/// The counts of functions, while inputs are run.
#[derive(Default)]
pub struct MapCounts {
    inputs: Vec<MapInput>,
    /// For each function, as its item's number: the inputs that executed it, with counts.
    of_item: BTreeMap<usize, Vec<(usize, u32)>>,
}

impl MapConditions {
    /// Makes the conditions of this version's format.
    pub fn new(solver: String, program: String, seed: u64, per: u32) -> MapConditions {
        MapConditions { format: FORMAT, solver, program, seed, per: per.min(MAX_SCRIPTS) }
    }
}

impl MapCounts {
    /// Adds an input by what each of its scripts executed.
    pub fn add(&mut self, kind: InputKind, name: &str, digest: String, items: &CoverageItems, sets: &[CoverageSet]) {
        let input = self.inputs.len();
        let scripts = u32::try_from(sets.len()).unwrap_or(MAX_SCRIPTS).min(MAX_SCRIPTS);
        for set in sets.iter().take(MAX_SCRIPTS as usize) {
            let is_function = |at: &usize| items.get(*at).is_some_and(|item| item.unit == CoverageUnit::Function);
            for item in set.iter().filter(is_function) {
                let counts = self.of_item.entry(item).or_default();
                match counts.last_mut() {
                    Some((last, count)) if *last == input => *count += 1,
                    _ => counts.push((input, 1)),
                }
            }
        }
        self.inputs.push(MapInput { kind, name: name.to_string(), digest, scripts });
    }

    /// Adds an input with its counts in an older map of the same build. `None` if the map lacks it.
    pub fn take_over(&mut self, older: &OlderMap<'_>, kind: InputKind, name: &str, digest: &str) -> Option<()> {
        let is_same = |input: &MapInput| (input.kind, &*input.name, &*input.digest) == (kind, name, digest);
        let column = older.map.inputs.iter().position(is_same)?;
        let input = self.inputs.len();
        for (item, row) in &older.rows {
            let count = row.as_bytes().get(column).map_or(0, |digit| (*digit as char).to_digit(36).unwrap_or(0));
            if count > 0 {
                self.of_item.entry(*item).or_default().push((input, count));
            }
        }
        self.inputs.push(older.map.inputs[column].clone());
        Some(())
    }

    /// Returns the map.
    pub fn map(self, conditions: MapConditions, items: &CoverageItems) -> FunctionMap {
        let functions = items.iter().enumerate().filter(|(_, item)| item.unit == CoverageUnit::Function);
        let mut places: Vec<(&str, u32, &str, usize)> =
            functions.map(|(at, item)| (items.file(item), item.line, items.name(item), at)).collect();
        places.sort_unstable();
        let (mut files, mut rows): (Vec<String>, BTreeMap<String, u32>) = (Vec::new(), BTreeMap::new());
        let mut functions = Vec::with_capacity(places.len());
        for (file, line, name, at) in places {
            if files.last().is_none_or(|last| last != file) {
                files.push(file.to_string());
            }
            let mut row = vec![b'0'; self.inputs.len()];
            for (input, count) in self.of_item.get(&at).into_iter().flatten() {
                row[*input] = char::from_digit(*count, 36).map_or(b'z', |digit| digit as u8);
            }
            let next = rows.len() as u32;
            let row = *rows.entry(String::from_utf8_lossy(&row).into_owned()).or_insert(next);
            functions.push(MappedFunction { file: files.len() as u32 - 1, line, name: name.to_string(), row });
        }
        let mut listed = vec![String::new(); rows.len()];
        rows.into_iter().for_each(|(row, number)| listed[number as usize] = row);
        FunctionMap { conditions, inputs: self.inputs, files, functions, rows: listed }
    }
}

/// A map of the same build, made earlier, by the numbers of the build's items.
pub struct OlderMap<'m> {
    map: &'m FunctionMap,
    rows: Vec<(usize, &'m str)>,
}

impl FunctionMap {
    /// Reads a map.
    /// Errors: the file cannot be read, or holds no map of this format.
    pub fn read(path: &Path) -> Result<FunctionMap> {
        let text = files::found_text(path).with_context(|| format!("cannot read the map {}", path.display()))?;
        let advice = || format!("{} is no map; `squall experiment cover --map FILE` makes one", path.display());
        let map: FunctionMap = serde_json::from_str(&text).with_context(advice)?;
        if map.conditions.format != FORMAT {
            bail!("{} has another format; make the map again", path.display());
        }
        let is_whole = |function: &MappedFunction| {
            (function.file as usize) < map.files.len() && (function.row as usize) < map.rows.len()
        };
        if !map.functions.iter().all(is_whole) || map.rows.iter().any(|row| row.len() != map.inputs.len()) {
            bail!("{} is damaged; make the map again", path.display());
        }
        Ok(map)
    }

    /// Writes the map atomically.
    /// Errors: the file cannot be written.
    pub fn write(&self, path: &Path) -> Result<()> {
        let text = serde_json::to_string(self)? + "\n";
        files::atomic::write(path, text.as_bytes()).with_context(|| format!("cannot write {}", path.display()))
    }

    /// Returns this map by the items of its build, to take counts over.
    pub fn by_items(&self, items: &CoverageItems) -> OlderMap<'_> {
        let mut known: BTreeMap<(&str, u32, &str), u32> = BTreeMap::new();
        for function in &self.functions {
            let file = self.files.get(function.file as usize).map_or("", String::as_str);
            known.insert((file, function.line, &function.name), function.row);
        }
        let functions = items.iter().enumerate().filter(|(_, item)| item.unit == CoverageUnit::Function);
        let row = |(at, item)| {
            let row = known.get(&(items.file(item), item.line, items.name(item)))?;
            Some((at, self.rows.get(*row as usize)?.as_str()))
        };
        OlderMap { map: self, rows: functions.filter_map(row).collect() }
    }

    /// Returns how many of an input's scripts executed a function.
    pub fn count(&self, function: &MappedFunction, input: usize) -> u32 {
        let digit = self.rows.get(function.row as usize).and_then(|row| row.as_bytes().get(input));
        digit.map_or(0, |digit| (*digit as char).to_digit(36).unwrap_or(0))
    }

    /// Returns the functions of a name: the linker's, or one or more last parts of the source name, such as `solver::propagate`.
    pub fn named(&self, name: &str) -> Vec<&MappedFunction> {
        let is_named = |function: &&MappedFunction| {
            function.name == name || {
                let source = source_name(&function.name);
                source.strip_suffix(name).is_some_and(|before| before.is_empty() || before.ends_with("::"))
            }
        };
        self.functions.iter().filter(is_named).collect()
    }

    /// Returns the functions of a source file, given by the last parts of its path, in order of their lines.
    pub fn of_file(&self, path: &str) -> Vec<&MappedFunction> {
        let is_meant = |file: &String| {
            file.strip_suffix(path).is_some_and(|before| before.is_empty() || before.ends_with('/')) && !path.is_empty()
        };
        let meant: Vec<bool> = self.files.iter().map(is_meant).collect();
        let is_there = |function: &&MappedFunction| meant.get(function.file as usize).is_some_and(|meant| *meant);
        self.functions.iter().filter(is_there).collect()
    }

    /// Returns the functions that begin at the last beginning at or before a line, up to the end of the range: those that the lines
    /// may be part of. The end of a function is not known, so lines between functions count to the one before.
    pub fn of_lines(&self, path: &str, first: u32, last: u32) -> Vec<&MappedFunction> {
        let mut functions = self.of_file(path);
        let before =
            functions.iter().map(|function| function.line).filter(|line| *line <= first).max().unwrap_or(first);
        functions.retain(|function| (before..=last).contains(&function.line));
        functions
    }
}

/// Whether a text begins with a character of a name.
fn is_word(text: &str) -> bool {
    text.starts_with(|c: char| c.is_alphanumeric() || c == '_')
}

/// Returns a function's name in the source, without parameters, template arguments, closures and hashes: `sat::solver::propagate`. All
/// operators of a type are `operator`.
pub fn source_name(linker_name: &str) -> String {
    let readable = readable_name(linker_name).replace("(anonymous namespace)::", "");
    let (mut name, mut depth) = (String::new(), 0u32);
    for (at, c) in readable.char_indices() {
        match c {
            _ if depth == 0 && readable[at..].starts_with("operator") && !is_word(&readable[at + 8..]) => {
                name.push_str("operator");
                break;
            }
            '<' => depth += 1,
            '>' => depth = depth.saturating_sub(1),
            '(' if depth == 0 => break,
            // What stood before was the type of the result.
            ' ' if depth == 0 => name.clear(),
            _ if depth == 0 => name.push(c),
            _ => {}
        }
    }
    let parts = name.split("::").filter(|part| !part.is_empty() && !part.starts_with('{'));
    parts.collect::<Vec<&str>>().join("::")
}
