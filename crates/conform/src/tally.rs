//! The counted results of a comparison.

use crate::evidence::DisagreementScript;
use std::collections::BTreeMap;
use std::time::Duration;

/// The number of disagreements kept in full; the rest are counted.
pub const KEPT: usize = 1000;

/// The counts of one solver on one theory.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    /// The number of applications.
    pub asked: u64,
    /// The number of agreements.
    pub agreed: u64,
    /// Explained disagreements by row of the table.
    pub explained: BTreeMap<usize, u64>,
    /// The first [`KEPT`] unexplained disagreements.
    pub unexplained: Vec<Disagreement>,
    /// The number of unexplained disagreements.
    pub unexplained_count: u64,
    /// The number of unexplained disagreements by operator.
    pub unexplained_operators: BTreeMap<String, u64>,
    /// The number of unanswered applications, by operator and error message.
    pub unanswered: BTreeMap<(String, String), u64>,
    /// The number of applications by operator.
    pub operators: BTreeMap<String, u64>,
    /// CPU time of the solver's processes, except those that search for evidence.
    pub cpu: Duration,
}

/// An application for which a solver's value differs from ours.
#[derive(Clone, Debug)]
pub struct Disagreement {
    /// The operator.
    pub operator: &'static str,
    /// The application.
    pub term: String,
    /// Our value.
    pub ours: String,
    /// The solver's value, if known.
    pub theirs: Option<String>,
    /// The evidence.
    pub evidence: DisagreementScript,
}

impl Tally {
    /// Counts an application without an answer.
    pub fn unanswered(&mut self, operator: &str, instead: &str) {
        *self.unanswered.entry((operator.to_string(), kind_of(instead))).or_default() += 1;
    }

    /// Counts an unexplained disagreement.
    pub fn disagreed(&mut self, disagreement: Disagreement) {
        self.unexplained_count += 1;
        *self.unexplained_operators.entry(disagreement.operator.to_string()).or_default() += 1;
        if self.unexplained.len() < KEPT {
            self.unexplained.push(disagreement);
        }
    }

    /// Returns the number of explained disagreements.
    pub fn explained_count(&self) -> u64 {
        self.explained.values().sum()
    }

    /// Returns the number of applications without an answer.
    pub fn unanswered_count(&self) -> u64 {
        self.unanswered.values().sum()
    }
}

/// Returns a message without details that differ between applications: positions, numbers, and everything from the first quote on.
pub(crate) fn kind_of(message: &str) -> String {
    let line = message.lines().next().unwrap_or_default();
    let line = line.split('\'').next().unwrap_or_default();
    let mut kind = String::new();
    for c in line.chars().take(200) {
        match c {
            '0'..='9' | '.' | ':' if kind.ends_with('N') => continue,
            '0'..='9' => kind.push('N'),
            _ => kind.push(c),
        }
    }
    kind.trim_end().to_string()
}
