//! Classes of bugs (Table 1 of the STORM paper, ESEC/FSE 2020, and more), by importance: a class is one row here.
//!
//! Symptoms of a class, and the sentences about it, are the rows of [`crate::failure`].

use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;
use std::sync::LazyLock;

/// A class of bugs. The order is by importance, most important first: wrong answers, broken promises about them, crashes, false alarms
/// of the solver itself, giving up, slowness, and last refusals to read.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Deserialize, Serialize)]
pub enum BugClass {
    /// Refutation soundness: the solver answers `unsat` to a satisfiable instance.
    A,
    /// Solution soundness: the solver answers `sat` to an unsatisfiable instance, or gives a wrong model.
    B,
    /// Contradiction: two answers of the solver that cannot both be right, where it is not known which one is wrong.
    X,
    /// Proof: the solver gives no complete proof of its `unsat` in a mode that promises one, its own check rejects the proof, or a step
    /// does not follow.
    P,
    /// The solver crashes.
    D,
    /// False self-check: the solver says that its own answer is wrong, and our evaluator proves the answer right.
    E,
    /// Incompleteness: the solver says `unknown` where another release answers, or although it claims to decide the
    /// logic.
    C,
    /// Slowness: the solver takes 100 times the CPU time of another release or mode.
    S,
    /// Refusal: the solver refuses to read a script of standard theories that another solver or release reads.
    R,
}

/// The severity of a class, worst first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Deserialize)]
pub enum BugSeverity {
    /// An answer, a model or a value is wrong.
    WrongAnswer,
    /// The answer may be right, but a promise about it is broken.
    BrokenPromise,
    /// The solver ends without an answer.
    Crash,
    /// Anything less.
    Minor,
}

/// The solver options under which a hit counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
pub enum CountsUnder {
    /// All options.
    AnyOptions,
    /// Options that keep the standard's semantics.
    SoundOptions,
    /// Its defaults: others may make it slower or give up sooner.
    DefaultOptions,
}

/// What a collection of findings requires to keep a finding.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
pub enum KeptWith {
    /// A proof by our evaluator.
    Proof,
    /// Nothing: the run shows it.
    Nothing,
    /// The finding is not kept.
    Never,
}

/// The rule of a class in a SARIF log (OASIS standard 2.1.0).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
pub struct SarifRule {
    /// The rule's name.
    pub name: &'static str,
    /// What the solver does, in one sentence.
    pub short: &'static str,
    /// `error`, `warning` or `note`.
    pub level: &'static str,
    /// The affected quality.
    pub tag: &'static str,
    /// Help for readers of a result.
    pub why: &'static str,
}

/// A class of bugs, with what its findings have in common.
#[derive(Debug, Deserialize)]
pub struct ClassRow {
    /// The class.
    pub class: BugClass,
    /// The letter by which records and command lines name it.
    pub letter: &'static str,
    /// What the class means, in a few words.
    pub meaning: &'static str,
    /// The noun for one finding, and for several.
    pub noun: [&'static str; 2],
    /// How bad it is.
    pub severity: BugSeverity,
    /// Under which options a hit counts.
    pub counts_under: CountsUnder,
    /// What makes a finding worth keeping.
    pub kept_with: KeptWith,
    /// Whether a hit is a bug only because another solver or release does better, so that a single run proves nothing.
    pub needs_another: bool,
    /// The heading of the reasons in a report; empty if the run itself is the reason.
    pub claim: &'static str,
    /// The verb for releases that err, singular and plural.
    pub errs: [&'static str; 2],
    /// The verb for releases that do not err, singular and plural.
    pub is_right: [&'static str; 2],
    /// The effect of a change: the bug vanishes, stays (after another clause), stays.
    pub changed: [&'static str; 3],
    /// Its rule in a SARIF log.
    pub sarif: SarifRule,
}

/// All classes, the most important first: the rows of `classes.json`.
pub static CLASSES: LazyLock<Vec<ClassRow>> = LazyLock::new(|| {
    serde_json::from_str(include_str!("classes.json")).expect("the embedded table has a row for each class")
});

impl BugClass {
    /// Returns all classes, the most important first.
    pub fn all() -> impl Iterator<Item = BugClass> {
        CLASSES.iter().map(|row| row.class)
    }

    /// Returns the row of the class.
    pub fn row(self) -> &'static ClassRow {
        &CLASSES[self as usize]
    }

    /// Returns the letter by which records and command lines name it.
    pub fn letter(self) -> &'static str {
        self.row().letter
    }

    /// What the class means, in a few words.
    pub fn meaning(self) -> &'static str {
        self.row().meaning
    }

    /// How bad it is.
    pub fn severity(self) -> BugSeverity {
        self.row().severity
    }

    /// Whether a hit is a bug only because another solver or release does better.
    pub fn needs_another(self) -> bool {
        self.row().needs_another
    }

    /// Whether an answer, a model or a value is wrong.
    pub fn is_wrong_answer(self) -> bool {
        self.severity() == BugSeverity::WrongAnswer
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
        let mut letters: Vec<&str> = BugClass::all().map(BugClass::letter).collect();
        letters.sort_unstable();
        let last = letters.pop().unwrap_or_default();
        write!(f, "unknown class '{}'; expected {} or {last}", self.0, letters.join(", "))
    }
}

impl std::error::Error for UnknownClass {}

impl FromStr for BugClass {
    type Err = UnknownClass;

    fn from_str(text: &str) -> Result<BugClass, UnknownClass> {
        let found = BugClass::all().find(|class| class.letter() == text);
        found.ok_or_else(|| UnknownClass(text.to_string()))
    }
}
