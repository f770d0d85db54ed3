//! Replaces each operator of a script by others that take the same arguments, and finds those on which a solver is wrong, too.

use super::asker::ExplainBound;
use super::script_query::ScriptQuery;
use crate::explanation::TriedSibling;
use mutate::edit::head_text;
use mutate::operator::{DEFAULT, OperatorTable};
use oracle::exhaustion::decide_text;
use oracle::tested::misreads;
use reduce::bisect::VersionVerdict;
use reduce::query::dialect;
use smtlib::theories::THEORIES;
use smtlib::{Kind, Op, Store, TermId};
use solver::misread::misread;
use solver::outcome::Answer;
use std::collections::BTreeSet;

/// The maximum number of replacements that are tried.
const MOST: usize = 40;
/// A longer script has too many operators for one of them to say something about the bug.
const MAX_BYTES: usize = 1_000;
/// The runs that show a wrong answer.
const RUNS: usize = 2;

/// Tries the siblings of each operator of a theory, where exhaustion decides the right answer with the sibling. `check` is the wrongly answered check.
/// The second value is the number of replacements that were not tried.
pub fn siblings(script: &ScriptQuery, check: usize, bound: &ExplainBound) -> (Vec<TriedSibling>, usize) {
    if script.text.len() > MAX_BYTES || decide_text(&script.text, check).is_err() {
        return (Vec::new(), 0);
    }
    let pairs = pairs(script, check);
    let solver = script.solver.clone().with_cancel(bound.cancel().clone());
    let misreads = misreads(solver.installed());
    let mut tried = Vec::new();
    for (number, (of, instead)) in pairs.iter().enumerate() {
        if bound.is_over() {
            return (tried, pairs.len() - number);
        }
        let text = replaced(&script.text, of, instead);
        // An operator may be spelled in another way; and a text that this version reads in its own way proves nothing.
        if text == script.text || misread(misreads.iter().map(String::as_str), &text).is_some() {
            continue;
        }
        // What the standard leaves open proves nobody wrong.
        let Some(truth) = decide_text(&text, check).ok().filter(|truth| !truth.is_by_choice()) else { continue };
        let mut question = script.question.clone();
        question.limits.script_cpu = [question.limits.script_cpu, bound.left()].into_iter().flatten().min();
        let mut verdicts = (0..RUNS).map(|_| {
            let Ok(reply) = question.ask(&solver, &text) else { return VersionVerdict::Refused };
            bound.add(reply.outcome.cpu);
            match reply.outcome.answers.get(check).map(|one| one.answer) {
                Some(answer @ (Answer::Sat | Answer::Unsat)) if answer.word() == truth.word() => VersionVerdict::Right,
                Some(Answer::Sat | Answer::Unsat) => VersionVerdict::Wrong,
                _ => VersionVerdict::Undecided,
            }
        });
        let first = verdicts.next().unwrap_or(VersionVerdict::Undecided);
        let did = if verdicts.all(|again| again == first) { first } else { VersionVerdict::Undecided };
        tried.push(TriedSibling { of: of.clone(), instead: instead.clone(), did });
    }
    (tried, 0)
}

/// Replaces an operator by another everywhere in a text.
fn replaced(text: &str, of: &str, instead: &str) -> String {
    // An indexed operator is a list, which only occurs as one.
    if of.starts_with('(') {
        return text.replace(of, instead);
    }
    let is_end = |c: char| c == '(' || c == ')' || c.is_whitespace();
    let words = text.split_inclusive(is_end);
    let replace = |word: &str| match word.strip_prefix(of) {
        Some(end) if end.chars().all(is_end) => format!("{instead}{end}"),
        _ => word.to_string(),
    };
    words.map(replace).collect()
}

/// The operators of a check with their siblings, in the solver's spelling.
fn pairs(script: &ScriptQuery, check: usize) -> Vec<(String, String)> {
    let mut store = Store::new();
    let parsed = smtlib::parse(&mut store, &script.text);
    let Some(mut open) = parsed.script.instance(check).map(|instance| instance.assertions.clone()) else {
        return Vec::new();
    };
    let dialect = dialect(script.solver.installed());
    let name = |op: Op| {
        let mut text = String::new();
        head_text(&dialect, op, &mut text);
        text
    };
    let theories = || THEORIES.iter().filter(|theory| theory.name != "Core").flat_map(|theory| theory.rows);
    let is_of_theory = |kind: Kind| theories().any(|row| row.kind == kind);
    let (table, _) = OperatorTable::read(DEFAULT);
    let (mut seen, mut found) = (BTreeSet::<TermId>::new(), Vec::new());
    let mut pairs = BTreeSet::new();
    while let Some(term) = open.pop() {
        if seen.insert(term) {
            found.clear();
            if is_of_theory(store.kind(term)) {
                table.replacements(&mut store, term, &mut found);
            }
            pairs.extend(found.iter().map(|&sibling| (name(store.op(term)), name(sibling))));
            open.extend(store.args(term));
        }
    }
    pairs.into_iter().take(MOST).collect()
}
