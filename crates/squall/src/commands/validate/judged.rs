//! The verdicts on the checks of one file, for output.

use semantics::model_reader::NOT_UNDERSTOOD;
use semantics::{Judgement, Value};
use smtlib::{Command, FuncId, Kind, Parsed, Store, TermId};
use std::ops::Range;

/// The maximum length of a shown term or value, in characters.
const MAX_TEXT: usize = 120;

/// The maximum number of subterms shown with their values.
const MAX_SUBTERMS: usize = 16;

/// The maximum number of missing symbols that are named.
const MAX_MISSING: usize = 5;

/// The three verdicts, the worst first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum VerdictWord {
    /// An assertion is false.
    Invalid,
    /// The truth of an assertion is unknown.
    Unknown,
    /// All assertions are true.
    Valid,
}

impl VerdictWord {
    /// Returns the word as it is printed.
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
    /// The reason, in a sentence without a full stop.
    pub why: Option<String>,
    /// The term to blame: a false assertion, or a term without a value.
    pub term: Option<String>,
    /// The position of the false assertion.
    pub span: Option<Range<usize>>,
    /// Terms with their values.
    pub subterms: Vec<(String, String)>,
}

impl JudgedModel {
    /// Returns an undecided check.
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

    /// Returns the verdict of a judgement. `missing` names symbols that the model leaves out.
    pub fn new(store: &mut Store, parsed: &Parsed, check: usize, judgement: Judgement, missing: &str) -> JudgedModel {
        let valid =
            JudgedModel { check, word: VerdictWord::Valid, why: None, term: None, span: None, subterms: Vec::new() };
        match judgement {
            Judgement::Valid => valid,
            Judgement::ValidCompleted => {
                let why = format!("with defaults for symbols missing from the model: {missing}");
                JudgedModel { why: Some(why), ..valid }
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
                why: Some(format!(
                    "an assertion is false with defaults for symbols missing from the model, whose values are unknown ({missing})"
                )),
                term: Some(term_text(store, term)),
                span: span_of(parsed, check, term),
                ..valid
            },
            Judgement::Unknown { unreadable: Some(message), .. } if message.starts_with(NOT_UNDERSTOOD) => {
                JudgedModel::unknown(check, message)
            }
            Judgement::Unknown { term, reason, unreadable } => JudgedModel {
                word: VerdictWord::Unknown,
                why: Some(match unreadable {
                    Some(message) => format!("its value in the model is not understood ({message})"),
                    None => reason.to_string(),
                }),
                term: Some(term_text(store, term)),
                ..valid
            },
        }
    }
}

/// Returns the names of symbols, at most [`MAX_MISSING`].
pub fn names(store: &Store, symbols: &[FuncId]) -> String {
    let name = |f: &FuncId| format!("`{}`", store.name(store.func(*f).name));
    let mut names: Vec<String> = symbols.iter().take(MAX_MISSING).map(name).collect();
    names.extend(symbols.get(MAX_MISSING).map(|_| format!("{} more", symbols.len() - MAX_MISSING)));
    names.join(", ")
}

/// Terms with their values as text, without literals.
fn shown(store: &mut Store, subterms: Vec<(TermId, Value)>) -> Vec<(String, String)> {
    let is_literal = |kind: Kind| matches!(kind, Kind::Constant | Kind::True | Kind::False);
    let telling: Vec<_> =
        subterms.into_iter().filter(|(t, _)| !is_literal(store.kind(*t))).take(MAX_SUBTERMS).collect();
    telling.into_iter().map(|(t, value)| (term_text(store, t), value_text(store, t, &value))).collect()
}

/// Returns a value as a term.
fn value_text(store: &mut Store, term: TermId, value: &Value) -> String {
    let sort = store.sort(term);
    match value.to_term(store, sort) {
        Some(literal) => term_text(store, literal),
        None => value.root_object().unwrap_or_else(|| value.why_no_term().to_string()),
    }
}

/// Returns a term in at most [`MAX_TEXT`] characters.
pub fn term_text(store: &Store, term: TermId) -> String {
    let text = store.term_text(term);
    match text.char_indices().nth(MAX_TEXT) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

/// The position of the last assertion of this term before a check, or of the check that assumes it.
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
