//! The default strategies: each reads, and decides small problems of its logic without any solver.

use crate::strategies::support::{instance, read, run};
use smtlib::Store;
use strategy::defaults::{default_strategies, default_strategy};

#[test]
fn every_default_is_a_strategy() {
    let mut logics = Vec::new();
    for (logic, text) in default_strategies() {
        read(text);
        assert!(!logics.contains(&logic), "{logic} twice");
        logics.push(logic);
    }
    assert!(logics.contains(&"ALL"));
    assert_eq!(default_strategy("NO_SUCH_LOGIC"), default_strategy("ALL"));
}

#[test]
fn small_problems_of_every_logic_are_decided() {
    let check = |logic: &str, text: &str, expect: &str| {
        let mut store = Store::new();
        let instance = instance(&mut store, &format!("{text}(check-sat)"));
        let report = run(&mut store, &instance, &read(default_strategy(logic)), 120.0, false);
        assert_eq!(report.answer.word(), expect, "{logic} {text}: {:?}\n{}", report.answer, report.trace.text());
    };
    check("QF_BV", "(declare-const x (_ BitVec 8))(assert (= (bvmul x x) #x19))", "sat");
    check("QF_BV", "(declare-const x (_ BitVec 8))(assert (= (bvmul x x) #x03))", "unsat");
    check(
        "QF_UF",
        "(declare-sort U 0)(declare-fun f (U) U)(declare-const a U)(assert (= (f (f a)) a))(assert (distinct (f a) a))",
        "sat",
    );
    check(
        "QF_UF",
        "(declare-sort U 0)(declare-fun f (U) U)(declare-const a U)(assert (= (f a) a))(assert (distinct (f (f a)) a))",
        "unsat",
    );
    check("QF_IDL", "(declare-const x Int)(declare-const y Int)(assert (< x y))(assert (< y (+ x 2)))", "sat");
    check("QF_IDL", "(declare-const x Int)(declare-const y Int)(assert (< x y))(assert (< y (+ x 1)))", "unsat");
    check(
        "QF_RDL",
        "(declare-const x Real)(declare-const y Real)(assert (or (< x y) (< y x)))(assert (<= x y))",
        "sat",
    );
    check(
        "QF_LRA",
        "(declare-const x Real)(declare-const y Real)(assert (= (+ x (* 2.0 y)) 3.0))(assert (> (- x y) 100.0))",
        "sat",
    );
    check("QF_LRA", "(declare-const x Real)(assert (> (* 2.0 x) 3.0))(assert (< x 1.0))", "unsat");
    check(
        "QF_LIA",
        "(declare-const x Int)(declare-const y Int)(assert (= (+ (* 3 x) (* 5 y)) 7))(assert (> x 10))",
        "sat",
    );
    check(
        "QF_LIA",
        "(declare-const x Int)(declare-const y Int)(assert (= (+ (* 4 x) (* 6 y)) 7))(assert (> x 0))(assert (< x 50))",
        "unsat",
    );
    check(
        "QF_FP",
        "(declare-const x (_ FloatingPoint 5 11))(assert (fp.gt x ((_ to_fp 5 11) RNE 2.5)))(assert (fp.lt (fp.mul RNE x x) ((_ to_fp 5 11) RNE 7.0)))",
        "sat",
    );
    check("QF_FP", "(declare-const x (_ FloatingPoint 3 4))(assert (fp.lt x x))", "unsat");
}
