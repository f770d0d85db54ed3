//! Measures what an instrumented build of a solver executed: lines, functions, branches or edges, by its own counters.

mod detect;
mod edges;
mod error;
mod gcov;
mod gcov_data;
mod gcov_file;
mod gcov_notes;
mod instrumented;
mod items;
mod lcov;
mod llvm;
mod shared_map;

pub use detect::Instrumentation;
pub use edges::{EDGE_RUNTIME, EdgeBuild};
pub use error::CoverageError;
pub use gcov::read_object;
pub use instrumented::InstrumentedBuild;
pub use items::{CoverageItem, CoverageItems, CoverageUnit, readable_name};
pub use lcov::read as read_tracefile;

/// The numbers of executed items.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct CoverageSet {
    words: Vec<u64>,
}

impl CoverageSet {
    /// Adds an item.
    pub fn insert(&mut self, number: usize) {
        let word = number / 64;
        if self.words.len() <= word {
            self.words.resize(word + 1, 0);
        }
        self.words[word] |= 1 << (number % 64);
    }

    /// Whether the set contains an item.
    pub fn contains(&self, number: usize) -> bool {
        self.words.get(number / 64).is_some_and(|word| word >> (number % 64) & 1 == 1)
    }

    /// Whether the sets have an item in common.
    pub fn meets(&self, other: &CoverageSet) -> bool {
        self.words.iter().zip(&other.words).any(|(word, other)| word & other != 0)
    }

    /// Adds all items of another one.
    pub fn add_all(&mut self, other: &CoverageSet) {
        if self.words.len() < other.words.len() {
            self.words.resize(other.words.len(), 0);
        }
        self.words.iter_mut().zip(&other.words).for_each(|(word, more)| *word |= more);
    }

    /// Returns the items that the other set lacks.
    pub fn without(&self, other: &CoverageSet) -> CoverageSet {
        let rest = |(at, word): (usize, &u64)| word & !other.words.get(at).copied().unwrap_or(0);
        CoverageSet { words: self.words.iter().enumerate().map(rest).collect() }
    }

    /// Returns the number of items.
    pub fn len(&self) -> usize {
        self.words.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.words.iter().all(|word| *word == 0)
    }

    /// Returns the numbers of the items, in order.
    pub fn iter(&self) -> impl Iterator<Item = usize> {
        let set = |(at, word): (usize, &u64)| {
            let word = *word;
            (0..64).filter(move |bit| word >> bit & 1 == 1).map(move |bit| at * 64 + bit)
        };
        self.words.iter().enumerate().flat_map(set)
    }

    /// Returns the number of items of a unit.
    pub fn count(&self, items: &CoverageItems, unit: CoverageUnit) -> usize {
        self.iter().filter(|at| items.get(*at).is_some_and(|item| item.unit == unit)).count()
    }

    /// Returns the set as hexadecimal digits, 16 for each 64 items.
    pub fn to_hex(&self) -> String {
        self.words.iter().map(|word| format!("{word:016x}")).collect()
    }

    /// Parses the text of [`CoverageSet::to_hex`]; `None` for any other text.
    pub fn from_hex(text: &str) -> Option<CoverageSet> {
        let digits = text.as_bytes().chunks(16);
        let word = |digits: &[u8]| {
            let is_whole = digits.len() == 16 && digits.iter().all(u8::is_ascii_hexdigit);
            u64::from_str_radix(std::str::from_utf8(digits).ok().filter(|_| is_whole)?, 16).ok()
        };
        Some(CoverageSet { words: digits.map(word).collect::<Option<_>>()? })
    }
}
