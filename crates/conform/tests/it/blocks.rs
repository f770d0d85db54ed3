//! Blocks of applications: reproducible, without duplicates, well-typed, for every operator.

use conform::explained::BUILT_IN;
use conform::{ApplicationBlock, Explained};
use semantics::{EvalLimits, Evaluator, Model, Value};
use smtlib::Dialect;
use smtlib::theories::THEORIES;

/// Returns the text of every application of a block with its value.
fn texts(block: &ApplicationBlock) -> Vec<String> {
    block.applications.iter().map(|a| block.text(a.equation, &Dialect::default())).collect()
}

#[test]
fn every_operator_has_applications_of_known_value() {
    // In two threads: no other test of this crate takes as long.
    std::thread::scope(|scope| (0..2).for_each(|half| drop(scope.spawn(move || every_second_has_applications(half)))));
}

fn every_second_has_applications(half: usize) {
    for row in THEORIES.iter().flat_map(|theory| theory.rows).filter(|row| row.is_evaluated()).skip(half).step_by(2) {
        let block = ApplicationBlock::new(row, 1, 0).unwrap();
        assert!(!block.applications.is_empty(), "{}", row.name);
        for application in &block.applications {
            let mut evaluator = Evaluator::new(Model::new(), EvalLimits::default());
            let holds = evaluator.eval(&block.store, application.equation);
            assert_eq!(holds, Ok(Value::Bool(true)), "{}", block.text(application.equation, &Dialect::default()));
        }
    }
}

#[test]
fn a_block_follows_from_seed_and_number() {
    for row in THEORIES.iter().flat_map(|theory| theory.rows).step_by(7) {
        assert_eq!(
            texts(&ApplicationBlock::new(row, 3, 2).unwrap()),
            texts(&ApplicationBlock::new(row, 3, 2).unwrap())
        );
    }
    let row = THEORIES[1].rows.iter().find(|row| row.name == "div").unwrap();
    assert_ne!(texts(&ApplicationBlock::new(row, 3, 2).unwrap()), texts(&ApplicationBlock::new(row, 4, 2).unwrap()));
    assert_ne!(texts(&ApplicationBlock::new(row, 3, 2).unwrap()), texts(&ApplicationBlock::new(row, 3, 3).unwrap()));
}

#[test]
fn applications_differ_and_can_be_read_back() {
    for row in THEORIES.iter().flat_map(|theory| theory.rows).step_by(3) {
        let block = ApplicationBlock::new(row, 9, 1).unwrap();
        let mut seen = std::collections::BTreeSet::new();
        for application in &block.applications {
            assert!(seen.insert(application.term), "{} twice", row.name);
        }
        for text in texts(&block) {
            let mut store = smtlib::Store::new();
            let mut scope = smtlib::Scope::new(&store);
            assert!(smtlib::parse_term(&mut store, &mut scope, &text).is_ok(), "{text}");
        }
    }
}

#[test]
fn the_built_in_table_is_well_formed() {
    let table = Explained::parse(BUILT_IN).unwrap();
    let names: Vec<&str> = smtlib::theories::rows().map(|row| row.name).collect();
    for row in &table.explained {
        for operator in &row.operators {
            assert!(names.contains(&operator.as_str()), "no operator is called {operator}");
        }
        assert!(!row.clause.is_empty() && !row.why.is_empty());
    }
    assert!(Explained::parse("[[explained]]\nsolver = 1").is_err());
}
