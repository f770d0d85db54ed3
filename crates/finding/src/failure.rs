//! The ways in which a solver fails, one row each: its symptoms, what must be observed, and the sentences about it.

use crate::class::BugClass;
use crate::symptom::{UNKNOWN, WRONG_MODEL, WRONG_OPTIMUM, WRONG_VALUE};
use std::fmt;
use std::str::FromStr;

/// What the solver does wrong.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FailureKind {
    /// The solver says `unsat`, and a model exists (class A).
    Unsat,
    /// The solver says `sat`, and no model exists (class B).
    Sat,
    /// The solver says `sat` and gives a model under which our evaluator finds an assertion false (class B).
    InvalidModel,
    /// The solver reports itself that its answer is wrong: a model or core fails its own check (class A or B).
    SelfCheck,
    /// The solver reports itself that its model is wrong, and our evaluator proves the model right (class E).
    FalseSelfCheck,
    /// The solver says `unknown`, and others answer (class C).
    Unknown,
    /// The solver gives two answers that cannot both be right (class X).
    Contradiction,
    /// The solver crashes (class D).
    Crash,
    /// The solver takes 100 times the CPU time of another release or mode (class S).
    Slow,
    /// Its proof has a hole although it promises none, its own check rejects the proof, or a step does not follow
    /// (class P).
    BrokenProof,
    /// The solver refuses to read the script, and others read it (class R).
    Refused,
}

/// What to observe in a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Observation {
    /// Answers, crashes, and the solver's self-checks.
    Answers,
    /// The models after `sat`, for which the text asks.
    Models,
    /// The answers, and the model given with an answer that the solver calls wrong.
    SelfCheck,
    /// The CPU time, and that of another release or mode.
    CpuTime,
    /// Errors before the answers.
    Refusals,
    /// The answers to two scripts that follow from the text.
    Pairs,
    /// The printed proof, and the result of the solver's own proof check.
    Proof,
}

/// A way to fail. [`fill`] replaces each `{name}` in the sentences.
#[derive(Debug)]
pub struct FailureRow {
    /// What the solver does wrong.
    pub kind: FailureKind,
    /// The name on the command line.
    pub name: &'static str,
    /// The class.
    pub class: BugClass,
    /// Its symptoms; none: all symptoms that no row before it has.
    symptoms: &'static [&'static str],
    /// Whether the symptom alone identifies the cause.
    pub tells: bool,
    /// What must be observed for it to show.
    pub observation: Observation,
    /// What the solver does, for titles and explanations.
    pub does: &'static str,
    /// What the solver did, for the record's summary.
    pub summary: &'static str,
    /// The right answer to the check, if the failure implies it.
    pub right: Option<&'static str>,
    /// What a report expects.
    pub expected: &'static str,
    /// What a report says that the solver does.
    pub actual: &'static str,
    /// The answers of a release that errs, and of one that does not, in a table of releases.
    pub answers: [&'static str; 2],
    /// The heading of the values in a report.
    pub values: &'static str,
    /// Why the solver is wrong: by one assignment that our evaluator checks, by all assignments, or by the run itself.
    pub why: [&'static str; 3],
}

const BY_ALL: &str = "No assignment makes every assertion true: the symbols range over few values, and an exact evaluator tried them all, \
                      without any solver.";
const DECIDED: &str = "An exact evaluator decides the script, without any solver: the answer is known.";
const OWN_WORD: &str = "The solver itself says so, when asked to check its model.";
const MODEL_REFUTED: &str = "The solver's own model makes an assertion false; that was checked by an exact evaluator.";

/// The defaults of most rows.
const REST: FailureRow = FailureRow {
    kind: FailureKind::Unknown,
    name: "",
    class: BugClass::C,
    symptoms: &[],
    tells: false,
    observation: Observation::Answers,
    does: "",
    summary: "",
    right: None,
    expected: "{right}",
    actual: "",
    answers: ["", "right"],
    values: "Values",
    why: [MODEL_REFUTED, BY_ALL, OWN_WORD],
};

/// Giving up without a stated reason.
const UNKNOWN_ROW: FailureRow = FailureRow {
    name: "unknown",
    symptoms: &[UNKNOWN, ""],
    does: "answers unknown on a script{about}{reason}",
    summary: "{solver} says unknown{check} {where}{mode}",
    actual: "unknown{for}",
    answers: ["unknown", "answers"],
    why: [DECIDED, DECIDED, OWN_WORD],
    ..REST
};

/// A wrong model.
const WRONG_MODEL_ROW: FailureRow = FailureRow {
    kind: FailureKind::InvalidModel,
    name: "invalid-model",
    class: BugClass::B,
    symptoms: &[WRONG_MODEL],
    observation: Observation::Models,
    does: "gives a wrong model for a script{about}",
    summary: "{solver} says sat{check}, and its model makes assertion {number} false{mode}",
    expected: "a model that makes every assertion true",
    actual: "sat, with a model that makes an assertion false",
    answers: ["wrong model", "right"],
    values: "Values in the solver's model",
    ..REST
};

/// All ways to fail. A finding belongs to the first row whose class and symptom match.
pub static FAILURES: [FailureRow; 15] = [
    FailureRow {
        kind: FailureKind::Unsat,
        name: "unsat",
        class: BugClass::A,
        symptoms: &["unsat", "sat"],
        does: "answers unsat on a satisfiable script{about}",
        summary: "{solver} says unsat{check} of a satisfiable instance{mode}",
        right: Some("sat"),
        expected: "sat",
        actual: "unsat",
        answers: ["unsat (wrong)", "sat (right)"],
        why: [
            "There is an assignment that makes every assertion true; it was checked by an exact evaluator, without any solver.",
            "An assignment makes every assertion true: the symbols range over few values, and an exact evaluator tried them.",
            OWN_WORD,
        ],
        ..REST
    },
    FailureRow {
        kind: FailureKind::Sat,
        name: "sat",
        class: BugClass::B,
        symptoms: &["sat", "unsat"],
        does: "answers sat on an unsatisfiable script{about}",
        summary: "{solver} says sat{check} of an unsatisfiable instance{mode}",
        right: Some("unsat"),
        expected: "unsat",
        actual: "sat",
        answers: ["sat (wrong)", "unsat (right)"],
        ..REST
    },
    WRONG_MODEL_ROW,
    FailureRow {
        symptoms: &[WRONG_VALUE],
        does: "gives values that contradict its model of a script{about}",
        summary: "{solver} says sat{check}, and gives a value that contradicts its model{mode}",
        expected: "the value that the term has under the model",
        actual: "(get-value …) contradicts (get-model)",
        why: [
            "The value that the solver gives is not the one under its own model; that was computed by an exact evaluator.",
            BY_ALL,
            OWN_WORD,
        ],
        ..WRONG_MODEL_ROW
    },
    FailureRow {
        symptoms: &[WRONG_OPTIMUM],
        does: "misses the optimum of a script{about}",
        summary: "{solver} says sat{check}, and misses the best value of objective {number}{mode}",
        expected: "the best value of each objective",
        actual: "a value that is not the best one",
        answers: ["wrong optimum", "right"],
        why: [
            "An assignment makes every assertion true and shows another best value; an exact evaluator tried them all.",
            "The symbols range over few values, and an exact evaluator tried them all: the objective has another best value.",
            OWN_WORD,
        ],
        ..WRONG_MODEL_ROW
    },
    FailureRow {
        kind: FailureKind::SelfCheck,
        name: "self-check",
        class: BugClass::B,
        tells: true,
        observation: Observation::SelfCheck,
        does: "rejects its own model of a script{about} ({said})",
        summary: "{solver} says itself that its answer{check} is wrong{mode}: {symptom}",
        expected: "a model that the solver itself accepts",
        actual: "sat, and then about its own model: {said}",
        answers: ["rejects its own model", "right"],
        values: "Values in the solver's model",
        ..REST
    },
    FailureRow {
        kind: FailureKind::SelfCheck,
        name: "self-check",
        class: BugClass::A,
        tells: true,
        observation: Observation::SelfCheck,
        does: "rejects its own answer on a script{about} ({said})",
        summary: "{solver} says itself that its answer{check} is wrong{mode}: {symptom}",
        expected: "an answer that the solver itself accepts",
        actual: "unsat, and then about its own answer: {said}",
        answers: ["rejects its own answer", "right"],
        why: [
            "There is an assignment that makes every assertion true; it was checked by an exact evaluator, without any solver.",
            "An assignment makes every assertion true: the symbols range over few values, and an exact evaluator tried them.",
            "The solver itself says so, when asked to check its answer.",
        ],
        ..REST
    },
    FailureRow {
        kind: FailureKind::FalseSelfCheck,
        name: "false-self-check",
        class: BugClass::E,
        tells: true,
        observation: Observation::SelfCheck,
        does: "rejects its own right model of a script{about} ({said})",
        summary: "{solver} says itself that its model{check} is wrong, and it is right{mode}: {symptom}",
        right: Some("sat"),
        expected: "sat",
        actual: "sat, and then about its own model, which is right: {said}",
        answers: ["rejects its own model", "right"],
        values: "Values in the model",
        why: ["The model makes every assertion true; that was checked by an exact evaluator.", BY_ALL, OWN_WORD],
        ..REST
    },
    UNKNOWN_ROW,
    FailureRow { symptoms: &[], tells: true, ..UNKNOWN_ROW },
    FailureRow {
        kind: FailureKind::Contradiction,
        name: "contradiction",
        class: BugClass::X,
        observation: Observation::Pairs,
        does: "contradicts itself about a script{about} and one that follows from it ({said})",
        summary: "{solver} says {first} of a script, and {second} of {other}{mode}",
        expected: "two answers that may both be right",
        actual: "{said}",
        answers: ["contradicts itself", "does not"],
        why: [DECIDED, DECIDED, "{why}"],
        ..REST
    },
    FailureRow {
        kind: FailureKind::BrokenProof,
        name: "broken-proof",
        class: BugClass::P,
        tells: true,
        observation: Observation::Proof,
        does: "has no whole proof of its unsat{about} ({said})",
        summary: "{solver} has no proof that checks for its unsat{check}{mode}: {symptom}",
        expected: "a proof that checks",
        actual: "{said}",
        values: "The step",
        answers: ["broken proof", "proof"],
        why: [
            DECIDED,
            DECIDED,
            "The run shows it: the solver promises a whole proof of every unsat in this mode, its own check rejects the proof, or an assignment \
             makes the premises of a step true and its conclusion false (`squall proof judge` shows it).",
        ],
        ..REST
    },
    FailureRow {
        kind: FailureKind::Crash,
        name: "crash",
        class: BugClass::D,
        tells: true,
        does: "crashes on a script{about} ({said})",
        summary: "{solver} crashes{check}{mode}: {symptom}",
        actual: "crash: {said}",
        answers: ["crash", "no crash"],
        why: [MODEL_REFUTED, BY_ALL, "The crash shows in every run."],
        ..REST
    },
    FailureRow {
        kind: FailureKind::Slow,
        name: "slow",
        class: BugClass::S,
        observation: Observation::CpuTime,
        does: "is 100 times {said} on a script{about}",
        summary: "{solver} is 100 times {symptom}{mode}",
        actual: "{times}",
        answers: ["slow", "answers"],
        why: [MODEL_REFUTED, BY_ALL, "The CPU times of both show it in every run."],
        ..REST
    },
    FailureRow {
        kind: FailureKind::Refused,
        name: "refused",
        class: BugClass::R,
        tells: true,
        observation: Observation::Refusals,
        does: "refuses to read a script{about} ({said})",
        summary: "{solver} refuses to read{check} what {other} reads{mode}: {symptom}",
        actual: "an error: {said}",
        answers: ["refuses it", "reads it"],
        why: [DECIDED, DECIDED, "The script has standard theories only, and is sorted as the standard asks."],
        ..REST
    },
];

/// Returns the row of a finding.
pub fn row(class: BugClass, symptom: &str) -> &'static FailureRow {
    let mut of_class = FAILURES.iter().filter(|row| row.class == class);
    let fitting = of_class.find(|row| row.symptoms.is_empty() || row.symptoms.contains(&symptom));
    // Each class has a row for all symptoms, as a test checks; the first row is only a fallback.
    fitting.unwrap_or(&FAILURES[0])
}

/// Replaces the placeholders of a sentence once, verbatim; those without a value become empty.
pub fn fill(sentence: &str, parts: &[(&str, &str)]) -> String {
    let mut text = String::new();
    let mut rest = sentence;
    while let Some((before, after)) = rest.split_once('{') {
        let (name, after) = after.split_once('}').unwrap_or((after, ""));
        text.push_str(before);
        text.push_str(parts.iter().find(|(part, _)| *part == name).map_or("", |(_, value)| value));
        rest = after;
    }
    text + rest
}

impl FailureKind {
    /// Returns the name on the command line.
    pub fn name(self) -> &'static str {
        self.first().map_or("", |row| row.name)
    }

    /// What must be observed for it to show.
    pub fn observation(self) -> Observation {
        self.first().map_or(Observation::Answers, |row| row.observation)
    }

    fn first(self) -> Option<&'static FailureRow> {
        FAILURES.iter().find(|row| row.kind == self)
    }
}

impl fmt::Display for FailureKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A name that no failure kind has.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("unknown failure kind '{0}'; expected one of: {names}", names = names())]
pub struct UnknownFailureKind(String);

fn names() -> String {
    let mut names: Vec<&str> = FAILURES.iter().map(|row| row.name).collect();
    names.dedup();
    names.join(", ")
}

impl FromStr for FailureKind {
    type Err = UnknownFailureKind;

    fn from_str(text: &str) -> Result<FailureKind, UnknownFailureKind> {
        let found = FAILURES.iter().find(|row| row.name == text).map(|row| row.kind);
        found.ok_or_else(|| UnknownFailureKind(text.to_string()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_class_has_a_row_for_every_symptom() {
        for class in BugClass::all() {
            assert!(FAILURES.iter().any(|row| row.class == class && row.symptoms.is_empty()));
            assert_eq!(row(class, "anything").class, class);
        }
        let check = |class: BugClass, symptom: &str, expect: FailureKind| assert_eq!(row(class, symptom).kind, expect);
        check(BugClass::A, "unsat", FailureKind::Unsat);
        check(BugClass::B, WRONG_VALUE, FailureKind::InvalidModel);
        check(BugClass::B, "invalid model", FailureKind::SelfCheck);
        check(BugClass::C, "(incomplete)", FailureKind::Unknown);
        assert_eq!("self-check".parse(), Ok(FailureKind::SelfCheck));
        assert!("".parse::<FailureKind>().is_err());
    }

    #[test]
    fn parts_are_put_in_once_and_as_they_are() {
        let check = |sentence: &str, expect: &str| {
            assert_eq!(fill(sentence, &[("said", "a {mode}"), ("mode", "plain")]), expect, "{sentence}");
        };
        check("it says {said}", "it says a {mode}");
        check("{mode}: {said}{nothing}.", "plain: a {mode}.");
        check("no part", "no part");
        check("open {said", "open a {mode}");
    }
}
