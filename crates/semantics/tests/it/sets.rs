//! Finite sets: the meaning of their operators, their values as terms, guards, exhaustion and models.

use crate::support::{check, cvc5_answers, decided, value_of, verdict};
use std::process::Command;

const SETS: &str = "(define-fun e () (Set Int) (as set.empty (Set Int)))
    (define-fun a () (Set Int) (set.union (set.singleton 1) (set.singleton 2)))
    (define-fun b () (Set Int) (set.insert 2 3 (set.singleton 3)))
    (define-fun q () (Set (_ BitVec 2)) (set.insert #b00 #b10 (as set.empty (Set (_ BitVec 2)))))";

/// Terms and their values.
const OPERATORS: &[(&str, &str)] = &[
    ("(set.union a b)", "(set.insert 3 2 (set.singleton 1))"),
    ("(set.union a b (set.singleton 0) e)", "(set.range 0 3)"),
    ("(set.inter a b)", "(set.singleton 2)"),
    ("(set.inter a b (set.singleton 1))", "e"),
    ("(set.inter a e)", "e"),
    ("(set.minus a b)", "(set.singleton 1)"),
    ("(set.minus b a)", "(set.singleton 3)"),
    ("(set.minus a b (set.singleton 1))", "e"),
    ("(set.minus e a)", "e"),
    ("(set.insert 1 1 2 e)", "a"),
    ("(set.insert 2 a)", "a"),
    ("(set.range (- 1) 1)", "(set.insert 0 1 (set.singleton (- 1)))"),
    ("(set.range 4 4)", "(set.singleton 4)"),
    ("(set.range 4 3)", "e"),
    ("(set.range 0 100000000)", "unknown"),
    ("(set.complement q)", "(set.insert #b01 #b11 (as set.empty (Set (_ BitVec 2))))"),
    ("(set.complement (as set.universe (Set Bool)))", "(as set.empty (Set Bool))"),
    ("(set.card (as set.universe (Set (Set RoundingMode))))", "32"),
    // No finite set has all integers, and solvers differ about what these are.
    ("(as set.universe (Set Int))", "unknown"),
    ("(set.complement a)", "unknown"),
    ("(set.card a)", "2"),
    ("(set.card (set.union a b))", "3"),
    ("(set.card e)", "0"),
    ("(set.member 1 a)", "true"),
    ("(set.member 3 a)", "false"),
    ("(set.member 3 e)", "false"),
    ("(set.subset e e)", "true"),
    ("(set.subset (set.singleton 2) a)", "true"),
    ("(set.subset a (set.singleton 2))", "false"),
    ("(set.subset a b)", "false"),
    ("(set.is_empty e)", "true"),
    ("(set.is_empty a)", "false"),
    ("(set.is_singleton e)", "false"),
    ("(set.is_singleton (set.inter a b))", "true"),
    ("(set.is_singleton a)", "false"),
    // Two sets with the same elements are one.
    ("(= (set.union (set.singleton 2) (set.singleton 1)) a)", "true"),
    ("(= a b)", "false"),
    ("(distinct a b e)", "true"),
    ("(set.member (set.insert 1 2 e) (set.singleton a))", "true"),
    ("(set.card (set.insert a b (set.insert 2 1 e) (set.singleton e)))", "3"),
    ("(set.member (set.singleton (- 0.5)) (set.singleton (set.singleton (/ (- 1.0) 2.0))))", "true"),
    // What is not known does not matter to an empty set.
    ("(set.inter e (set.singleton (div 1 0)))", "e"),
    ("(set.union e (set.singleton (div 1 0)))", "unknown"),
    ("(= (set.singleton (div 1 0)) e)", "unknown"),
];

#[test]
fn operators() {
    for (term, value) in OPERATORS {
        check(SETS, term, value);
    }
}

/// What cvc5 has without an option for extensions, it understands alike.
#[test]
fn cvc5_agrees() {
    let version = Command::new("cvc5").arg("--version").output().ok();
    let Some(_) = testing::require("cvc5", version) else { return };
    // Sizes of sets of bit-vectors, ranges, universes and complements are not had, nor is `set.is_empty` in older versions.
    let is_asked = |(term, value): &&(&str, &str)| {
        let text = format!("{term}{value}");
        let lacking = ["set.universe", "set.complement", "set.range", "set.is_empty", "unknown"];
        !lacking.iter().any(|lacking| text.contains(lacking))
    };
    let rows: Vec<&(&str, &str)> = OPERATORS.iter().filter(is_asked).collect();
    let mut script = format!("(set-logic ALL)\n{SETS}\n");
    for (term, value) in &rows {
        script.push_str(&format!("(push 1)(assert (distinct {term} {value}))(check-sat)(pop 1)\n"));
    }
    let answers = cvc5_answers(&script);
    assert!(rows.len() > 20);
    for (n, (term, value)) in rows.iter().enumerate() {
        assert_eq!(answers.get(n).map(String::as_str), Some("unsat"), "(distinct {term} {value})");
    }
}

/// An irrational number has several spellings: the elements of a set with one cannot be distinguished.
#[test]
fn values_without_one_spelling() {
    let script = "(declare-const x Real)(assert (= (* x x) 2.0))";
    let model = "((define-fun x () Real (root-obj (+ (^ x 2) (- 2)) 2)))";
    let check = |assertion: &str, expect: &str| {
        assert_eq!(verdict(&format!("{script}(assert {assertion})"), model), expect, "{assertion}");
    };
    check("(not (set.member x (set.insert 1.0 2.0 (as set.empty (Set Real)))))", "valid");
    check("(set.member x (set.insert 1.0 2.0 (as set.empty (Set Real))))", "invalid 1");
    let why = "unknown: the function or array is given by a body, so equality cannot be decided";
    check("(set.member x (set.singleton x))", why);
}

/// Every value is the value of its term.
#[test]
fn values_are_terms() {
    for (term, expect) in [
        ("e", "(as set.empty (Set Int))"),
        ("(set.minus a b)", "(set.singleton 1)"),
        ("(set.range (- 1) 1)", "(set.union (set.singleton (- 1)) (set.singleton 0) (set.singleton 1))"),
        ("(set.singleton e)", "(set.singleton (as set.empty (Set Int)))"),
    ] {
        assert_eq!(value_of(SETS, term), expect);
        assert_eq!(value_of(SETS, expect), expect);
    }
}

#[test]
fn exhaustion() {
    // By the sort: 2^8 sets.
    decided("(declare-const x (Set (_ BitVec 3)))(assert (= (set.card x) 9))", "unsat");
    decided("(declare-const x (Set (_ BitVec 3)))(assert (and (= (set.card x) 7) (not (set.member #b010 x))))", "sat");
    decided("(assert (forall ((x (Set Bool))) (set.subset x (set.insert true false x))))", "sat");
    decided(
        "(declare-const p (Set Bool))(assert (forall ((x (Set Bool))) (=> (set.subset x p) (= (set.card x) 0))))\
         (assert (= (set.card p) 1))",
        "unsat",
    );
    // By guards.
    let two = "(declare-const x (Set Int))(declare-const y (Set Int))";
    // z3 5.4.1 answers unsat to the first.
    decided(&format!("{two}(assert (= (set.union x y) (set.singleton 3)))(assert (= (set.card y) 1))"), "sat");
    decided(&format!("{two}(assert (= (set.union x y) (set.singleton 3)))(assert (= (set.card y) 2))"), "unsat");
    decided(
        &format!(
            "{two}(assert (set.subset x (set.range 1 5)))(assert (set.subset y (set.singleton 1)))\
                  (assert (> (set.card (set.union x y)) 5))"
        ),
        "unsat",
    );
    decided("(declare-const i Int)(assert (set.member i (set.range 2 4)))(assert (distinct i 2 3 4))", "unsat");
    decided(
        &format!("{two}(assert (set.subset x y))"),
        "refused: `x` of sort (Set Int) has infinitely many values; confine it by an assertion such as (or (= x c1) (= x c2)), or (<= 0 x 5) for an integer",
    );
    // The terms of a sort do not bound its size where sets of it have sizes.
    decided(
        "(declare-sort U 0)(declare-const u U)(declare-const x (Set U))(assert (set.member u x))(assert (= (set.card x) 3))",
        "refused: the sort U may have any number of elements; bound it by (forall ((x U)) (or (= x a) (= x b))), with as many equations as elements",
    );
    decided(
        "(declare-sort U 0)(declare-const u U)(declare-const v U)(declare-const x (Set U))\
         (assert (forall ((z U)) (or (= z u) (= z v))))(assert (= (set.card x) 3))",
        "unsat",
    );
}

#[test]
fn models() {
    let script = "(declare-fun s () (Set Int))(declare-fun q () (Set (Set Bool)))
        (assert (set.member 3 s))(assert (= (set.card q) 2))";
    // As cvc5 and z3 print them.
    let cvc5 = "((define-fun s () (Set Int) (set.union (set.singleton 5) (set.singleton 3)))
        (define-fun q () (Set (Set Bool)) (set.union (set.singleton (set.singleton true)) (set.singleton (as set.empty (Set Bool))))))";
    let z3 = "((define-fun s () (FiniteSet Int) (set.union (set.singleton 3) (set.singleton 5)))
        (define-fun q () (FiniteSet (FiniteSet Bool))
            (set.union (set.singleton (set.singleton true)) (set.singleton (as set.empty (FiniteSet Bool))))))";
    for model in [cvc5, z3] {
        assert_eq!(verdict(script, model), "valid", "{model}");
        assert_eq!(verdict(script, &model.replace("singleton 3", "singleton 4")), "invalid 0", "{model}");
        assert_eq!(verdict(script, &model.replace("singleton true", "singleton false")), "valid", "{model}");
    }
    // What z3 means by this is documented nowhere.
    let unique = z3.replace("(set.union (set.singleton 3) (set.singleton 5))", "((as set.unique (FiniteSet Int)) 1 1)");
    assert_eq!(verdict(script, &unique), "unknown: the model has no interpretation for the symbol");
    // Constructors without their sort.
    let script = "(declare-datatypes ((L 1)) ((par (T) ((nil) (cons (hd T) (tl (L T)))))))
        (declare-fun s () (Set (L Int)))(assert (= (set.card s) 2))";
    let model = "((define-fun s () (Set (L Int)) (set.union (set.singleton (cons 1 nil)) (set.singleton nil))))";
    assert_eq!(verdict(script, model), "valid");
}
