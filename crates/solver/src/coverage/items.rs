//! The items that a build could execute.

use serde::{Deserialize, Serialize};
use std::collections::HashMap;

/// The unit of counting.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CoverageUnit {
    /// A line of a source file.
    Line,
    /// A function; instances of a template are functions of their own.
    Function,
    /// One of the branches of a condition.
    Branch,
    /// An edge, or block, of the compiled program, without a source location.
    Edge,
}

impl CoverageUnit {
    /// All units, in order.
    pub const ALL: [CoverageUnit; 4] =
        [CoverageUnit::Line, CoverageUnit::Function, CoverageUnit::Branch, CoverageUnit::Edge];

    /// Returns its plural.
    pub fn plural(self) -> &'static str {
        match self {
            CoverageUnit::Line => "lines",
            CoverageUnit::Function => "functions",
            CoverageUnit::Branch => "branches",
            CoverageUnit::Edge => "edges",
        }
    }
}

/// An item that may be executed. Code compiled several times, such as an inline function of a header, is one item.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct CoverageItem {
    /// Its unit.
    pub unit: CoverageUnit,
    /// The source file, by its number; 0 for an edge.
    pub file: u32,
    /// The line, from 1; the first one of a function; 0 for an edge.
    pub line: u32,
    /// The function, by the number of its name, if the item is one or is distinguished by it.
    pub name: u32,
    /// Its number among the items of the same location.
    pub number: u32,
}

/// The items that a build could execute.
#[derive(Clone, Default, Debug)]
pub struct CoverageItems {
    files: Names,
    names: Names,
    items: Vec<CoverageItem>,
    index: HashMap<CoverageItem, u32>,
}

#[derive(Clone, Default, Debug)]
struct Names {
    list: Vec<String>,
    index: HashMap<String, u32>,
}

impl Names {
    fn number(&mut self, name: &str) -> u32 {
        if let Some(known) = self.index.get(name) {
            return *known;
        }
        let number = self.list.len() as u32;
        self.list.push(name.to_string());
        self.index.insert(name.to_string(), number);
        number
    }
}

impl CoverageItems {
    /// Makes the given number of edges.
    pub fn edges(count: usize) -> CoverageItems {
        let mut all = CoverageItems::default();
        let (file, name) = (all.files.number(""), all.names.number(""));
        let edge = |number| CoverageItem { unit: CoverageUnit::Edge, file, line: 0, name, number };
        all.items = (0..count as u32).map(edge).collect();
        all
    }

    /// Returns the number of a new or known item of a source file. Only functions, and branches distinguished by them, have a name.
    pub(super) fn add(&mut self, unit: CoverageUnit, place: (&str, u32), name: &str, number: u32) -> u32 {
        let (file, name) = (self.files.number(place.0), self.names.number(name));
        let item = CoverageItem { unit, file, line: place.1, name, number };
        let next = self.items.len() as u32;
        let known = *self.index.entry(item).or_insert(next);
        if known == next {
            self.items.push(item);
        }
        known
    }

    /// Returns the number of items.
    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// Returns all items, in order of their numbers.
    pub fn iter(&self) -> impl Iterator<Item = &CoverageItem> {
        self.items.iter()
    }

    /// Returns the item with a number.
    pub fn get(&self, number: usize) -> Option<&CoverageItem> {
        self.items.get(number)
    }

    /// Returns the number of items of a unit.
    pub fn count(&self, unit: CoverageUnit) -> usize {
        self.items.iter().filter(|item| item.unit == unit).count()
    }

    /// Returns the units of its items.
    pub fn units(&self) -> Vec<CoverageUnit> {
        let has = |unit: &CoverageUnit| self.items.iter().any(|item| item.unit == *unit);
        CoverageUnit::ALL.into_iter().filter(has).collect()
    }

    /// Returns the path of an item's source file.
    pub fn file(&self, item: &CoverageItem) -> &str {
        self.files.list.get(item.file as usize).map_or("", String::as_str)
    }

    /// Returns the linker's name of an item's function.
    pub fn name(&self, item: &CoverageItem) -> &str {
        self.names.list.get(item.name as usize).map_or("", String::as_str)
    }

    /// Returns SHA-256 of all items, in hexadecimal, which identifies the build.
    pub fn digest(&self) -> String {
        let place = |item: &CoverageItem| {
            format!("{:?} {} {} {}\n{}", item.unit, self.file(item), item.line, item.number, self.name(item))
        };
        files::digest::sha256(self.items.iter().map(place).collect::<String>().as_bytes())
    }
}

/// Returns the source name of a function: demangled if it is a name of C++ or Rust, without Rust's hash, else the name itself.
pub fn readable_name(name: &str) -> String {
    // Rust's older names are names of C++ that end with a hash.
    let hash = name.strip_suffix('E').and_then(|name| name.rsplit_once("17h")).map(|(_, hash)| hash);
    if name.starts_with("_R") || hash.is_some_and(|hash| hash.len() == 16) {
        return format!("{:#}", rustc_demangle::demangle(name));
    }
    let demangled = cpp_demangle::Symbol::new(name).ok().and_then(|symbol| symbol.demangle().ok());
    demangled.unwrap_or_else(|| name.to_string())
}

/// Whether a file is a system header, which is not part of the solver.
pub(super) fn is_of_system(path: &str) -> bool {
    ["/usr/include/", "/usr/lib/", "/usr/lib64/", "/usr/local/include/", "/opt/"].iter().any(|at| path.starts_with(at))
}

#[cfg(test)]
#[path = "../../tests/unit/items.rs"]
mod tests;
