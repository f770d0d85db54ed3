//! What a comparison came to, counted.

use crate::evidence::DisagreementScript;
use std::collections::BTreeMap;
use std::time::Duration;

/// Disagreements that are kept in full; the rest are counted.
pub const KEPT: usize = 1000;

/// The counts of one solver on one theory.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    /// Applications asked about.
    pub asked: u64,
    /// Of those, the solver gives our value.
    pub agreed: u64,
    /// Explained disagreements by the row of the table.
    pub explained: BTreeMap<usize, u64>,
    /// Disagreements nothing explains; the first [`KEPT`] of them.
    pub unexplained: Vec<Disagreement>,
    /// How many there are.
    pub unexplained_count: u64,
    /// How many there are, by operator.
    pub unexplained_operators: BTreeMap<String, u64>,
    /// Applications without an answer, by operator and what was said instead.
    pub unanswered: BTreeMap<(String, String), u64>,
    /// Applications asked about, by operator.
    pub operators: BTreeMap<String, u64>,
    /// CPU time of the solver's processes, but for those that look for evidence.
    pub cpu: Duration,
}

/// An application on which a solver and we give different values.
#[derive(Clone, Debug)]
pub struct Disagreement {
    /// The operator.
    pub operator: &'static str,
    /// The application.
    pub term: String,
    /// Our value.
    pub ours: String,
    /// The solver's, if it says it.
    pub theirs: Option<String>,
    /// What shows it.
    pub evidence: DisagreementScript,
}

impl Tally {
    /// Counts an application without an answer.
    pub fn unanswered(&mut self, operator: &str, instead: &str) {
        *self.unanswered.entry((operator.to_string(), kind_of(instead))).or_default() += 1;
    }

    /// Counts a disagreement nothing explains.
    pub fn disagreed(&mut self, disagreement: Disagreement) {
        self.unexplained_count += 1;
        *self.unexplained_operators.entry(disagreement.operator.to_string()).or_default() += 1;
        if self.unexplained.len() < KEPT {
            self.unexplained.push(disagreement);
        }
    }

    /// How many explained disagreements there are.
    pub fn explained_count(&self) -> u64 {
        self.explained.values().sum()
    }

    /// How many applications have no answer.
    pub fn unanswered_count(&self) -> u64 {
        self.unanswered.values().sum()
    }
}

/// A message without what differs from one application to the next: places, numbers, and all from the first quote on.
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
