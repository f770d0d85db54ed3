//! Reduces a text command by command, unparsed: for files that show the error only in their own spelling.
//!
//! Solvers number terms in reading order, so a different spelling may change their behavior. After the irrelevant commands are gone, the
//! rest is often robust enough for the passes.

use crate::judge::{CandidateVerdict, Evidence, TextJudge};
use crate::subject::{Spelling, Subject, ThreadWitness};
use smtlib::Dialect;
use smtlib::sexpr::{ItemKind, items};

/// The result of a raw reduction.
pub struct Raw {
    /// The smallest text that shows the error.
    pub text: String,
    /// Why the text is interesting.
    pub evidence: Evidence,
    /// The first subject whose printed form shows the error, too.
    pub subject: Option<(Subject, Evidence)>,
}

/// Drops commands in halves, quarters and so on, until the printed form shows the error or no command can be dropped.
pub fn reduce(
    judge: &TextJudge,
    text: &str,
    evidence: Evidence,
    witness: Option<&ThreadWitness>,
    read: impl Fn(&str) -> Option<Subject>,
) -> Raw {
    let mut best = Raw { text: text.to_string(), evidence, subject: None };
    let mut commands = split(text);
    let mut size = commands.len().div_ceil(2);
    while size > 0 {
        let mut at = 0;
        while at < commands.len() {
            let end = (at + size).min(commands.len());
            let fewer: Vec<String> = commands[..at].iter().chain(&commands[end..]).cloned().collect();
            let candidate = fewer.join("\n");
            let CandidateVerdict::Interesting(evidence) = judge.judge(&candidate, witness, true) else {
                at = end;
                continue;
            };
            let subject = printed(judge, &candidate, witness, &read);
            best = Raw { text: candidate, evidence, subject };
            if best.subject.is_some() {
                return best;
            }
            commands = fewer;
        }
        size /= 2;
    }
    best
}

fn printed(
    judge: &TextJudge,
    text: &str,
    witness: Option<&ThreadWitness>,
    read: &impl Fn(&str) -> Option<Subject>,
) -> Option<(Subject, Evidence)> {
    let subject = read(text)?;
    match judge.judge(&subject.text(), witness, true) {
        CandidateVerdict::Interesting(evidence) => Some((subject, evidence)),
        _ => None,
    }
}

/// Parses a subject in the same store as another, so that its witness stays valid.
pub(crate) fn reread(parent: &Subject, text: &str) -> Option<Subject> {
    let mut store = parent.store.clone();
    let parsed = smtlib::parse(&mut store, text);
    if !parsed.errors.is_empty() {
        return None;
    }
    let dialect: Dialect = parent.dialect.clone();
    Some(Subject {
        store,
        script: parsed.script,
        witness: parent.witness.clone(),
        dialect,
        source: text.into(),
        spelling: Spelling::Printed,
    })
}

/// Returns the commands of a text, without comments.
pub fn split(text: &str) -> Vec<String> {
    items(text).filter(|item| item.kind == ItemKind::List).map(|item| text[item.span].to_string()).collect()
}
