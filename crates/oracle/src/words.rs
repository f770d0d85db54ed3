//! The words of a record for what this crate knows by types: purposes and expected answers.

use smtlib::Status;
use solver::session::SessionNeeds;

/// The names of purposes, for the record and back.
const PURPOSES: [(SessionNeeds, &str); 6] = [
    (SessionNeeds::INCREMENTAL, "incremental"),
    (SessionNeeds::MODELS, "models"),
    (SessionNeeds::CORES, "cores"),
    (SessionNeeds::PROOFS, "proofs"),
    (SessionNeeds::VALIDATE, "validate"),
    (SessionNeeds::CHECKED_PROOFS, "checked-proofs"),
];

/// The purposes in words.
pub fn purpose_words(purpose: SessionNeeds) -> Vec<String> {
    PURPOSES.iter().filter(|(p, _)| purpose.contains(*p)).map(|(_, word)| word.to_string()).collect()
}

/// The purposes of words; others are ignored.
pub fn purpose_of(words: &[String]) -> SessionNeeds {
    PURPOSES
        .iter()
        .filter(|(_, word)| words.iter().any(|w| w == word))
        .fold(SessionNeeds::SINGLE, |all, (p, _)| all | *p)
}

/// An expected answer in a word.
pub fn expected_word(expected: Status) -> &'static str {
    match expected {
        Status::Sat => "sat",
        Status::Unsat => "unsat",
        Status::Unknown => "open",
    }
}
