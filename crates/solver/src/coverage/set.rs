//! A set of items, one bit each.

use super::items::{CoverageItems, CoverageUnit};

/// Items that were executed, by their numbers.
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

    /// Whether an item is in it.
    pub fn contains(&self, number: usize) -> bool {
        self.words.get(number / 64).is_some_and(|word| word >> (number % 64) & 1 == 1)
    }

    /// Adds all items of another one.
    pub fn add_all(&mut self, other: &CoverageSet) {
        if self.words.len() < other.words.len() {
            self.words.resize(other.words.len(), 0);
        }
        self.words.iter_mut().zip(&other.words).for_each(|(word, more)| *word |= more);
    }

    /// The items that are in this one and not in the other.
    pub fn without(&self, other: &CoverageSet) -> CoverageSet {
        let rest = |(at, word): (usize, &u64)| word & !other.words.get(at).copied().unwrap_or(0);
        CoverageSet { words: self.words.iter().enumerate().map(rest).collect() }
    }

    /// How many items there are.
    pub fn len(&self) -> usize {
        self.words.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.words.iter().all(|word| *word == 0)
    }

    /// The numbers of the items, in order.
    pub fn iter(&self) -> impl Iterator<Item = usize> {
        let set = |(at, word): (usize, &u64)| {
            let word = *word;
            (0..64).filter(move |bit| word >> bit & 1 == 1).map(move |bit| at * 64 + bit)
        };
        self.words.iter().enumerate().flat_map(set)
    }

    /// How many items of a unit there are.
    pub fn count(&self, items: &CoverageItems, unit: CoverageUnit) -> usize {
        self.iter().filter(|at| items.get(*at).is_some_and(|item| item.unit == unit)).count()
    }

    /// The set in hexadecimal digits, 16 for each 64 items.
    pub fn to_hex(&self) -> String {
        self.words.iter().map(|word| format!("{word:016x}")).collect()
    }

    /// The set that [`CoverageSet::to_hex`] wrote; none where the text is something else.
    pub fn from_hex(text: &str) -> Option<CoverageSet> {
        let digits = text.as_bytes().chunks(16);
        let word = |digits: &[u8]| {
            let is_whole = digits.len() == 16 && digits.iter().all(u8::is_ascii_hexdigit);
            u64::from_str_radix(std::str::from_utf8(digits).ok().filter(|_| is_whole)?, 16).ok()
        };
        Some(CoverageSet { words: digits.map(word).collect::<Option<_>>()? })
    }
}
