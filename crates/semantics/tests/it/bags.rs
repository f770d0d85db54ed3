//! Bags: the meaning of their operators, their values as terms, what is open, exhaustion and models.

use crate::support::{check, cvc5_answers, decided, read, value_of, verdict};
use proptest::prelude::*;
use semantics::guard::guard;
use semantics::{EvalLimits, Evaluator, Model};
use std::process::Command;

const BAGS: &str = "(define-fun e () (Bag Int) (as bag.empty (Bag Int)))
    (define-fun a () (Bag Int) (bag.union_disjoint (bag 1 2) (bag 2 1)))
    (define-fun b () (Bag Int) (bag.union_disjoint (bag 1 1) (bag 2 3) (bag 3 1)))";

/// Terms and their values.
const OPERATORS: &[(&str, &str)] = &[
    ("(bag 1 0)", "e"),
    ("(bag 1 (- 3))", "e"),
    ("(bag 1 1)", "(bag.setof (bag 1 7))"),
    ("(bag.union_disjoint (bag 1 1) (bag 1 (- 1)))", "(bag 1 1)"),
    ("(bag.union_disjoint a b)", "(bag.union_disjoint (bag 3 1) (bag 2 4) (bag 1 3))"),
    ("(bag.union_disjoint a a a)", "(bag.union_disjoint (bag 1 6) (bag 2 3))"),
    ("(bag.union_disjoint a e)", "a"),
    ("(bag.union_max a b)", "(bag.union_disjoint (bag 1 2) (bag 2 3) (bag 3 1))"),
    ("(bag.union_max a a b e)", "(bag.union_max b a)"),
    ("(bag.union_max (bag 1 1) (bag 1 4) (bag 1 2))", "(bag 1 4)"),
    ("(bag.inter_min a b)", "(bag.union_disjoint (bag 1 1) (bag 2 1))"),
    ("(bag.inter_min a b (bag 2 5))", "(bag 2 1)"),
    ("(bag.inter_min a e)", "e"),
    ("(bag.difference_subtract a b)", "(bag 1 1)"),
    ("(bag.difference_subtract b a)", "(bag.union_disjoint (bag 2 2) (bag 3 1))"),
    ("(bag.difference_subtract (bag 1 9) (bag 1 2) (bag 1 3))", "(bag 1 4)"),
    ("(bag.difference_subtract e a)", "e"),
    ("(bag.difference_remove a b)", "e"),
    ("(bag.difference_remove b a)", "(bag 3 1)"),
    ("(bag.difference_remove b (bag 1 1) (bag 3 9))", "(bag 2 3)"),
    ("(bag.difference_remove a e)", "a"),
    ("(bag.setof a)", "(bag.union_max (bag 1 1) (bag 2 1))"),
    ("(bag.setof e)", "e"),
    ("(bag.count 1 a)", "2"),
    ("(bag.count 3 a)", "0"),
    ("(bag.count 3 e)", "0"),
    ("(bag.count 1 (bag 1 100000000000000000000))", "100000000000000000000"),
    ("(bag.card a)", "3"),
    ("(bag.card e)", "0"),
    ("(bag.card (bag.union_disjoint a b))", "8"),
    ("(bag.card (bag.union_disjoint (bag 1 100000000000000000000) (bag 2 1)))", "100000000000000000001"),
    ("(bag.member 1 a)", "true"),
    ("(bag.member 3 a)", "false"),
    ("(bag.member 3 (bag 3 0))", "false"),
    ("(bag.subbag e a)", "true"),
    ("(bag.subbag a a)", "true"),
    ("(bag.subbag (bag 1 2) a)", "true"),
    ("(bag.subbag (bag 1 3) a)", "false"),
    ("(bag.subbag a b)", "false"),
    ("(bag.subbag (bag.inter_min a b) b)", "true"),
    // Two bags with the same multiplicities are one.
    ("(= a (bag.union_max (bag 2 1) (bag 1 1) (bag 1 2)))", "true"),
    ("(= a (bag.setof a))", "false"),
    ("(distinct a b e)", "true"),
    ("(bag.count a (bag (bag.union_disjoint (bag 2 1) (bag 1 2)) 5))", "5"),
    ("(bag.card (bag.union_disjoint (bag a 2) (bag e 1)))", "3"),
    ("(bag.member (bag (- 0.5) 1) (bag (bag (/ (- 1.0) 2.0) 1) 1))", "true"),
    // Of a bag of one element only that can be chosen.
    ("(bag.choose (bag 4 7))", "4"),
    ("(bag.member (bag.choose (bag.inter_min a (bag 2 5))) (bag 2 1))", "true"),
];

/// Terms whose values rest on what is not known.
const OPEN: &[(&str, &str)] = &[
    ("(bag.choose a)", "unknown"),
    ("(bag.choose e)", "unknown"),
    // What is not known does not matter where there is none of it.
    ("(bag.inter_min e (bag (div 1 0) 1))", "e"),
    ("(bag.union_max e (bag (div 1 0) 1))", "unknown"),
    ("(bag.count (div 1 0) a)", "unknown"),
    ("(bag 1 (div 1 0))", "unknown"),
];

#[test]
fn operators() {
    for (term, value) in OPERATORS.iter().chain(OPEN) {
        check(BAGS, term, value);
    }
}

/// The older name of an operator, which the system's cvc5 has.
fn spelled(text: &str, version: &str) -> String {
    match version.contains("version 1.0.") {
        true => text.replace("bag.setof", "bag.duplicate_removal"),
        false => text.to_string(),
    }
}

#[test]
fn cvc5_agrees() {
    let version = Command::new("cvc5").arg("--version").output().ok();
    let Some(version) = testing::require("cvc5", version) else { return };
    let version = String::from_utf8_lossy(&version.stdout).to_string();
    let mut script = format!("(set-logic ALL)\n{BAGS}\n");
    for (term, value) in OPERATORS {
        script.push_str(&spelled(&format!("(push 1)(assert (distinct {term} {value}))(check-sat)(pop 1)\n"), &version));
    }
    let answers = cvc5_answers(&script);
    for (n, (term, value)) in OPERATORS.iter().enumerate() {
        assert_eq!(answers.get(n).map(String::as_str), Some("unsat"), "(distinct {term} {value})");
    }
}

/// An irrational number has several spellings: the elements of a bag with one cannot be distinguished.
#[test]
fn values_without_one_spelling() {
    let script = "(declare-const x Real)(assert (= (* x x) 2.0))";
    let model = "((define-fun x () Real (root-obj (+ (^ x 2) (- 2)) 2)))";
    let check = |assertion: &str, expect: &str| {
        assert_eq!(verdict(&format!("{script}(assert {assertion})"), model), expect, "{assertion}");
    };
    check("(not (bag.member x (bag.union_disjoint (bag 1.0 1) (bag 2.0 1))))", "valid");
    check("(= (bag.count x (bag.union_disjoint (bag 1.0 1) (bag 2.0 1))) 1)", "invalid 1");
    check("(= (bag x 0) (as bag.empty (Bag Real)))", "valid");
    let why = "unknown: the function or array is given by a body, so equality cannot be decided";
    check("(bag.member x (bag x 1))", why);
}

/// Every value is the value of its term.
#[test]
fn values_are_terms() {
    for (term, expect) in [
        ("e", "(as bag.empty (Bag Int))"),
        ("(bag.difference_subtract a b)", "(bag 1 1)"),
        ("b", "(bag.union_disjoint (bag 1 1) (bag 2 3) (bag 3 1))"),
        ("(bag (bag (- 1) 2) 3)", "(bag (bag (- 1) 2) 3)"),
        ("(bag e 1)", "(bag (as bag.empty (Bag Int)) 1)"),
    ] {
        assert_eq!(value_of(BAGS, term), expect);
        assert_eq!(value_of(BAGS, expect), expect);
    }
}

#[test]
fn exhaustion() {
    let two = "(declare-const x (Bag Int))(declare-const y (Bag Int))";
    let decided = |assertions: &str, expect: &str| decided(&format!("{two}{assertions}"), expect);
    let b = "(bag.union_disjoint (bag 1 2) (bag 2 3))";
    decided(&format!("(assert (bag.subbag x {b}))(assert (= (bag.card x) 5))(assert (distinct x {b}))"), "unsat");
    decided(&format!("(assert (bag.subbag x {b}))(assert (= (bag.card x) 4))(assert (distinct x {b}))"), "sat");
    decided(&format!("(assert (= (bag.union_disjoint x y) {b}))(assert (= x y))"), "unsat");
    decided("(assert (= (bag.union_disjoint x y) (bag 1 4)))(assert (= x y))", "sat");
    decided(&format!("(assert (= (bag.union_max x y) {b}))(assert (= x (bag.setof y)))"), "sat");
    decided(
        &format!(
            "(assert (bag.subbag x {b}))(assert (bag.subbag y {b}))\
             (assert (> (bag.card (bag.union_max x y)) (bag.card (bag.union_disjoint x y))))"
        ),
        "unsat",
    );
    decided(
        &format!("(declare-const i Int)(assert (bag.member i {b}))(assert (distinct i 1 2))(assert (= x y (bag 1 1)))"),
        "unsat",
    );
    let refused = "refused: `x` of sort (Bag Int) has infinitely many values; confine it by an assertion such as (or (= x c1) (= x c2)), or (<= 0 x 5) for an integer";
    decided("(assert (bag.subbag x y))", refused);
    decided("(assert (<= (bag.card x) 1))(assert (= y (bag 1 1)))", refused);
    // By the size, over a finite sort.
    let bits = "(declare-const v (Bag (_ BitVec 2)))(assert (<= (bag.card v) 3))(assert (= x y (bag 1 1)))";
    decided(&format!("{bits}(assert (= (bag.card (bag.setof v)) 3))"), "sat");
    decided(&format!("{bits}(assert (= (bag.card (bag.setof v)) 4))"), "unsat");
    decided(
        &format!(
            "{bits}(assert (forall ((w (Bag Bool))) (=> (<= (bag.card w) 2) (= (bag.card w) (+ (bag.count true w) (bag.count false w))))))"
        ),
        "sat",
    );
}

/// `bag.choose` is one function, fixed outside of all quantifiers: of a bag that is not empty it is some element.
#[test]
fn what_is_chosen() {
    let x = "(declare-const x (Bag Int))(declare-const y (Bag Int))\
             (assert (bag.subbag x (bag.union_disjoint (bag 1 2) (bag 2 1))))(assert (bag.subbag y (bag.union_disjoint (bag 1 2) (bag 2 1))))";
    let chosen = |assertion: &str, expect: &str| decided(&format!("{x}(assert {assertion})"), expect);
    chosen("(and (bag.member 1 x) (= (bag.choose x) 2))", "sat");
    chosen("(and (bag.member 1 x) (= (bag.choose x) 3))", "unsat");
    chosen("(and (= x y) (bag.member 1 y) (distinct (bag.choose x) (bag.choose y)))", "unsat");
    // Of the empty bag it may be any integer, which are not all tried.
    chosen("(and (= x y) (distinct (bag.choose x) (bag.choose y)))", "unknown");
    chosen("(and (= (bag.setof x) (bag.setof y)) (bag.member 2 x) (distinct (bag.choose x) (bag.choose y)))", "sat");
    chosen("(and (= (bag.card x) 1) (= (bag.choose x) (bag.choose y) 2))", "sat");
    let bits = "(declare-const p (Bag Bool))(assert (<= (bag.card p) 1))";
    decided(&format!("{bits}(assert (= (bag.card p) 0))(assert (bag.choose p))"), "sat");
    decided(&format!("{bits}(assert (not (= (bag.choose p) (bag.member true p))))"), "sat");
    decided(
        &format!("{bits}(assert (bag.member true p))(assert (not (= (bag.choose p) (bag.member true p))))"),
        "unsat",
    );
    // A model may choose the value, as for other functions with open values.
    let script = "(declare-const x (Bag Int))(assert (= (bag.card x) 2))(assert (= (bag.choose x) 1))";
    let check = |chosen: &str, expect: &str| {
        let model = format!("((define-fun x () (Bag Int) (bag.union_disjoint (bag 1 1) (bag 2 1))){chosen})");
        assert_eq!(verdict(script, &model), expect, "{chosen}");
    };
    let choice = |value: &str| {
        format!(
            "(define-fun bag.choose ((b (Bag Int))) Int (ite (= b (bag.union_disjoint (bag 1 1) (bag 2 1))) {value} (bag.choose b)))"
        )
    };
    let open = "unknown: the chosen value may be any element of the collection, or any value if it is empty";
    check("", open);
    check(&choice("1"), "valid");
    check(&choice("2"), "invalid 1");
    // No element of the bag.
    check(&choice("3"), open);
}

#[test]
fn models() {
    let script = "(declare-fun b () (Bag Int))(declare-fun q () (Bag (Bag Bool)))
        (assert (= (bag.count (- 3) b) 4))(assert (= (bag.card q) 3))";
    // As cvc5 prints them.
    let model = "((define-fun b () (Bag Int) (bag.union_disjoint (bag.union_disjoint (bag 1 3) (bag (- 3) 4)) (bag 5 1)))
        (define-fun q () (Bag (Bag Bool)) (bag.union_disjoint (bag (bag true 2) 2) (bag (as bag.empty (Bag Bool)) 1))))";
    assert_eq!(verdict(script, model), "valid");
    assert_eq!(verdict(script, &model.replace("(- 3) 4", "(- 3) 5")), "invalid 0");
    assert_eq!(verdict(script, &model.replace("true 2", "true 5")), "valid");
    assert_eq!(verdict(script, &model.replace("true 2) 2", "true 2) 3")), "invalid 1");
    // Constructors without their sort.
    let script = "(declare-datatypes ((L 1)) ((par (T) ((nil) (cons (hd T) (tl (L T)))))))
        (declare-fun b () (Bag (L Int)))(assert (= (bag.card b) 3))";
    let model = "((define-fun b () (Bag (L Int)) (bag.union_disjoint (bag (cons 1 nil) 2) (bag nil 1))))";
    assert_eq!(verdict(script, model), "valid");
    assert_eq!(verdict(script, &model.replace("nil 1", "nil 2")), "invalid 0");
}

/// The elements of random bags, 0 to one below.
const ELEMENTS: usize = 4;

/// A bag over the elements, given by how often each is in it; its parts come in an order of their own.
fn text(counts: &[u32; ELEMENTS], first: usize) -> String {
    let part = |n: usize| format!(" (bag {n} {})", counts[n]);
    let parts: String = (0..ELEMENTS).map(|n| part((n + first) % ELEMENTS)).collect();
    format!("(bag.union_disjoint{parts})")
}

proptest! {
    /// A bag is a function from elements to natural numbers, and each operator is one on these.
    #[test]
    fn operators_are_those_on_multiplicities(a in [0u32..4, 0..4, 0..4, 0..4], b in [0u32..4, 0..4, 0..4, 0..4], first in 0..ELEMENTS) {
        let bags = format!("(define-fun x () (Bag Int) {})(define-fun y () (Bag Int) {})", text(&a, first), text(&b, 0));
        let bag = |term: &str, count: fn(u32, u32) -> u32| {
            let counts = std::array::from_fn(|n| count(a[n], b[n]));
            check(&bags, term, &text(&counts, first));
            for (n, count) in counts.iter().enumerate() {
                check(&bags, &format!("(bag.count {n} {term})"), &count.to_string());
                check(&bags, &format!("(bag.member {n} {term})"), if *count > 0 { "true" } else { "false" });
            }
            check(&bags, &format!("(bag.card {term})"), &counts.iter().sum::<u32>().to_string());
        };
        bag("(bag.union_max x y)", u32::max);
        bag("(bag.union_disjoint x y)", |a, b| a + b);
        bag("(bag.inter_min x y)", u32::min);
        bag("(bag.difference_subtract x y)", u32::saturating_sub);
        bag("(bag.difference_remove x y)", |a, b| if b == 0 { a } else { 0 });
        bag("(bag.setof x)", |a, _| a.min(1));
        bag("(bag.union_disjoint y x x)", |a, b| 2 * a + b);
        bag("(bag.difference_subtract x y y)", |a, b| a.saturating_sub(2 * b));
        let truth = |term: &str, expect: bool| check(&bags, term, if expect { "true" } else { "false" });
        truth("(bag.subbag x y)", (0..ELEMENTS).all(|n| a[n] <= b[n]));
        truth("(= x y)", a == b);
    }

    /// Laws that hold of all bags, as solvers use them.
    #[test]
    fn laws(a in [0u32..4, 0..4, 0..4, 0..4], b in [0u32..4, 0..4, 0..4, 0..4], c in [0u32..4, 0..4, 0..4, 0..4]) {
        let bag = |name: &str, counts| format!("(define-fun {name} () (Bag Int) {})", text(counts, 0));
        let bags = [bag("x", &a), bag("y", &b), bag("z", &c)].concat();
        for law in [
            "(= (bag.union_disjoint (bag.difference_subtract x y) (bag.inter_min x y)) x)",
            "(= (bag.union_disjoint (bag.union_max x y) (bag.inter_min x y)) (bag.union_disjoint x y))",
            "(= (bag.union_max x y z) (bag.union_max z (bag.union_max y x)))",
            "(= (bag.inter_min x (bag.union_max y z)) (bag.union_max (bag.inter_min x y) (bag.inter_min x z)))",
            "(= (bag.union_disjoint x (bag.union_max y z)) (bag.union_max (bag.union_disjoint x y) (bag.union_disjoint x z)))",
            "(= (bag.setof (bag.union_disjoint x y)) (bag.setof (bag.union_max x y)))",
            "(= (bag.difference_remove x y) (bag.difference_remove x (bag.setof y)))",
            "(= (bag.subbag x y) (= (bag.inter_min x y) x) (= (bag.difference_subtract x y) (as bag.empty (Bag Int))))",
            "(= (and (bag.subbag x y) (bag.subbag y x)) (= x y))",
            "(= (bag.card (bag.union_disjoint x y)) (+ (bag.card x) (bag.card y)))",
        ] {
            check(&bags, law, "true");
        }
    }

    /// What a guard leaves out does not satisfy it.
    #[test]
    fn guards_leave_out_nothing(a in [0u32..3, 0..3, 0..3, 0..3], b in [0u32..3, 0..3, 0..3, 0..3]) {
        let (x, whole) = (text(&a, 0), text(&b, 0));
        for formula in [
            format!("(bag.subbag x {whole})"),
            format!("(= {whole} (bag.union_max x (bag 1 1)))"),
            format!("(= (bag.union_disjoint (bag 2 1) x x) {whole})"),
            format!("(or (bag.subbag x {whole}) (= x (bag 1 1)))"),
        ] {
            let mut r = read(&format!("(declare-const x (Bag Int))(assert {formula})(assert (= {x} {x}))"));
            let f = r.script.commands.iter().find_map(|c| if let smtlib::Command::DeclareFun(f) = c { Some(*f) } else { None });
            let subject = r.store.constant_of(f.expect("x is declared")).expect("a constant");
            let values = guard(&r.store, r.assertions[0], true, subject).expect("few values");
            let mut evaluator = Evaluator::new(Model::new(), EvalLimits::default());
            let value = evaluator.eval(&r.store, r.store.args(r.assertions[1])[0]).expect("a closed term");
            let mut model = Model::new();
            model.assign(&r.store, f.expect("x is declared"), value.clone()).expect("of its sort");
            if Evaluator::new(model, EvalLimits::default()).truth(&r.store, r.assertions[0]) == Some(true) {
                prop_assert!(values.contains(&value), "{formula} of {x}");
            }
        }
    }
}
