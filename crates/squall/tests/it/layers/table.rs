//! The table of layers: which crate, and which folder or root file of a crate, may import which.

use crate::layers::graph::Graph;
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};

/// Root files, which are above all else in their crates.
const ROOTS: [&str; 2] = ["lib", "main"];

/// The suffix of a folder of which each entry is a unit.
const EACH: &str = "/*";

/// The table, `layers.toml`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Table {
    /// The crates from the lowest to the highest.
    #[serde(rename = "crate")]
    pub crates: Vec<Layers>,
}

/// The layers of one crate.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Layers {
    pub name: String,
    /// From the lowest to the highest, each a list of folders and root files that do not import each other; those joined by `+` do.
    pub layers: Vec<String>,
}

impl Layers {
    /// Messages about imports that the table forbids and units that it lacks.
    pub fn violations(&self, graph: &Graph) -> Vec<String> {
        // By unit, the number of its layer, and the place of the units that it is joined with.
        let mut heights: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
        let unit_of = |file| self.unit_of(file);
        let row_of = |unit| self.row_of(unit);
        let mut wrong = Vec::new();
        for (height, layer) in self.layers.iter().enumerate() {
            for (place, joined) in layer.split_whitespace().enumerate() {
                for unit in joined.split('+') {
                    if heights.insert(unit, (height, place)).is_some() {
                        wrong.push(format!("{}: `{unit}` stands twice in the table", self.name));
                    }
                }
            }
        }
        let units: BTreeSet<&str> =
            graph.keys().map(|file| row_of(unit_of(file))).filter(|unit| !ROOTS.contains(unit)).collect();
        let known: BTreeSet<&str> = heights.keys().copied().collect();
        wrong.extend(units.difference(&known).map(|unit| format!("{}: `{unit}` is not in the table", self.name)));
        wrong.extend(known.difference(&units).map(|unit| format!("{}: there is no `{unit}` any more", self.name)));
        heights.extend(ROOTS.map(|root| (root, (self.layers.len(), 0))));
        for (file, imports) in graph {
            for (to, path) in imports {
                let units = [unit_of(file), unit_of(to)];
                let [Some(from), Some(below)] = units.map(|unit| heights.get(row_of(unit))) else { continue };
                let is_one = from == below && (units[0] == units[1] || !row_of(units[0]).ends_with(EACH));
                if !is_one && below.0 >= from.0 {
                    wrong.push(format!("{}: {file} imports {to}, which is no layer below it (`{path}`)", self.name));
                }
            }
        }
        wrong
    }
}

impl Layers {
    /// The folder or root file that a file belongs to, or the entry of a folder whose entries are units.
    fn unit_of<'f>(&self, file: &'f str) -> &'f str {
        let Some((folder, rest)) = file.split_once('/') else { return file };
        let end = rest.find('/').unwrap_or(rest.len());
        if self.names(&format!("{folder}{EACH}")).is_some() { &file[..folder.len() + 1 + end] } else { folder }
    }

    /// The name of a unit in the table.
    fn row_of<'u>(&'u self, unit: &'u str) -> &'u str {
        let each = unit.split_once('/').map(|(folder, _)| format!("{folder}{EACH}"));
        self.names(unit).or_else(|| self.names(&each?)).unwrap_or(unit)
    }

    /// A word of the table, if it exists.
    fn names(&self, word: &str) -> Option<&str> {
        self.layers.iter().flat_map(|layer| layer.split([' ', '+'])).find(|unit| *unit == word)
    }
}

impl Table {
    /// Messages about crates that depend on one that is not below them. `dependencies` holds those of each crate in the workspace.
    pub fn upward_dependencies(&self, dependencies: &BTreeMap<String, Vec<String>>) -> Vec<String> {
        let place = |name: &str| self.crates.iter().position(|layers| layers.name == name);
        let mut wrong = Vec::new();
        for (name, needed) in dependencies {
            let Some(own) = place(name) else {
                wrong.push(format!("the crate `{name}` is not in the table"));
                continue;
            };
            for other in needed {
                if place(other).is_none_or(|other| other >= own) {
                    wrong.push(format!("the crate `{name}` depends on `{other}`, which does not stand before it"));
                }
            }
        }
        let gone = self.crates.iter().filter(|layers| !dependencies.contains_key(&layers.name));
        wrong.extend(gone.map(|layers| format!("there is no crate `{}` any more", layers.name)));
        wrong
    }
}
