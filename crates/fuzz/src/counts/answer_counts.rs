//! Answers counted by solver, mutator and logic.

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use solver::outcome::{Answer, CheckAnswer};
use std::collections::BTreeMap;

/// The mutator name for unmutated seeds.
pub const SEED_ITSELF: &str = "seed";

/// The key of a cell.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct CellKey {
    /// The solver's name in reports, without options drawn for a unit.
    pub solver: String,
    /// The mutator, or [`SEED_ITSELF`].
    pub mutator: String,
    /// The seed's logic; empty if it has none.
    pub logic: String,
}

/// The counts of one cell.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Cell {
    /// Scripts sent.
    pub scripts: u64,
    /// Checks by answer.
    pub answers: BTreeMap<String, u64>,
}

impl Cell {
    /// Counts a script and its answers. Answers cut off by the campaign's end are ignored.
    pub fn count(&mut self, answers: &[CheckAnswer]) {
        self.scripts += 1;
        for check in answers.iter().filter(|check| check.answer != Answer::Cancelled) {
            match self.answers.get_mut(check.answer.word()) {
                Some(n) => *n += 1,
                None => drop(self.answers.insert(check.answer.word().to_string(), 1)),
            }
        }
    }

    /// Adds another cell's counts.
    pub fn add(&mut self, other: &Cell) {
        self.scripts += other.scripts;
        for (word, n) in &other.answers {
            *self.answers.entry(word.clone()).or_default() += n;
        }
    }
}

/// A cell with its key.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct CellRow {
    /// The key.
    #[serde(flatten)]
    pub key: CellKey,
    /// The counts.
    #[serde(flatten)]
    pub cell: Cell,
}

/// All cells: one per (solver, mutator, logic), however long the campaign.
#[derive(Debug, Default)]
pub struct AnswerCounts {
    cells: FxHashMap<CellKey, Cell>,
}

impl AnswerCounts {
    /// Adds the counts of a unit of work.
    pub fn add(&mut self, key: CellKey, unit: &Cell) {
        if unit.scripts > 0 {
            self.cells.entry(key).or_default().add(unit);
        }
    }

    /// Returns answers by solver, summed over mutators and logics.
    pub fn by_solver(&self) -> BTreeMap<String, BTreeMap<String, u64>> {
        let mut all: BTreeMap<String, BTreeMap<String, u64>> = BTreeMap::new();
        for (key, cell) in &self.cells {
            let of_solver = match all.get_mut(&key.solver) {
                Some(of_solver) => of_solver,
                None => all.entry(key.solver.clone()).or_default(),
            };
            for (word, n) in &cell.answers {
                match of_solver.get_mut(word) {
                    Some(sum) => *sum += n,
                    None => drop(of_solver.insert(word.clone(), *n)),
                }
            }
        }
        all
    }

    /// Returns all current cells, in order.
    pub fn snapshot(&self) -> Vec<(CellKey, Cell)> {
        let mut all: Vec<(CellKey, Cell)> = self.cells.iter().map(|(key, cell)| (key.clone(), cell.clone())).collect();
        all.sort_by(|a, b| a.0.cmp(&b.0));
        all
    }
}
