//! Reduction of a text as it stands, command by command: for files that show the error only in their own spelling.
//!
//! Solvers number terms as they read them, so that the same terms spelled otherwise may go another way. What is left after the
//! commands that do not matter are gone is often robust enough for the passes to take over.

use crate::judge::{CandidateVerdict, Evidence, TextJudge};
use crate::subject::{Subject, ThreadWitness};
use smtlib::Dialect;
use smtlib::sexpr::{ItemKind, items};

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

/// A subject of the same store as another, so that its witness still speaks of it.
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
        is_text: false,
    })
}

/// The commands of a text; comments between them are left out.
fn split(text: &str) -> Vec<String> {
    items(text).filter(|item| item.kind == ItemKind::List).map(|item| text[item.span].to_string()).collect()
}

#[cfg(test)]
mod tests {
    use super::split;

    #[test]
    fn commands_end_where_they_end() {
        let check = |text: &str, expect: &[&str]| assert_eq!(split(text), expect, "{text}");
        check("(a) ; (b)\n(c (d))(e", &["(a)", "(c (d))"]);
        check("(echo \"(\"\"\")(x |)(|)\n", &["(echo \"(\"\"\")", "(x |)(|)"]);
    }
}
