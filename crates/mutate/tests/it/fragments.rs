//! Which subterms of a seed are fragments.

use crate::support;
use mutate::fragments::candidates;

fn check(script: &str, expected: &[&str]) {
    let (store, instances) = support::read(script);
    let mut found: Vec<String> = candidates(&store, &instances[0]).into_iter().map(|t| store.term_text(t)).collect();
    found.sort();
    let mut expected: Vec<String> = expected.iter().map(|s| s.to_string()).collect();
    expected.sort();
    assert_eq!(found, expected, "{script}");
}

#[test]
fn under_every_connective() {
    check(
        "(declare-fun a () Bool) (declare-fun b () Bool) (declare-fun c () Bool) (declare-fun d () Bool)
         (declare-fun e () Bool) (declare-fun f () Bool) (declare-fun g () Bool) (declare-fun h () Bool)
         (assert (=> (not a) (xor b (= c (distinct d (ite e f (or g (and h true))))))))
         (check-sat)",
        &[
            "(=> (not a) (xor b (= c (distinct d (ite e f (or g (and h true)))))))",
            "(not a)",
            "a",
            "(xor b (= c (distinct d (ite e f (or g (and h true))))))",
            "b",
            "(= c (distinct d (ite e f (or g (and h true)))))",
            "c",
            "(distinct d (ite e f (or g (and h true))))",
            "d",
            "(ite e f (or g (and h true)))",
            "e",
            "f",
            "(or g (and h true))",
            "g",
            "(and h true)",
            "h",
        ],
    );
}

#[test]
fn inside_theory_terms() {
    check(
        "(declare-fun p (Bool Int) Int) (declare-fun a () (Array Int Bool)) (declare-fun x () Int)
         (assert (< (p (> x 0) 1) (ite (select a x) 2 3)))
         (check-sat)",
        &["(< (p (> x 0) 1) (ite (select a x) 2 3))", "(> x 0)", "(select a x)"],
    );
}

#[test]
fn not_under_a_binder_unless_closed() {
    check(
        "(declare-fun p (Int) Bool) (declare-fun f (Int) Bool) (declare-fun x () Int)
         (assert (forall ((y Int)) (! (or (p y) (p x)) :pattern ((f y)))))
         (check-sat)",
        &["(forall ((y Int)) (! (or (p y) (p x)) :pattern ((f y))))", "(p x)"],
    );
    check(
        "(declare-datatypes ((L 0)) (((nil) (cons (head Bool) (tail L))))) (declare-fun l () L)
         (assert (match l ((nil (= l nil)) ((cons h t) h))))
         (check-sat)",
        &["(match l ((nil (= l nil)) ((cons h t) h)))", "(= l nil)"],
    );
}

#[test]
fn shared_and_defined_ones_once() {
    check(
        "(declare-fun x () Int)
         (define-fun d () Bool (> x 4))
         (define-fun e ((y Int)) Bool (< y 4))
         (assert (let ((s (= x 1))) (and s (or s d) (e x))))
         (check-sat)",
        &["(and (= x 1) (or (= x 1) d) (e x))", "(= x 1)", "(or (= x 1) d)", "d", "(> x 4)", "(e x)"]
            .map(|s| if s.starts_with("(and") { "(let (($e1 (= x 1))) (and $e1 (or $e1 d) (e x)))" } else { s }),
    );
}

#[test]
fn not_with_recursion() {
    check(
        "(declare-fun x () Int)
         (define-fun-rec f ((n Int)) Int (ite (= n 0) 0 (+ 1 (f n))))
         (define-fun g () Bool (= (f x) 1))
         (assert (and (or (> x 0) (= (f x) 2)) (or g (< x 0))))
         (check-sat)",
        &["(> x 0)", "(< x 0)"],
    );
}

#[test]
fn only_those_live_at_the_check() {
    let (store, instances) = support::read(
        "(declare-fun a () Bool) (declare-fun b () Bool)
         (push 1) (assert a) (check-sat) (pop 1) (assert b) (check-sat-assuming ((not a)))",
    );
    let texts: Vec<Vec<String>> =
        instances.iter().map(|i| candidates(&store, i).into_iter().map(|t| store.term_text(t)).collect()).collect();
    assert_eq!(texts, [vec!["a"], vec!["b", "(not a)", "a"]]);
}
