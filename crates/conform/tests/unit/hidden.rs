//! Unit tests of `src/hidden.rs`.

use super::*;
use semantics::{EvalLimits, Evaluator, Model, Value};
use smtlib::theories::THEORIES;

/// The texts can be parsed, and hold where constants equal the literals.
#[test]
fn hidden_applications_have_our_value() {
    // In two threads: no other test of this program takes as long.
    let count: usize = std::thread::scope(|scope| {
        let halves = [0, 1].map(|half| scope.spawn(move || hidden_of(half)));
        halves.into_iter().map(|half| half.join().expect("a half")).sum()
    });
    assert!(count > 150, "{count}");
}

/// Checks every sixth operator, so that two threads check a third of all. Returns the number of hidden applications.
fn hidden_of(half: usize) -> usize {
    let mut hidden_ones = 0;
    for row in THEORIES.iter().flat_map(|theory| theory.rows).skip(half).step_by(6) {
        let block = ApplicationBlock::new(row, 5, 0).unwrap();
        for application in block.applications.iter().take(20) {
            let Some(Hidden { preface, equation }) = hidden(&block, application, &Dialect::default()) else {
                continue;
            };
            let mut store = smtlib::Store::new();
            let parsed = smtlib::parse(&mut store, &format!("(set-logic ALL) {preface} (assert {equation})"));
            assert!(parsed.errors.is_empty(), "{preface} {equation}: {:?}", parsed.errors);
            let count = store.args(application_of(&parsed, &store)).len();
            assert_eq!(count, 2, "an equation");
            if preface.is_empty() {
                continue;
            }
            hidden_ones += 1;
            // Substituting the literals gives the original equation.
            let mut text = equation.clone();
            for (n, &arg) in block.store.args(application.term).iter().enumerate().rev() {
                text = text.replacen(&format!(" a{n}"), &format!(" {}", block.text(arg, &Dialect::default())), 1);
            }
            let mut store = smtlib::Store::new();
            let mut scope = smtlib::Scope::new(&store);
            let term = smtlib::parse_term(&mut store, &mut scope, &text).unwrap();
            let value = Evaluator::new(Model::new(), EvalLimits::default()).eval(&store, term);
            assert_eq!(value, Ok(Value::Bool(true)), "{text}");
        }
    }
    hidden_ones
}

fn application_of(parsed: &smtlib::Parsed, store: &smtlib::Store) -> smtlib::TermId {
    let asserted = parsed.script.commands.iter().rev().find_map(|command| match command {
        smtlib::Command::Assert(term, _) => Some(*term),
        _ => None,
    });
    let term = asserted.unwrap();
    assert_eq!(store.sort(term), SortId::BOOL);
    term
}
