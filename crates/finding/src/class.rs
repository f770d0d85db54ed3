//! Classes of bugs (Table 1 of the STORM paper, ESEC/FSE 2020, and one more), in their one order of importance.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// A class of bugs. The order is that of importance, the most important first: wrong answers before crashes, crashes before
/// false alarms of the solver itself, these before giving up, and slowness last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Deserialize, Serialize)]
pub enum BugClass {
    /// Refutation soundness: the solver says `unsat` of a satisfiable instance.
    A,
    /// Solution soundness: the solver says `sat` of an unsatisfiable instance, or gives a wrong model.
    B,
    /// The solver crashes.
    D,
    /// False self-check: the solver says that its own answer is wrong, and our evaluator proves the answer right.
    E,
    /// Incompleteness: the solver says `unknown` where another release of it answers, or where it claims to decide the logic.
    C,
    /// Slowness: the solver takes 100 times the CPU time that another release of it, or another of its modes, takes.
    S,
}

impl BugClass {
    /// All classes, the most important first.
    pub const ALL: [BugClass; 6] = [BugClass::A, BugClass::B, BugClass::D, BugClass::E, BugClass::C, BugClass::S];

    /// The letter by which records and command lines name it.
    pub fn letter(self) -> &'static str {
        match self {
            BugClass::A => "A",
            BugClass::B => "B",
            BugClass::C => "C",
            BugClass::D => "D",
            BugClass::E => "E",
            BugClass::S => "S",
        }
    }

    /// What it means, in a few words.
    pub fn meaning(self) -> &'static str {
        match self {
            BugClass::A => "unsat for a satisfiable script",
            BugClass::B => "sat for an unsatisfiable script, or a wrong model",
            BugClass::C => "unknown where another release answers, or that the solver claims to decide",
            BugClass::D => "crash",
            BugClass::E => "self-check that rejects a right model",
            BugClass::S => "100 times slower than another release, or than another mode of the solver",
        }
    }
}

impl fmt::Display for BugClass {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.letter())
    }
}

/// A text that names no class.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnknownClass(String);

impl fmt::Display for UnknownClass {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "unknown class '{}'; expected A, B, C, D, E or S", self.0)
    }
}

impl std::error::Error for UnknownClass {}

impl FromStr for BugClass {
    type Err = UnknownClass;

    fn from_str(text: &str) -> Result<BugClass, UnknownClass> {
        let found = BugClass::ALL.into_iter().find(|class| class.letter() == text);
        found.ok_or_else(|| UnknownClass(text.to_string()))
    }
}
