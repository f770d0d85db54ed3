//! Counts messages that replaced answers and mutants, for users who set up a solver or write a mutator.

use serde::{Deserialize, Serialize};
use solver::outcome::{Answer, SolverOutcome};
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// The maximum number of distinct texts; later ones are left out.
const MOST: usize = 100;
/// The maximum length of a stored text, in characters.
const LONGEST: usize = 160;

/// The number of checks and mutants lost to each message.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct ErrorTexts {
    checks: BTreeMap<String, u64>,
    mutants: BTreeMap<String, u64>,
}

/// A message and the number of lost checks.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ErrorText {
    /// The first line of the solver's message, without its position in the script.
    pub text: String,
    /// The checks.
    pub checks: u64,
}

/// Why mutants could not be made, and their number.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct UnmadeText {
    /// The first line of the reason.
    pub text: String,
    /// The mutants.
    pub mutants: u64,
}

impl ErrorTexts {
    /// Adds the checks that a run lost by errors, or without an answer.
    pub fn add(&mut self, outcome: &SolverOutcome) {
        let is_lost = |answer: Answer| matches!(answer, Answer::Void | Answer::Missing);
        let lost = outcome.answers.iter().filter(|check| is_lost(check.answer)).count() as u64;
        if lost == 0 {
            return;
        }
        count(&mut self.checks, &outcome.complaint().unwrap_or_default(), lost);
    }

    /// Adds mutants that could not be made for this reason.
    pub fn add_unmade(&mut self, reason: &str, mutants: u64) {
        count(&mut self.mutants, reason, mutants);
    }

    /// Adds the counts of another set.
    pub fn extend(&mut self, other: &ErrorTexts) {
        // Texts of another machine may be arbitrary.
        other.checks.iter().for_each(|(text, checks)| count(&mut self.checks, text, *checks));
        other.mutants.iter().for_each(|(text, mutants)| count(&mut self.mutants, text, *mutants));
    }

    /// Returns the most frequent texts in place of answers, at most `most`.
    pub fn most_frequent(&self, most: usize) -> Vec<ErrorText> {
        first(&self.checks, most, |text, checks| ErrorText { text, checks })
    }

    /// Returns the most frequent reasons for which mutants could not be made, at most `most`.
    pub fn most_frequent_unmade(&self, most: usize) -> Vec<UnmadeText> {
        first(&self.mutants, most, |text, mutants| UnmadeText { text, mutants })
    }
}

/// Returns the rows of the highest counts; of equal ones, in the order of texts.
fn first<T>(counts: &BTreeMap<String, u64>, most: usize, row: fn(String, u64) -> T) -> Vec<T> {
    let mut all: Vec<(&String, u64)> = counts.iter().map(|(text, n)| (text, *n)).collect();
    all.sort_by_key(|(_, n)| Reverse(*n));
    all.into_iter().take(most).map(|(text, n)| row(text.clone(), n)).collect()
}

fn count(counts: &mut BTreeMap<String, u64>, text: &str, n: u64) {
    let text = first_line(text);
    if !text.is_empty() && (counts.len() < MOST || counts.contains_key(&text)) {
        let known = counts.entry(text).or_default();
        *known = known.saturating_add(n);
    }
}

/// Returns the first nonempty line, without a prefix such as `line 3 column 7: `, so that equal errors match.
fn first_line(text: &str) -> String {
    let line = text.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or_default();
    let line = match line.split_once(": ") {
        Some((place, rest)) if is_place(place) => rest,
        _ => line,
    };
    let line: String = line.chars().filter(|c| !c.is_control()).collect();
    match line.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line,
    }
}

/// Whether a text consists of `line`, `column` and numbers.
fn is_place(text: &str) -> bool {
    let mut words = text.split_whitespace().peekable();
    words.peek().is_some() && words.all(|word| matches!(word, "line" | "column") || word.parse::<u64>().is_ok())
}

#[cfg(test)]
#[path = "../../tests/unit/error_texts.rs"]
mod tests;
