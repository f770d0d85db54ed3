//! Goals compared with their problem by exhaustion: tactics that keep the truth, one that does not, and what cannot be compared.

use crate::strategies::support::{instance, read, script, solvers};
use smtlib::Store;
use smtlib::strategy::Strategy;
use std::sync::Arc;
use strategy::compare::{GoalComparison, compare};
use strategy::trace::Trace;
use strategy::{Budget, Shared, TacticRun, plan};

fn compared(text: &str, strategy: &Strategy) -> GoalComparison {
    let mut store = Store::new();
    let instance = instance(&mut store, &format!("{text}(check-sat)"));
    let solvers = solvers();
    let plan = plan(strategy, &solvers).unwrap_or_else(|error| panic!("{strategy}: {error}"));
    let shared = Arc::new(Shared::new(solvers, instance.declarations.clone(), instance.logic));
    let mut run = TacticRun::new(Budget::default(), shared, Trace::default());
    compare(&mut store, &instance.assertions, &plan, &mut run)
}

const SAT: &str =
    "(declare-const a (_ BitVec 3))(declare-const p Bool)(assert (or p (= (bvmul a a) #b001)))(assert (bvugt a #b001))";
const UNSAT: &str = "(declare-const a (_ BitVec 3))(assert (= (bvmul a a) #b011))(assert (bvugt a #b001))";

#[test]
fn tactics_keep_the_truth_of_small_worlds() {
    for strategy in ["simplify", "(then simplify tseitin-cnf)", "split-or", "bit-blast", "sat", "(then split-or sat)"] {
        assert_eq!(compared(SAT, &read(strategy)), GoalComparison::Agree("sat"), "{strategy}");
    }
    for strategy in ["simplify", "(then simplify tseitin-cnf)", "bit-blast", "sat"] {
        assert_eq!(compared(UNSAT, &read(strategy)), GoalComparison::Agree("unsat"), "{strategy}");
    }
}

/// A quantified formula that occurs twice in one body binds the same names in both places.
#[test]
fn a_formula_quantified_twice_is_still_itself() {
    let words =
        "(declare-fun q ((_ BitVec 1)) Bool)(declare-fun r ((_ BitVec 1) (_ BitVec 1)) Bool)(assert (not (q #b1)))";
    let all = "(forall ((y (_ BitVec 1))) (or (distinct x y) (r x y)))";
    let one = "(exists ((y (_ BitVec 1))) (and (= x y) (r y x)))";
    let check = |quantifier: &str, body: String, expect: &'static str| {
        let text = format!("{words}(assert ({quantifier} ((x (_ BitVec 1))) {body}))");
        for strategy in ["der", "expand-quantifiers", "snf", "(then snf der expand-quantifiers)", "mbqi"] {
            assert_eq!(compared(&text, &read(strategy)), GoalComparison::Agree(expect), "{strategy} on {body}");
        }
    };
    check("forall", format!("(or {all} (exists ((z (_ BitVec 1))) (and (r z x) (not {all}))))"), "sat");
    check("forall", format!("(or {all} (and (q x) {all}))"), "sat");
    check("exists", format!("(and {one} (forall ((z (_ BitVec 1))) (and (r z x) (not {one}))))"), "unsat");
    check("exists", format!("(and {one} (or (q x) {one}) (not (r x x)))"), "unsat");
}

#[test]
fn what_cannot_be_compared_is_told() {
    let check = |text: &str, strategy: &str, words: &str| match compared(text, &read(strategy)) {
        GoalComparison::Unknown(why) => assert!(why.contains(words), "{strategy}: {why}"),
        other => panic!("{strategy}: {other:?}"),
    };
    check("(declare-const x Int)(assert (> x 3))", "simplify", "cannot be exhausted");
    check(SAT, "fail", "fail");
    check(UNSAT, "bool-abstraction", "an answer that does not count");
}

/// A program that returns a fixed result for every goal.
#[cfg(unix)]
#[test]
fn a_tactic_of_another_program_that_errs_is_found() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let says = |name: &str, goals: &str| {
        let answer = format!("exec sed -u -n 's/^(echo \"\\(.*\\)\")$/\\1/p; s/^(apply .*$/{goals}/p'\n");
        let path = script(folder.path(), name, &answer);
        Strategy::SolverTactic(path.into(), "simplify".into())
    };
    // It forgets the product, or all of the goal.
    let lost = says("lost", "(goals (goal :precision precise :depth 1))(assert (bvugt a #b110))");
    let GoalComparison::Differ(how) = compared(UNSAT, &lost) else { panic!("not found") };
    assert!(how.contains("a model of goal 1 leads to none"), "{how}");
    let all = says("all", "(goals (goal :precision precise :depth 1))");
    let GoalComparison::Differ(how) = compared(UNSAT, &all) else { panic!("not found") };
    assert!(how.contains("a model cannot be brought back"), "{how}");
    let absurd = says("absurd", "(goals (goal :precision precise :depth 1))(assert false)");
    let differ = GoalComparison::Differ("the problem is sat, the result unsat".to_string());
    assert_eq!(compared(SAT, &absurd), differ);
    let right = says("right", "(goals (goal :precision precise :depth 1))(assert (bvugt a #b001))(assert p)");
    assert_eq!(compared(SAT, &right), GoalComparison::Agree("sat"));
}
