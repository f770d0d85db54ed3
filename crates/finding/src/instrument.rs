//! What a build of a solver checks or counts beyond its release.

use std::collections::BTreeSet;

/// Something that a solver is compiled with and its release is not, in the order of names.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Instrument {
    /// Assertions, which releases leave out.
    Assertions,
    /// AddressSanitizer.
    Address,
    /// UndefinedBehaviorSanitizer.
    Undefined,
    /// Counters of executed lines, as `gcov` reads them.
    Coverage,
}

impl Instrument {
    /// All of them, in order.
    pub const ALL: [Instrument; 4] =
        [Instrument::Assertions, Instrument::Address, Instrument::Undefined, Instrument::Coverage];

    /// Its name after a version: `z3@5.3.3+asan`.
    pub fn word(self) -> &'static str {
        match self {
            Instrument::Assertions => "assertions",
            Instrument::Address => "asan",
            Instrument::Undefined => "ubsan",
            Instrument::Coverage => "coverage",
        }
    }

    /// The one with this name.
    pub fn of(word: &str) -> Option<Instrument> {
        Instrument::ALL.into_iter().find(|instrument| instrument.word() == word)
    }

    /// Parses a text such as `assertions+asan`; `None` if it has another word.
    pub fn all_of(text: &str) -> Option<BTreeSet<Instrument>> {
        text.split('+').map(Instrument::of).collect()
    }
}
