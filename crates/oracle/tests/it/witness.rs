//! A witness that is written and read back certifies the same mutant, for every embedded seed.

use corpus::seed;
use mutate::mutators::find;
use mutate::{Mutant, MutantRequest, Parent, TargetSpelling, Unit};
use oracle::witness_file;
use semantics::truth::witness::certify;
use smtlib::Store;
use std::sync::Arc;

#[test]
fn witnesses_survive_the_disk() {
    let mutator = (find("storm").expect("storm is registered").build)(&[("max-asserts", "12")]).expect("it has that");
    let target = TargetSpelling::default();
    let (mut certified, mut lost) = (0, Vec::new());
    for (number, source) in seed::embedded().iter().enumerate() {
        let mut seed = source.load().unwrap_or_else(|e| panic!("{}: {e}", source.name()));
        let parent = [Parent { instance: seed.instances[0].clone(), given: Default::default() }];
        let unit = Unit { campaign: 3, number: number as u64 };
        let request = MutantRequest { parents: &parent, target: &target, unit };
        let Ok(mut batch) = mutator.prepare(&mut seed.store, request) else { continue };
        let mut mutant = Mutant::default();
        batch.mutant(0, &mut mutant);
        let model = batch.witness(0).expect("a satisfiable mutant has a witness");
        let checks = mutant.expected.len();
        if certify(batch.store(), &model, &mutant.text, checks).is_err() {
            continue;
        }
        let mut store = batch.store().clone();
        let parsed = smtlib::parse(&mut store, &mutant.text);
        let instances = parsed.script.instances();
        let last = instances.last().expect("a mutant asks something");
        let Some(text) = witness_file::write(&store, &model, last) else {
            lost.push(source.name());
            continue;
        };
        let mut fresh = Store::new();
        assert!(smtlib::parse(&mut fresh, &mutant.text).errors.is_empty(), "{}", source.name());
        let read = witness_file::read(&mut fresh, &text).unwrap_or_else(|e| panic!("{}: {e}\n{text}", source.name()));
        let verdict = certify(&fresh, &Arc::new(read), &mutant.text, checks);
        assert!(verdict.is_ok(), "{}: {}\n{text}\n{}", source.name(), verdict.unwrap_err(), mutant.text);
        certified += 1;
    }
    assert!(lost.is_empty(), "no witness can be written for {lost:?}");
    assert!(certified > 100, "only {certified} mutants were certified");
}

/// The standard has no literal for an irrational number.
#[test]
fn an_irrational_witness_is_a_root_that_any_solver_understands() {
    let mutator =
        (find("finite").expect("finite is registered").build)(&[("theory", "polynomials")]).expect("it has that");
    let (mut pinned, target) = (0, TargetSpelling::default());
    for number in 0..100 {
        let mut store = Store::new();
        let request = MutantRequest { parents: &[], target: &target, unit: Unit { campaign: 5, number } };
        let mut batch = mutator.prepare(&mut store, request).expect("problems");
        let mut mutant = Mutant::default();
        batch.mutant(0, &mut mutant);
        let Some(model) = batch.witness(0) else { continue };
        let mut read = Store::new();
        assert!(smtlib::parse(&mut read, &mutant.text).errors.is_empty(), "{}", mutant.text);
        let checks = mutant.expected.len();
        certify(batch.store(), &model, &mutant.text, checks).expect("a certified problem");
        let mut own = batch.store().clone();
        let last = smtlib::parse(&mut own, &mutant.text).script.instances().pop().expect("a check");
        let text = witness_file::write(&own, &model, &last).unwrap_or_else(|| panic!("a witness of {}", mutant.text));
        pinned += u32::from(text.contains("(set-info :root "));
        let back = witness_file::read(&mut read, &text).unwrap_or_else(|e| panic!("{e}\n{text}"));
        certify(&read, &Arc::new(back), &mutant.text, checks).unwrap_or_else(|e| panic!("{e}\n{text}"));
    }
    assert!(pinned > 5, "only {pinned} witnesses are irrational");
}

#[test]
fn a_witness_that_does_not_fit_is_refused() {
    let check = |mutant: &str, text: &str, expect: bool| {
        let mut store = Store::new();
        assert!(smtlib::parse(&mut store, mutant).errors.is_empty());
        let certified = witness_file::read(&mut store, text)
            .is_ok_and(|model| certify(&store, &Arc::new(model), mutant, 1).is_ok());
        assert_eq!(certified, expect, "{text}");
    };
    let mutant = "(declare-const x Int)(assert (> x 3))(check-sat)";
    check(mutant, "(define-fun x () Int 4)", true);
    check(mutant, "(define-fun x () Int 3)", false);
    check(mutant, "(define-fun x () Real 4.0)", false);
    check(mutant, "(define-fun y () Int 4)", false);
    check(mutant, "(define-fun x () Int", false);
    check(mutant, "(set-info :universe |no number|)(define-fun x () Int 4)", false);
    let mutant = "(declare-fun f (Int) Int)(assert (= (f 1) 2))(check-sat)";
    check(mutant, "(define-fun f ((x Int)) Int (+ x 1))", true);
    check(mutant, "(define-fun f ((x Int)) Int x)", false);
    let mutant = "(declare-const x Real)(assert (= (/ x 0.0) 7.0))(check-sat)";
    check(mutant, "(define-fun x () Real 1.0)(assert (= (/ 1.0 0.0) 7.0))", true);
    check(mutant, "(define-fun x () Real 1.0)", false);
    // A root, by its number among the real roots of a polynomial.
    let mutant = "(declare-const |a b| Real)(assert (= (* |a b| |a b|) 2.0))(assert (> |a b| 0.0))(check-sat)";
    let rooted = |info: &str| format!("(declare-fun |a b| () Real)(set-info :root \"{info}\")");
    check(mutant, &rooted("2 -2,0,1 a b"), true);
    check(mutant, &rooted("1 -2,0,1 a b"), false);
    check(mutant, &rooted("3 -2,0,1 a b"), false);
    check(mutant, &rooted("2 -2,0,1 c"), false);
    check(mutant, &rooted("2 -2,,1 a b"), false);
    check(mutant, &rooted("2"), false);
    // An assertion cannot give an operator a value that the standard fixes.
    let mutant = "(declare-const x Real)(assert (= (/ x 2.0) 7.0))(check-sat)";
    check(mutant, "(define-fun x () Real 1.0)(assert (= (/ 1.0 2.0) 7.0))", false);
}
