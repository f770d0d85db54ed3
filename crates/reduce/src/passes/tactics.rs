//! Shortens strategies: a tactical to one of its arguments, or with one argument less, a simpler probe, a smaller bound.
//!
//! Before: `(check-sat-using (then (using-params simplify :som true) smt))`. After: `(check-sat-using smt)`.

use super::{Group, Pass, View};
use crate::plan::Edit;
use smtlib::Command;
use smtlib::strategy::{Vocabulary, parse_strategy};

/// The pass.
pub const PASS: Pass = Pass { name: "tactics", about: "shortens tactics", group: Group::Single, propose };

/// Shorter tactics tried of one, at most.
const MAX_SHORTER: usize = 200;

fn propose(view: &mut View<'_>) -> Vec<Vec<Edit>> {
    let mut edits = Vec::new();
    for (n, command) in view.script.commands.iter().enumerate() {
        if let Command::CheckSatUsing(tactic) = command {
            let shorter = shorter(tactic);
            edits.extend(shorter.into_iter().map(|t| Edit::Command(n, vec![Command::CheckSatUsing(t.into())])));
        }
    }
    vec![edits]
}

/// All shorter tactics that differ from `tactic` at one place, the shortest first.
fn shorter(tactic: &str) -> Vec<String> {
    let mut found = by_grammar(tactic).unwrap_or_else(|| by_parentheses(tactic));
    found.sort_by_key(String::len);
    found.dedup();
    found.truncate(MAX_SHORTER);
    found
}

/// The shorter strategies that are well-formed; none where the text is not in the language as we know it.
fn by_grammar(tactic: &str) -> Option<Vec<String>> {
    let words = || tactic.split(|c: char| c.is_whitespace() || c == '(' || c == ')').filter(|w| !w.is_empty());
    // The names are the solver's: whatever is written is taken for one.
    let vocabulary = Vocabulary::of_names(words(), words());
    let strategy = parse_strategy(tactic, &vocabulary).ok()?;
    Some(smtlib::strategy::shorter(&strategy).iter().map(ToString::to_string).filter(|s| s != tactic).collect())
}

/// A parenthesised text replaced by one of its parts, or without one, whatever it means.
fn by_parentheses(tactic: &str) -> Vec<String> {
    let mut found = Vec::new();
    for (start, _) in tactic.match_indices('(') {
        let Some(length) = closing(&tactic[start..]) else { continue };
        let end = start + length;
        let parts = parts(&tactic[start + 1..end - 1]);
        let with = |middle: &str| format!("{}{middle}{}", &tactic[..start], &tactic[end..]);
        found.extend(parts.iter().skip(1).filter(|p| !p.starts_with(':')).map(|part| with(part)));
        for leave in 1..parts.len() {
            let kept: Vec<&str> =
                parts.iter().enumerate().filter(|(n, _)| *n != leave).map(|(_, part)| *part).collect();
            found.push(with(&format!("({})", kept.join(" "))));
        }
    }
    found
}

/// The length of the parenthesised text that `text` begins with.
fn closing(text: &str) -> Option<usize> {
    let mut depth = 0usize;
    for (at, c) in text.char_indices() {
        match c {
            '(' => depth += 1,
            ')' => {
                depth = depth.checked_sub(1)?;
                if depth == 0 {
                    return Some(at + 1);
                }
            }
            _ => {}
        }
    }
    None
}

/// The words and parenthesised parts of a text.
fn parts(text: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut rest = text.trim_start();
    while !rest.is_empty() {
        let length = match rest.starts_with('(') {
            true => closing(rest).unwrap_or(rest.len()),
            false => rest.find(|c: char| c.is_whitespace() || c == '(').unwrap_or(rest.len()),
        };
        // A stray `)` is a part of one character: the text is a solver's own affair and need not balance.
        let (part, after) = rest.split_at(length.max(1));
        parts.push(part);
        rest = after.trim_start();
    }
    parts
}
