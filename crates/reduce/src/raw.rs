//! Reduction of a text as it stands, command by command, for files that show the error only in their own spelling.
//!
//! Solvers number terms as they read them, so that the same terms spelled otherwise may go another way. What is left after the
//! commands that do not matter are gone is often robust enough for the passes to take over.

use crate::judge::{Evidence, Judge, Verdict};
use crate::subject::{Subject, Witness};
use smtlib::Dialect;

/// What became of a text.
pub struct Raw {
    /// The smallest text that shows the error.
    pub text: String,
    /// Why it is interesting.
    pub evidence: Evidence,
    /// The first subject on the way whose own spelling shows the error too.
    pub subject: Option<(Subject, Evidence)>,
}

/// Drops commands in halves, quarters and so on, until the text printed anew shows the error, or no command can go.
pub fn reduce(
    judge: &Judge,
    text: &str,
    evidence: Evidence,
    witness: Option<&Witness>,
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
            match judge.judge(&candidate, witness, true) {
                Verdict::Interesting(evidence) => {
                    commands = fewer;
                    best = Raw { text: candidate, evidence, subject: None };
                    if let Some(found) = printed(judge, &best.text, witness, &read) {
                        best.subject = Some(found);
                        return best;
                    }
                }
                _ => at = end,
            }
        }
        size /= 2;
    }
    best
}

fn printed(
    judge: &Judge,
    text: &str,
    witness: Option<&Witness>,
    read: &impl Fn(&str) -> Option<Subject>,
) -> Option<(Subject, Evidence)> {
    let subject = read(text)?;
    match judge.judge(&subject.text(), witness, true) {
        Verdict::Interesting(evidence) => Some((subject, evidence)),
        _ => None,
    }
}

/// A subject of the same store as another, so that its witness still speaks of it.
pub(crate) fn reread(parent: &Subject, text: &str) -> Option<Subject> {
    let mut store = parent.store.clone();
    let parsed = smtlib::parse(&mut store, text);
    if !parsed.errors.is_empty() {
        return None;
    }
    let dialect: Dialect = parent.dialect.clone();
    Some(Subject { store, script: parsed.script, witness: parent.witness.clone(), dialect, source: text.into() })
}

/// The commands of a text; comments between them are left out.
fn split(text: &str) -> Vec<String> {
    let bytes = text.as_bytes();
    let mut commands = Vec::new();
    let (mut at, mut depth, mut start) = (0, 0usize, 0);
    // The end of what hides parentheses: a string (a doubled quote begins another), a quoted symbol or a comment.
    let past = |at: usize, end: u8| bytes[at + 1..].iter().position(|&b| b == end).map_or(bytes.len(), |n| at + n + 2);
    while at < bytes.len() {
        match bytes[at] {
            b'"' => at = past(at, b'"'),
            b'|' => at = past(at, b'|'),
            b';' => at = past(at, b'\n'),
            b'(' => {
                if depth == 0 {
                    start = at;
                }
                depth += 1;
                at += 1;
            }
            b')' => {
                depth = depth.saturating_sub(1);
                at += 1;
                if depth == 0 {
                    commands.push(text[start..at].to_string());
                }
            }
            _ => at += 1,
        }
    }
    commands
}
