//! Reduction of a text as it stands: command by command, for files that show the error only in their own spelling, and expression by
//! expression, for texts that do not read.
//!
//! Solvers number terms as they read them, so that the same terms spelled otherwise may go another way. What is left after the
//! commands that do not matter are gone is often robust enough for the passes to take over.

use crate::judge::{CandidateVerdict, Evidence, TextJudge};
use crate::subject::{Subject, ThreadWitness};
use rustc_hash::FxHashSet;
use smtlib::Dialect;
use smtlib::sexpr::{ItemKind, Sexprs, items};
use std::ops::ControlFlow;

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
    cut(text, |candidate| {
        let CandidateVerdict::Interesting(evidence) = judge.judge(&candidate, witness, true) else {
            return ControlFlow::Continue(false);
        };
        let subject = printed(judge, &candidate, witness, &read);
        best = Raw { text: candidate, evidence, subject };
        if best.subject.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(true) }
    });
    best
}

/// Leaves out commands in halves, quarters and so on; `accepts` says whether a text without some takes the place of the one before.
fn cut(text: &str, mut accepts: impl FnMut(String) -> ControlFlow<(), bool>) {
    let mut commands = split(text);
    let mut size = commands.len().div_ceil(2);
    while size > 0 {
        let mut at = 0;
        while at < commands.len() {
            let end = (at + size).min(commands.len());
            let fewer: Vec<String> = commands[..at].iter().chain(&commands[end..]).cloned().collect();
            match accepts(fewer.join("\n")) {
                ControlFlow::Break(()) => return,
                ControlFlow::Continue(true) => commands = fewer,
                ControlFlow::Continue(false) => at = end,
            }
        }
        size /= 2;
    }
}

/// The smallest text that a reduction by expressions found, why it is interesting, and how many candidates were judged.
pub struct ReducedText {
    /// The text.
    pub text: String,
    /// Why it is interesting.
    pub evidence: Evidence,
    /// Candidates judged.
    pub judged: u64,
}

/// Drops expressions, and puts parts of them in their place, until nothing smaller is interesting or `is_over` says so. Nothing of the
/// text has to be understood. `improved` is told of each smaller text.
pub fn by_expressions(
    judge: &TextJudge,
    text: &str,
    evidence: Evidence,
    is_over: impl Fn() -> bool,
    mut improved: impl FnMut(&ReducedText),
) -> ReducedText {
    let mut best = ReducedText { text: text.to_string(), evidence, judged: 0 };
    let mut tried = FxHashSet::default();
    let mut accepts = |best: &mut ReducedText, candidate: String| {
        if candidate.len() >= best.text.len() || is_over() || !tried.insert(candidate.clone()) {
            return false;
        }
        best.judged += 1;
        let CandidateVerdict::Interesting(evidence) = judge.judge(&candidate, None, true) else { return false };
        *best = ReducedText { text: candidate, evidence, judged: best.judged };
        improved(best);
        true
    };
    loop {
        let before = best.text.len();
        cut(&best.text.clone(), |candidate| ControlFlow::Continue(accepts(&mut best, candidate)));
        let mut at = 0;
        while let Some(candidates) = without_node(&best.text, at) {
            if !candidates.into_iter().any(|candidate| accepts(&mut best, candidate)) {
                at += 1;
            }
        }
        if best.text.len() == before {
            return best;
        }
    }
}

/// The texts without the expression of a number, or with one of its parts in its place. None if there are fewer.
fn without_node(text: &str, number: usize) -> Option<Vec<String>> {
    let all = Sexprs::read(text);
    let node = all.nodes().nth(number)?;
    let span = all.span(node);
    let with = |part: &str| format!("{}{part}{}", &text[..span.start], &text[span.end..]);
    let dropped = format!("{}{}", text[..span.start].trim_end(), &text[span.end..]);
    let parts = all.children(node).map(|child| with(all.text(child)));
    Some(std::iter::once(dropped).chain(parts).collect())
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
    use super::{split, without_node};

    #[test]
    fn expressions_give_way_to_their_parts() {
        let text = "(a (b c) 1)";
        assert_eq!(without_node(text, 0).expect("a list"), ["", "a", "(b c)", "1"]);
        assert_eq!(without_node(text, 2).expect("a list inside"), ["(a 1)", "(a b 1)", "(a c 1)"]);
        assert_eq!(without_node(text, 9), None);
    }

    #[test]
    fn commands_end_where_they_end() {
        let check = |text: &str, expect: &[&str]| assert_eq!(split(text), expect, "{text}");
        check("(a) ; (b)\n(c (d))(e", &["(a)", "(c (d))"]);
        check("(echo \"(\"\"\")(x |)(|)\n", &["(echo \"(\"\"\")", "(x |)(|)"]);
    }
}
