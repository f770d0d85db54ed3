//! Counts solver messages that replaced answers, with the number of lost checks, for users who set up a solver.

use serde::{Deserialize, Serialize};
use solver::outcome::{Answer, SolverOutcome};
use std::collections::BTreeMap;

/// The maximum number of distinct texts; later ones are left out.
const MOST: usize = 100;
/// The maximum length of a stored text, in characters.
const LONGEST: usize = 160;

/// The number of checks lost to each message.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ErrorTexts(BTreeMap<String, u64>);

/// A message and the number of lost checks.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ErrorText {
    /// The first line of the solver's message, without its position in the script.
    pub text: String,
    /// The checks.
    pub checks: u64,
}

impl ErrorTexts {
    /// Adds the checks that a run lost by errors, or without output.
    pub fn add(&mut self, outcome: &SolverOutcome) {
        let is_lost = |answer: Answer| matches!(answer, Answer::Void | Answer::Missing);
        let lost = outcome.answers.iter().filter(|check| is_lost(check.answer)).count() as u64;
        if lost == 0 {
            return;
        }
        self.count(&first_line(&outcome.complaint().unwrap_or_default()), lost);
    }

    /// Adds the counts of another set.
    pub fn extend(&mut self, other: &ErrorTexts) {
        // Texts of another machine may be arbitrary.
        other.0.iter().for_each(|(text, checks)| self.count(&first_line(text), *checks));
    }

    /// Returns the most frequent texts, at most `most`.
    pub fn most_frequent(&self, most: usize) -> Vec<ErrorText> {
        let mut all: Vec<ErrorText> =
            self.0.iter().map(|(text, checks)| ErrorText { text: text.clone(), checks: *checks }).collect();
        all.sort_by(|a, b| b.checks.cmp(&a.checks).then_with(|| a.text.cmp(&b.text)));
        all.truncate(most);
        all
    }

    fn count(&mut self, text: &str, checks: u64) {
        if text.is_empty() || (self.0.len() >= MOST && !self.0.contains_key(text)) {
            return;
        }
        let known = self.0.entry(text.to_string()).or_default();
        *known = known.saturating_add(checks);
    }
}

/// Returns the first nonempty line, without a prefix such as `line 3 column 7: `, so that equal errors match.
fn first_line(text: &str) -> String {
    let line = text.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or_default();
    let line = match line.split_once(": ") {
        Some((place, rest)) if is_place(place) => rest,
        _ => line,
    };
    line.chars().filter(|c| !c.is_control()).take(LONGEST).collect()
}

/// Whether a text consists of `line`, `column` and numbers.
fn is_place(text: &str) -> bool {
    let mut words = text.split_whitespace().peekable();
    words.peek().is_some() && words.all(|word| matches!(word, "line" | "column") || word.parse::<u64>().is_ok())
}

#[cfg(test)]
mod tests {
    use super::{ErrorText, ErrorTexts, MOST, first_line};

    #[test]
    fn a_text_is_its_first_line_without_its_place() {
        let check = |text: &str, expect: &str| assert_eq!(first_line(text), expect, "{text}");
        check("line 3 column 7: unknown constant x\nmore", "unknown constant x");
        check("\n  usage: solver FILE\n", "usage: solver FILE");
        check("error: no: way", "error: no: way");
        check(": x", ": x");
        check("", "");
        check(&"ä".repeat(500), &"ä".repeat(160));
    }

    #[test]
    fn the_most_frequent_come_first_and_there_is_an_end_to_them() {
        let mut texts = ErrorTexts::default();
        (0..2 * MOST).for_each(|n| texts.count(&format!("{n:03}"), 1));
        assert_eq!(texts.most_frequent(usize::MAX).len(), MOST);
        let mut all = ErrorTexts::default();
        all.count("001", 2);
        all.extend(&texts);
        all.count("", 9);
        let row = |text: &str, checks: u64| ErrorText { text: text.to_string(), checks };
        assert_eq!(all.most_frequent(2), [row("001", 3), row("000", 1)]);
    }
}
