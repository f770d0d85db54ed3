//! Classes of bugs (Table 1 of the STORM paper, ESEC/FSE 2020, and more), by importance: a class is one row here.
//!
//! Symptoms of a class, and the sentences about it, are the rows of [`crate::failure`].

use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

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
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
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
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CountsUnder {
    /// All options.
    AnyOptions,
    /// Options that keep the standard's semantics.
    SoundOptions,
    /// Its defaults: others may make it slower or give up sooner.
    DefaultOptions,
}

/// What a collection of findings requires to keep a finding.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum KeptWith {
    /// A proof by our evaluator.
    Proof,
    /// Nothing: the run shows it.
    Nothing,
    /// The finding is not kept.
    Never,
}

/// The rule of a class in a SARIF log (OASIS standard 2.1.0).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
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
#[derive(Debug)]
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

const ERRS: [&str; 2] = ["errs", "err"];
const IS_RIGHT: [&str; 2] = ["is right", "are right"];
const STAYS_WRONG: [&str; 3] = ["the answer is right", "stays wrong", "the answer stays wrong"];

/// All classes, the most important first.
pub static CLASSES: [ClassRow; 9] = [
    ClassRow {
        class: BugClass::A,
        letter: "A",
        meaning: "unsat for a satisfiable script",
        noun: ["wrong unsat", "wrong unsats"],
        severity: BugSeverity::WrongAnswer,
        counts_under: CountsUnder::AnyOptions,
        kept_with: KeptWith::Proof,
        needs_another: false,
        claim: "Why the answer is wrong",
        errs: ERRS,
        is_right: IS_RIGHT,
        changed: STAYS_WRONG,
        sarif: SarifRule {
            name: "RefutationSoundness",
            short: "The solver says unsat for a satisfiable instance.",
            level: "error",
            tag: "soundness",
            why: "An assignment that makes every assertion true is in the finding's folder as witness.smt2, where there is one; any \
                  solver can check it. Where there is none, the property trust of the result says what the right answer rests on.",
        },
    },
    ClassRow {
        class: BugClass::B,
        letter: "B",
        meaning: "sat for an unsatisfiable script, or a wrong model",
        noun: ["wrong sat or model", "wrong sats or models"],
        severity: BugSeverity::WrongAnswer,
        counts_under: CountsUnder::SoundOptions,
        kept_with: KeptWith::Proof,
        needs_another: false,
        claim: "Why the answer is wrong",
        errs: ERRS,
        is_right: IS_RIGHT,
        changed: STAYS_WRONG,
        sarif: SarifRule {
            name: "SolutionSoundness",
            short: "The solver says sat for an unsatisfiable instance, or gives a wrong model.",
            level: "error",
            tag: "soundness",
            why: "No assignment makes every assertion true, or the solver's own model makes one of them false. The property trust of \
                  the result says what that rests on.",
        },
    },
    ClassRow {
        class: BugClass::X,
        letter: "X",
        meaning: "two answers that contradict each other",
        noun: ["contradiction", "contradictions"],
        severity: BugSeverity::WrongAnswer,
        counts_under: CountsUnder::SoundOptions,
        kept_with: KeptWith::Nothing,
        needs_another: false,
        claim: "Why one of the answers is wrong",
        errs: ["contradicts itself", "contradict themselves"],
        is_right: ["does not", "do not"],
        changed: ["the answers agree", "stays contradicted", "the contradiction stays"],
        sarif: SarifRule {
            name: "Contradiction",
            short: "The solver gives two answers that cannot both be right.",
            level: "error",
            tag: "soundness",
            why: "Both scripts are in the finding's folder, as first.smt2 and second.smt2. The record says as contradiction how they relate, \
                  and what the solver answers to each.",
        },
    },
    ClassRow {
        class: BugClass::P,
        letter: "P",
        meaning: "no proof that checks, where one is promised",
        noun: ["broken proof", "broken proofs"],
        severity: BugSeverity::BrokenPromise,
        counts_under: CountsUnder::SoundOptions,
        kept_with: KeptWith::Nothing,
        needs_another: false,
        claim: "What is wrong with the proof",
        errs: ["has none", "have none"],
        is_right: ["has a proof", "have a proof"],
        changed: ["the proof is whole", "stays broken", "the proof stays broken"],
        sarif: SarifRule {
            name: "BrokenProof",
            short: "The solver has no proof that checks for its unsat.",
            level: "warning",
            tag: "soundness",
            why: "A step of the proof is trusted and not proven in a mode that promises whole proofs, the solver's own check rejects \
                  it, or an assignment makes a step's premises true and its conclusion false. The proof, or what the solver printed in its place, is in the finding's folder as output.txt.",
        },
    },
    ClassRow {
        class: BugClass::D,
        letter: "D",
        meaning: "crash",
        noun: ["crash", "crashes"],
        severity: BugSeverity::Crash,
        counts_under: CountsUnder::AnyOptions,
        kept_with: KeptWith::Nothing,
        needs_another: false,
        claim: "",
        errs: ["crashes", "crash"],
        is_right: ["does not", "do not"],
        changed: ["it does not crash", "crashes", "it crashes"],
        sarif: SarifRule {
            name: "Crash",
            short: "The solver crashes.",
            level: "warning",
            tag: "reliability",
            why: "A signal, a failed assertion of the solver, or a sanitizer's report. What the solver printed is in the finding's \
                  folder as output.txt.",
        },
    },
    ClassRow {
        class: BugClass::E,
        letter: "E",
        meaning: "self-check that rejects a right model",
        noun: ["false self-check", "false self-checks"],
        severity: BugSeverity::Minor,
        counts_under: CountsUnder::SoundOptions,
        kept_with: KeptWith::Proof,
        needs_another: false,
        claim: "Why the model is right",
        errs: ERRS,
        is_right: IS_RIGHT,
        changed: STAYS_WRONG,
        sarif: SarifRule {
            name: "FalseSelfCheck",
            short: "The solver's own check rejects a model that is right.",
            level: "note",
            tag: "reliability",
            why: "An exact evaluator finds every assertion true under the model. The defect is in the check, not in the answer.",
        },
    },
    ClassRow {
        class: BugClass::C,
        letter: "C",
        meaning: "unknown where another release answers, or that the solver claims to decide",
        noun: ["unknown", "unknowns"],
        severity: BugSeverity::Minor,
        counts_under: CountsUnder::DefaultOptions,
        kept_with: KeptWith::Never,
        needs_another: true,
        claim: "Why there is an answer",
        errs: ERRS,
        is_right: IS_RIGHT,
        changed: ["it answers", "gives up", "it gives up"],
        sarif: SarifRule {
            name: "Incompleteness",
            short: "The solver gives up where another one answers.",
            level: "note",
            tag: "completeness",
            why: "Another release answers the instance under the same limits, or the solver claims to decide its logic. Every \
                  change of a heuristic changes where a solver gives up.",
        },
    },
    ClassRow {
        class: BugClass::S,
        letter: "S",
        meaning: "100 times slower than another release, or than another mode of the solver",
        noun: ["slow answer", "slow answers"],
        severity: BugSeverity::Minor,
        counts_under: CountsUnder::DefaultOptions,
        kept_with: KeptWith::Never,
        needs_another: true,
        claim: "",
        errs: ["is slow", "are slow"],
        is_right: ["is fast", "are fast"],
        changed: ["it is fast", "stays slow", "it stays slow"],
        sarif: SarifRule {
            name: "Slowness",
            short: "The solver takes 100 times the CPU time of another release, or of another of its modes.",
            level: "note",
            tag: "performance",
            why: "CPU times of three runs each, start included. The record has them, and by whom they were measured, as slowness.",
        },
    },
    ClassRow {
        class: BugClass::R,
        letter: "R",
        meaning: "rejection of what another release or solver accepts",
        noun: ["refusal", "refusals"],
        severity: BugSeverity::Minor,
        counts_under: CountsUnder::DefaultOptions,
        kept_with: KeptWith::Never,
        needs_another: true,
        claim: "Why it is to be read",
        errs: ["refuses it", "refuse it"],
        is_right: ["reads it", "read it"],
        changed: ["it is read", "stays refused", "it stays refused"],
        sarif: SarifRule {
            name: "Refusal",
            short: "The solver refuses to read a script of standard theories.",
            level: "note",
            tag: "completeness",
            why: "The script is sorted as the standard asks, its logic grants all that occurs in it, and the solver or release that is \
                  named reads it.",
        },
    },
];

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
