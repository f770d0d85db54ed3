//! The map of an instrumented build: which seeds, themes, mutators and options execute each of its functions.

use anyhow::{Context, Result, bail};
use serde::{Deserialize, Serialize};
use solver::coverage::{CoverageItems, CoverageSet, CoverageUnit, readable_name};
use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

/// The version of the format.
const FORMAT: u32 = 1;
/// The maximum size of a map's file, in bytes.
const MAX_BYTES: u64 = 64 << 20;
/// The maximum number of scripts of one input: a count is one base-36 digit.
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
    /// The index of its source file.
    pub file: u32,
    /// Its first line, from 1.
    pub line: u32,
    /// Its linker name.
    pub name: String,
    /// The index of its row of counts.
    pub row: u32,
}

/// Which build a map describes, and how it was made.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct MapConditions {
    /// The version of the format.
    pub format: u32,
    /// The version of Squall: another one makes other problems.
    pub squall: String,
    /// The build's label, such as `bitwuzla@0.9.1+coverage`.
    pub solver: String,
    /// SHA-256 of the program, in hexadecimal.
    pub program: String,
    /// The seed of all random choices.
    pub seed: u64,
    /// The number of scripts for each theme and mutator.
    pub per: u32,
    /// The wall-clock limit of a script, in milliseconds.
    pub timeout_ms: u64,
}

/// The map. Its text depends only on its conditions and inputs, unless scripts reach the time limit.
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
    /// The distinct rows of counts: for each input, how many of its scripts executed the function, as a base-36 digit.
    rows: Vec<String>,
}

/// The counts of functions, while inputs are run.
#[derive(Default)]
pub struct MapCounts {
    inputs: Vec<MapInput>,
    /// For each function, by item number: the inputs that executed it, with counts.
    of_item: BTreeMap<usize, Vec<(usize, u32)>>,
}

impl MapConditions {
    /// Returns conditions in the current format.
    pub fn new(solver: String, program: String, seed: u64, per: u32, wall: Duration) -> MapConditions {
        let timeout_ms = u64::try_from(wall.as_millis()).unwrap_or(u64::MAX);
        let squall = env!("CARGO_PKG_VERSION").to_string();
        MapConditions { format: FORMAT, squall, solver, program, seed, per: per.min(MAX_SCRIPTS), timeout_ms }
    }
}

impl MapCounts {
    /// Adds an input from the coverage of its scripts.
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

    /// Copies an input's counts from an older map of the same build. `None` if it lacks the input.
    pub fn take_over(&mut self, older: &OlderMap<'_>, kind: InputKind, name: &str, digest: &str) -> Option<()> {
        let is_same = |input: &MapInput| (input.kind, &*input.name, &*input.digest) == (kind, name, digest);
        let column = older.map.inputs.iter().position(is_same)?;
        let input = self.inputs.len();
        for (item, row) in &older.rows {
            let count = count_of(row, column);
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

/// An older map of the same build, with rows by item number.
pub struct OlderMap<'m> {
    map: &'m FunctionMap,
    rows: Vec<(usize, &'m str)>,
}

impl FunctionMap {
    /// Reads a map.
    /// Errors: the file cannot be read, or holds no map of this format.
    pub fn read(path: &Path) -> Result<FunctionMap> {
        let cannot =
            || format!("cannot read the map {}; `squall experiment cover --map FILE` makes one", path.display());
        if std::fs::metadata(path).with_context(cannot)?.len() > MAX_BYTES {
            bail!("{} is larger than 64 MiB, the limit of a map", path.display());
        }
        let text = String::from_utf8(files::named(path).with_context(cannot)?).with_context(cannot)?;
        let advice = || format!("{} is not a map; make one with `squall experiment cover --map FILE`", path.display());
        let map: FunctionMap = serde_json::from_str(&text).with_context(advice)?;
        if map.conditions.format != FORMAT {
            bail!("{} has another format; remove it and make the map again", path.display());
        }
        let is_whole = |function: &MappedFunction| {
            (function.file as usize) < map.files.len() && (function.row as usize) < map.rows.len()
        };
        let names = map.functions.iter().map(|function| &function.name).chain(&map.files);
        let mut names = names.chain(map.inputs.iter().map(|input| &input.name));
        if names.any(|name| name.contains(char::is_control))
            || !map.functions.iter().all(is_whole)
            || map.rows.iter().any(|row| row.len() != map.inputs.len())
            || map.inputs.iter().any(|input| input.scripts > MAX_SCRIPTS)
            || map.conditions.per > MAX_SCRIPTS
        {
            bail!("{} is damaged; remove it and make the map again", path.display());
        }
        Ok(map)
    }

    /// Writes the map atomically.
    /// Errors: the file cannot be written.
    pub fn write(&self, path: &Path) -> Result<()> {
        let text = serde_json::to_string(self)? + "\n";
        files::atomic::write(path, text.as_bytes()).with_context(|| format!("cannot write {}", path.display()))
    }

    /// Returns this map by the items of its build, to copy counts.
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
        self.rows.get(function.row as usize).map_or(0, |row| count_of(row, input))
    }

    /// Whether any input executes a function.
    pub fn is_executed(&self, function: &MappedFunction) -> bool {
        (0..self.inputs.len()).any(|input| self.count(function, input) > 0)
    }

    /// Returns the functions with this linker name, or else those whose source name ends with these parts, such as
    /// `solver::propagate`.
    pub fn named(&self, name: &str) -> Vec<&MappedFunction> {
        let exact: Vec<&MappedFunction> = self.functions.iter().filter(|function| function.name == name).collect();
        let is_named = |function: &&MappedFunction| {
            let source = source_name(&function.name);
            source.strip_suffix(name).is_some_and(|before| before.is_empty() || before.ends_with("::"))
        };
        if exact.is_empty() { self.functions.iter().filter(is_named).collect() } else { exact }
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

    /// Returns the functions that lines may belong to: those that begin in the range, and in each file the last that begin before
    /// it. Function ends are unknown, so lines after a function count to it.
    pub fn of_lines(&self, path: &str, first: u32, last: u32) -> Vec<&MappedFunction> {
        let functions = self.of_file(path);
        let mut before: BTreeMap<u32, u32> = BTreeMap::new();
        for function in functions.iter().filter(|function| function.line <= first) {
            let latest = before.entry(function.file).or_default();
            *latest = function.line.max(*latest);
        }
        let from = |function: &MappedFunction| before.get(&function.file).copied().unwrap_or(first);
        functions.into_iter().filter(|function| (from(function)..=last).contains(&function.line)).collect()
    }
}

fn count_of(row: &str, input: usize) -> u32 {
    row.as_bytes().get(input).and_then(|digit| (*digit as char).to_digit(36)).unwrap_or(0)
}

/// Whether a name goes on as `operator` and a sign or a type.
fn is_operator(before: &str, rest: &str) -> bool {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let after = rest.strip_prefix("operator").unwrap_or("a");
    !before.ends_with(is_word) && !after.starts_with(is_word) && !after.starts_with("::")
}

/// Returns a function's name in the source, without parameters, template arguments, closures and hashes: `sat::solver::propagate`. All
/// operators of a type are `operator`.
pub fn source_name(linker_name: &str) -> String {
    let readable = readable_name(linker_name).replace("(anonymous namespace)::", "");
    let (mut name, mut depth) = (String::new(), 0u32);
    for (at, c) in readable.char_indices() {
        match c {
            _ if depth == 0 && is_operator(&name, &readable[at..]) => {
                name.push_str("operator");
                break;
            }
            '<' => depth += 1,
            '>' => depth = depth.saturating_sub(1),
            '(' if depth == 0 => break,
            // The text before was the result type.
            ' ' if depth == 0 => name.clear(),
            _ if depth == 0 => name.push(c),
            _ => {}
        }
    }
    let parts = name.split("::").filter(|part| !part.is_empty() && !part.starts_with('{'));
    parts.collect::<Vec<&str>>().join("::")
}
