//! The ways in which a solver fails, one row each: its symptoms, what must be observed, and the sentences about it.

use crate::class::BugClass;
use std::fmt;
use std::str::FromStr;
use std::sync::LazyLock;

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
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Deserialize)]
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
#[derive(Debug, serde::Deserialize)]
pub struct FailureRow {
    /// What the solver does wrong.
    pub kind: FailureKind,
    /// The name on the command line.
    pub name: &'static str,
    /// The class.
    pub class: BugClass,
    /// Its symptoms; none: all symptoms that no row before it has.
    symptoms: Vec<&'static str>,
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

/// All ways to fail, the rows of `failures.json`. A finding belongs to the first row whose class and symptom match; one without symptoms
/// matches all.
pub static FAILURES: LazyLock<Vec<FailureRow>> = LazyLock::new(|| {
    serde_json::from_str(include_str!("failures.json")).expect("the embedded table has a row for each way to fail")
});

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
#[path = "../tests/unit/failure.rs"]
mod tests;
