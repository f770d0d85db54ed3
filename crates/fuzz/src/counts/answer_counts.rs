//! Answers counted by who was asked, by which mutator and in which logic.

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use solver::outcome::{Answer, CheckAnswer};
use std::collections::BTreeMap;

/// The mutator named for seeds that are sent as they are.
pub const SEED_ITSELF: &str = "seed";

/// What answers are counted by.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct CellKey {
    /// The solver's name in reports, without options drawn for a unit.
    pub solver: String,
    /// The mutator, or [`SEED_ITSELF`].
    pub mutator: String,
    /// The seed's logic; empty where it names none.
    pub logic: String,
}

/// The counts of one cell.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Cell {
    /// Scripts sent.
    pub scripts: u64,
    /// Checks by the word of their answer.
    pub answers: BTreeMap<String, u64>,
}

impl Cell {
    /// Counts a script and the answers to it. What the campaign's end cut off is no answer.
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

/// One cell with what it is counted by.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct CellRow {
    /// By what.
    #[serde(flatten)]
    pub key: CellKey,
    /// The counts.
    #[serde(flatten)]
    pub cell: Cell,
}

/// All cells; there are as many as (solver, mutator, logic) met, however long the campaign.
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

    /// Answers by solver, added up over mutators and logics.
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

    /// All cells now, in order.
    pub fn snapshot(&self) -> Vec<(CellKey, Cell)> {
        let mut all: Vec<(CellKey, Cell)> = self.cells.iter().map(|(key, cell)| (key.clone(), cell.clone())).collect();
        all.sort_by(|a, b| a.0.cmp(&b.0));
        all
    }
}
