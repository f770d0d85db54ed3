//! The kinds of failures of a solver, as the STORM paper's Table 1 has them.

use std::fmt;
use std::str::FromStr;

/// What the solver does wrong.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FailureKind {
    /// It says `unsat`, and a model exists (class A).
    Unsat,
    /// It says `sat`, and no model exists (class B).
    Sat,
    /// It says `sat` and gives a model under which our evaluator finds an assertion false (class B).
    InvalidModel,
    /// It says itself that its answer is wrong: a model or core that fails its own check (class A or B).
    SelfCheck,
    /// It says itself that its model is wrong, and our evaluator proves the model right (class E).
    FalseSelfCheck,
    /// It says `unknown`, and others answer (class C).
    Unknown,
    /// It crashes (class D).
    Crash,
    /// It takes 100 times the CPU time of another release or mode (class S).
    Slow,
}

impl FailureKind {
    /// All of them with their names on the command line.
    pub const ALL: [(FailureKind, &'static str); 8] = [
        (FailureKind::Unsat, "unsat"),
        (FailureKind::Sat, "sat"),
        (FailureKind::InvalidModel, "invalid-model"),
        (FailureKind::SelfCheck, "self-check"),
        (FailureKind::FalseSelfCheck, "false-self-check"),
        (FailureKind::Unknown, "unknown"),
        (FailureKind::Crash, "crash"),
        (FailureKind::Slow, "slow"),
    ];
}

impl fmt::Display for FailureKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = FailureKind::ALL.iter().find(|(wrong, _)| wrong == self).map_or("", |(_, name)| name);
        f.write_str(name)
    }
}

/// A name that no failure kind has.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "unknown failure kind '{0}'; expected one of: unsat, sat, invalid-model, self-check, false-self-check, unknown, crash, slow"
)]
pub struct UnknownFailureKind(String);

impl FromStr for FailureKind {
    type Err = UnknownFailureKind;

    fn from_str(text: &str) -> Result<FailureKind, UnknownFailureKind> {
        let found = FailureKind::ALL.iter().find(|(_, name)| *name == text).map(|(wrong, _)| *wrong);
        found.ok_or_else(|| UnknownFailureKind(text.to_string()))
    }
}
