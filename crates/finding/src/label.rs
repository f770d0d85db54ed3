//! The parts of a solver's name in reports, with what a build has beyond its release.

use std::cmp::Ordering;
use std::collections::BTreeSet;

/// The parts of a label: of a known solver `z3+z3str3@4.8.7`, with variant and version in either order, or of a program named by its
/// path `./build/z3@4.8.7`. The latter is the user's own build, whatever its version; so is a known solver compiled with more than
/// its release, as in `z3@5.3.3+assertions`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SolverLabel<'l> {
    /// The solver's name, or the program's path.
    pub name: &'l str,
    /// The version.
    pub version: Option<&'l str>,
    /// The named variant.
    pub variant: Option<&'l str>,
    /// What the solver was compiled with that its release lacks, in [`Instrument`] names: `assertions+asan`.
    pub instruments: Option<&'l str>,
}

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

impl<'l> SolverLabel<'l> {
    /// Parses a label.
    pub fn of(label: &'l str) -> SolverLabel<'l> {
        // A path may contain any character; the version follows the '@' of its last part.
        if let Some(slash) = label.rfind('/') {
            let at = label[slash..].rfind('@').map(|at| slash + at);
            let (name, version) = at.map_or((label, None), |at| (&label[..at], Some(&label[at + 1..])));
            return SolverLabel { name, version, variant: None, instruments: None };
        }
        // After a version comes a variant or what it was compiled with: no variant has such a name.
        let behind = label.split_once('@').and_then(|(_, version)| version.split_once('+'));
        let instruments = behind.map(|(_, words)| words).filter(|words| Instrument::all_of(words).is_some());
        let label = instruments.map_or(label, |words| &label[..label.len() - words.len() - 1]);
        let name = label.split(['@', '+']).next().unwrap_or(label);
        let after = |mark: char| {
            let (_, rest) = label.split_once(mark)?;
            rest.split(['@', '+']).next().filter(|part| !part.is_empty())
        };
        SolverLabel { name, version: after('@'), variant: after('+'), instruments }
    }

    /// The order in which labels are listed: by name, then from the oldest version to the newest. `z3@4.8.5` comes before `z3@4.15.4`.
    pub fn order(a: &str, b: &str) -> Ordering {
        fn key(label: &str) -> (&str, Vec<u64>) {
            let parts = SolverLabel::of(label);
            let version = parts.version.unwrap_or_default();
            let numbers = version.split(|c: char| !c.is_ascii_digit()).map_while(|digits| digits.parse::<u64>().ok());
            (parts.name, numbers.collect())
        }
        key(a).cmp(&key(b)).then_with(|| a.cmp(b))
    }

    /// Whether the solver is not a release: a program named by its path, or compiled with more than a release.
    pub fn is_own_build(&self) -> bool {
        self.is_path() || self.instruments.is_some()
    }

    /// Whether the solver is a program named by its path.
    pub fn is_path(&self) -> bool {
        self.name.contains('/')
    }

    /// Returns the name of the program's file, or of the solver.
    pub fn file_name(&self) -> &'l str {
        self.name.rsplit('/').next().unwrap_or(self.name)
    }
}

impl Instrument {
    /// All of them, in order.
    pub const ALL: [Instrument; 4] =
        [Instrument::Assertions, Instrument::Address, Instrument::Undefined, Instrument::Coverage];

    /// Returns its name after a version: `z3@5.3.3+asan`.
    pub fn word(self) -> &'static str {
        match self {
            Instrument::Assertions => "assertions",
            Instrument::Address => "asan",
            Instrument::Undefined => "ubsan",
            Instrument::Coverage => "coverage",
        }
    }

    /// Returns the one with this name.
    pub fn of(word: &str) -> Option<Instrument> {
        Instrument::ALL.into_iter().find(|instrument| instrument.word() == word)
    }

    /// Parses a text such as `assertions+asan`; `None` if it has another word.
    pub fn all_of(text: &str) -> Option<BTreeSet<Instrument>> {
        text.split('+').map(Instrument::of).collect()
    }
}
