//! Shortens strategies: a tactical becomes one of its arguments or loses one, a probe becomes simpler, a bound smaller.
//!
//! Before: `(check-sat-using (then (using-params simplify :som true) smt))`. After: `(check-sat-using smt)`.

use super::{Grouping, ReductionPass, View};
use crate::plan::ScriptEdit;
use smtlib::Command;
use smtlib::sexpr::{Sexprs, atoms};
use smtlib::strategy::{StrategyVocabulary, parse_strategy};

/// The pass.
pub const PASS: ReductionPass =
    ReductionPass { name: "tactics", about: "shortens tactics", group: Grouping::Single, propose };

/// The maximum number of shorter tactics tried for one.
const MAX_SHORTER: usize = 200;

fn propose(view: &mut View<'_>) -> Vec<Vec<ScriptEdit>> {
    let mut edits = Vec::new();
    for (n, command) in view.script.commands.iter().enumerate() {
        if let Command::CheckSatUsing(tactic) = command {
            let shorter = shorter(tactic);
            edits.extend(shorter.into_iter().map(|t| ScriptEdit::Command(n, vec![Command::CheckSatUsing(t.into())])));
        }
    }
    vec![edits]
}

/// Returns all shorter tactics that differ from `tactic` in one place, the shortest first.
fn shorter(tactic: &str) -> Vec<String> {
    let mut found = by_grammar(tactic).unwrap_or_else(|| by_parentheses(tactic));
    found.sort_by_key(String::len);
    found.dedup();
    found.truncate(MAX_SHORTER);
    found
}

/// Returns the shorter well-formed strategies; none where the text is not in the known language.
fn by_grammar(tactic: &str) -> Option<Vec<String>> {
    let words = || atoms(tactic).map(|span| &tactic[span]);
    // The names belong to the solver: all of them are accepted.
    let vocabulary = StrategyVocabulary::of_names(words(), words());
    let strategy = parse_strategy(tactic, &vocabulary).ok()?;
    Some(smtlib::strategy::shorter(&strategy).iter().map(ToString::to_string).filter(|s| s != tactic).collect())
}

/// Replaces a list by one of its parts, or drops one, regardless of its meaning.
fn by_parentheses(tactic: &str) -> Vec<String> {
    let all = Sexprs::read(tactic);
    let mut found = Vec::new();
    for list in all.nodes().filter(|&node| all.is_list(node)) {
        let span = all.span(list);
        let parts = all.words(list);
        let with = |middle: &str| format!("{}{middle}{}", &tactic[..span.start], &tactic[span.end..]);
        found.extend(parts.iter().skip(1).filter(|p| !p.starts_with(':')).map(|part| with(part)));
        for leave in 1..parts.len() {
            let kept: Vec<&str> =
                parts.iter().enumerate().filter(|(n, _)| *n != leave).map(|(_, part)| *part).collect();
            found.push(with(&format!("({})", kept.join(" "))));
        }
    }
    found
}
