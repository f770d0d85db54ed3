//! What came of the checks of one file, ready to be shown.

use semantics::{Judgement, Value};
use smtlib::{Command, Kind, Parsed, Store, TermId};
use std::ops::Range;

/// The longest text of a term or value shown, in characters.
const MAX_TEXT: usize = 120;

/// The most subterms shown with their values.
const MAX_SUBTERMS: usize = 16;

/// The three verdicts, the worst first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum VerdictWord {
    /// An assertion is false.
    Invalid,
    /// The truth of one is not known.
    Unknown,
    /// All assertions are true.
    Valid,
}

impl VerdictWord {
    /// The word as it is printed.
    pub fn text(self) -> &'static str {
        match self {
            VerdictWord::Invalid => "invalid",
            VerdictWord::Unknown => "unknown",
            VerdictWord::Valid => "valid",
        }
    }
}

/// The verdict on one check's model.
#[derive(Clone, Debug)]
pub struct JudgedModel {
    /// The check's number, from 0.
    pub check: usize,
    /// The verdict.
    pub word: VerdictWord,
    /// Why, in a sentence without dot.
    pub why: Option<String>,
    /// The term to blame: a false assertion, or what has no value.
    pub term: Option<String>,
    /// Where the false assertion stands.
    pub span: Option<Range<usize>>,
    /// Terms with their values.
    pub subterms: Vec<(String, String)>,
}

impl JudgedModel {
    /// A check about which nothing is known.
    pub fn unknown(check: usize, why: impl Into<String>) -> JudgedModel {
        JudgedModel {
            check,
            word: VerdictWord::Unknown,
            why: Some(why.into()),
            term: None,
            span: None,
            subterms: Vec::new(),
        }
    }

    /// The verdict of a judgement.
    pub fn new(store: &mut Store, parsed: &Parsed, check: usize, judgement: Judgement) -> JudgedModel {
        let valid =
            JudgedModel { check, word: VerdictWord::Valid, why: None, term: None, span: None, subterms: Vec::new() };
        match judgement {
            Judgement::Valid => valid,
            Judgement::ValidCompleted => {
                JudgedModel { why: Some("with defaults for symbols the model leaves out".to_string()), ..valid }
            }
            Judgement::Invalid { term, subterms, .. } => JudgedModel {
                word: VerdictWord::Invalid,
                why: Some("this assertion is false under the model".to_string()),
                term: Some(term_text(store, term)),
                span: span_of(parsed, check, term),
                subterms: shown(store, subterms),
                ..valid
            },
            Judgement::InvalidCompleted { term, .. } => JudgedModel {
                word: VerdictWord::Unknown,
                why: Some(
                    "an assertion is false with defaults for symbols the model leaves out, and their values are not known"
                        .to_string(),
                ),
                term: Some(term_text(store, term)),
                span: span_of(parsed, check, term),
                ..valid
            },
            Judgement::Unknown { term, reason, unreadable } => JudgedModel {
                word: VerdictWord::Unknown,
                why: Some(match unreadable {
                    Some(message) => format!("{reason}: its value was not understood: {message}"),
                    None => reason.to_string(),
                }),
                term: Some(term_text(store, term)),
                ..valid
            },
        }
    }
}

/// Terms with their values as texts, without literals, which are their own.
fn shown(store: &mut Store, subterms: Vec<(TermId, Value)>) -> Vec<(String, String)> {
    let is_literal = |kind: Kind| matches!(kind, Kind::Constant | Kind::True | Kind::False);
    let telling: Vec<_> =
        subterms.into_iter().filter(|(t, _)| !is_literal(store.kind(*t))).take(MAX_SUBTERMS).collect();
    telling.into_iter().map(|(t, value)| (term_text(store, t), value_text(store, t, &value))).collect()
}

/// A value as the term of it.
fn value_text(store: &mut Store, term: TermId, value: &Value) -> String {
    let sort = store.sort(term);
    match value.to_term(store, sort) {
        Some(literal) => term_text(store, literal),
        None => "a value without a literal".to_string(),
    }
}

/// A term in at most [`MAX_TEXT`] characters.
pub fn term_text(store: &Store, term: TermId) -> String {
    let text = store.term_text(term);
    match text.char_indices().nth(MAX_TEXT) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

/// Where the last assertion of this term before a check stands, or the check that assumes it.
fn span_of(parsed: &Parsed, check: usize, term: TermId) -> Option<Range<usize>> {
    let mut seen = 0;
    let mut found = None;
    for (command, span) in parsed.script.commands.iter().zip(&parsed.spans) {
        match command {
            Command::Assert(t, _) if *t == term => found = Some(span.clone()),
            Command::CheckSatAssuming(assumed) if seen == check && assumed.contains(&term) => {
                found = found.or_else(|| Some(span.clone()));
            }
            _ => {}
        }
        if command.is_check() {
            if seen == check {
                return found;
            }
            seen += 1;
        }
    }
    found
}
