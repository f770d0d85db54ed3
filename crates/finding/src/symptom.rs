//! Symptoms: what makes two runs show the same thing, and how much of it identifies the cause.

use crate::class::{BugClass, BugSeverity};
use crate::failure::{self, FailureKind};

/// The symptom of a model that our evaluator refutes.
pub const WRONG_MODEL: &str = "its model makes an assertion false";

/// The symptom of a model that the solver's own values contradict.
pub const WRONG_VALUE: &str = "its values contradict its model";

/// The symptom of a value of an objective that is not its best value.
pub const WRONG_OPTIMUM: &str = "it misses an optimum";

/// The symptom of a solver that gives up without a stated reason.
pub const UNKNOWN: &str = "unknown";

/// The maximum length of a symptom that is printed in full, in characters.
const MAX_WORDS: usize = 100;

/// Whether the symptom alone identifies a cause: the signature of a crash, a failed self-check, the reason why it gave up. An
/// answer does not show why it is wrong.
pub fn is_specific(class: BugClass, symptom: &str) -> bool {
    failure::row(class, symptom).tells
}

/// Whether a finding is a wrong answer whose cause only a reduction can show.
pub fn needs_reduction(class: BugClass, symptom: &str) -> bool {
    class.is_wrong_answer() && !is_specific(class, symptom)
}

/// Whether the solver itself reports that its answer is wrong.
pub fn is_own_word(class: BugClass, symptom: &str) -> bool {
    matches!(failure::row(class, symptom).kind, FailureKind::SelfCheck | FailureKind::FalseSelfCheck)
}

/// Whether a crash names its place in the solver: an assertion, an exception, a stack. Many bugs share a bare signal.
pub fn names_a_place(class: BugClass, symptom: &str) -> bool {
    let names_it = match symptom.strip_prefix("signal: ") {
        Some(signal) => signal.split_whitespace().nth(1) == Some("in"),
        None => !symptom.is_empty(),
    };
    class.severity() == BugSeverity::Crash && names_it
}

/// Whether a crash shows nothing but a signal.
pub fn is_bare_signal(class: BugClass, symptom: &str) -> bool {
    class.severity() == BugSeverity::Crash && !names_a_place(class, symptom)
}

/// Strips from an error message what differs between scripts of one cause: places, quoted names and numbers.
pub fn of_error(message: &str) -> String {
    const QUOTES: [(char, char); 4] = [('\'', '\''), ('`', '`'), ('"', '"'), ('|', '|')];
    let mut text = String::new();
    let mut letters = message.lines().next().unwrap_or_default().chars().peekable();
    while let Some(letter) = letters.next() {
        let closing = QUOTES.iter().find(|(open, _)| *open == letter).map(|(_, close)| *close);
        // An apostrophe within a word opens nothing.
        let is_within = letter == '\'' && text.ends_with(|last: char| last.is_alphanumeric());
        match closing.filter(|close| !is_within && letters.clone().any(|next| next == *close)) {
            Some(close) => {
                letters.by_ref().find(|next| *next == close);
                text.push('…');
            }
            None if letter.is_ascii_digit() => {
                while letters.next_if(char::is_ascii_digit).is_some() {}
                text.push('#');
            }
            None => text.push(letter),
        }
    }
    text.trim().to_string()
}

/// Formats a symptom for people: on one line, without its category and needless parentheses.
pub fn describe(symptom: &str) -> String {
    let text: Vec<&str> = symptom.split_whitespace().collect();
    let text = text.join(" ");
    let text = text.strip_prefix("assertion: ").unwrap_or(&text);
    let text = match text.strip_prefix("signal: ") {
        Some(signal) => format!("signal {signal}"),
        None => text.to_string(),
    };
    let bare = text.strip_prefix('(').and_then(|rest| rest.strip_suffix(')'));
    let text = bare.map_or(text.clone(), str::to_string);
    match text.char_indices().nth(MAX_WORDS) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}
