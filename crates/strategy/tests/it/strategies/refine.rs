//! `refine`: problems that neither approximation decides alone, what each learns, and the message if nothing helps.

use crate::strategies::support::{instance, read, run};
use smtlib::Store;
use strategy::SolveAnswer;

/// The answer of a strategy, models checked, and whether each part of the trace is in it.
#[track_caller]
fn check(text: &str, strategy: &str, expect: &str, core: &[usize]) {
    let mut store = Store::new();
    let instance = instance(&mut store, &format!("{text}(check-sat)"));
    let report = run(&mut store, &instance, &read(strategy), 60.0, true);
    assert!(!report.internal_error, "{:?}", report.answer);
    match &report.answer {
        SolveAnswer::Unsat { core: got, .. } => assert_eq!((expect, core), ("unsat", &got[..]), "{strategy} on {text}"),
        SolveAnswer::Unknown(why) => assert!(why.to_string().contains(expect), "{strategy} on {text}: {why}"),
        answer => assert_eq!(answer.word(), expect, "{strategy} on {text}\n{}", report.trace.text()),
    }
}

#[test]
fn answers_come_from_either_side() {
    let products = "(declare-const x Int)(declare-const y Int)(assert (> x 50))(assert (= (* x y) 10404))(assert (< y 200))(assert (= x y))";
    let bounded = "(refine (then simplify nla2bv smt) smt)";
    // Below the bounds of the first rounds there is nothing, above there is.
    check(products, bounded, "sat", &[]);
    // The over-approximation refutes it, of three formulas.
    let absurd = "(declare-const x Int)(declare-const y Int)(assert (> x 5))(assert (= (* x y) 3))(assert (< (+ x y) 9))(assert (> y 7))";
    check(absurd, bounded, "unsat", &[0, 2, 3]);
    // The model of a part is one of all.
    check("(declare-const x Int)(assert (> x 1))(assert (> (* x x x) 0))", "(refine fail smt)", "sat", &[]);
    // The neighbourhood of a vector ends where it holds all of them.
    let vectors = "(declare-const a (_ BitVec 16))(declare-const b (_ BitVec 16))(assert (= (bvmul a b) #x7fff))
        (assert (bvugt a #x0100))(assert (bvugt b #x0100))";
    check(vectors, "(refine sat sat)", "sat", &[]);
    check(&format!("{vectors}(assert (= ((_ extract 0 0) a) #b0))"), "(refine sat sat)", "unsat", &[0, 3]);
    check(
        "(declare-const x Real)(assert (> (* 2.0 x) 7.5))(assert (< x 3.0))",
        "(refine simplex simplex)",
        "unsat",
        &[0, 1],
    );
}

/// A result of one branch is a starting point for another: the equations of x and y are for `sat`, which accepts no floats, and the short
/// search finds only z.
#[test]
fn searches_begin_at_models_of_other_branches() {
    let text = "(declare-const x (_ BitVec 16))(declare-const y (_ BitVec 16))(declare-const z Float32)
        (assert (= (bvmul x (bvadd x y)) #x2b19))(assert (= (bvurem y (bvor x #x0001)) #x00e3))
        (assert (= (fp.neg z) ((_ to_fp 8 24) RNE x)))";
    check(text, "(refine (using-params search :max-executions 1000) (try-for sat 60000))", "sat", &[]);
    check(text, "(using-params search :max-executions 1000)", "limit", &[]);
}

#[test]
fn it_ends_without_an_answer_where_nothing_helps() {
    let cubes = "(declare-const x Int)(declare-const y Int)(declare-const z Int)(assert (> x 0))(assert (> y 0))(assert (> z 0))
        (assert (= (+ (* x x x) (* y y y)) (* z z z)))";
    check(cubes, "(refine (then nla2bv smt) smt 2)", "no engine of the strategy takes nonlinear arithmetic", &[]);
    check("(declare-const p Bool)(assert p)", "(refine fail fail)", "fail", &[]);
    check("(declare-const p Bool)(assert p)", "(refine skip skip)", "left a subgoal open", &[]);
    check("(declare-const p Bool)(assert p)", "(refine fail fail 0)", "no rounds", &[]);
}

#[test]
fn precision_outside_is_kept() {
    // The bound makes the goal stronger, so its refutation is not one of the input.
    let far = "(declare-const x Int)(assert (> x 100))";
    check(far, "(then add-bounds (refine smt smt))", "under-approximation", &[]);
    check(far, "(then bool-abstraction (refine smt smt))", "over-approximation", &[]);
    check(far, "(refine (then add-bounds smt) (then bool-abstraction sat))", "sat", &[]);
}
