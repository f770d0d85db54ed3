//! Functions as values: equality by points, models as z3 and cvc5 print them, and exhaustion over finite maps.

use crate::support::{check, decided, verdict};

#[test]
fn functions_are_equal_by_their_points() {
    let inc = "(lambda ((x Int)) (+ x 1))";
    for (term, expect) in [
        // Over finite sorts a function is its table.
        ("(= (lambda ((x Bool)) (not x)) (lambda ((y Bool)) (= y false)))", "true"),
        ("(= (lambda ((x Bool)) (not x)) (lambda ((y Bool)) y))", "false"),
        ("(distinct (lambda ((x Bool)) (not x)) (lambda ((x Bool)) x) (lambda ((x Bool)) true))", "true"),
        (
            "(= (lambda ((x Bool) (y Bool)) (and x y)) (lambda ((x Bool)) (ite x (lambda ((y Bool)) y) (lambda ((y Bool)) false))))",
            "true",
        ),
        ("((lambda ((f (-> Bool Bool))) (f true)) (lambda ((x Bool)) (not x)))", "false"),
        // Over infinite ones tables are compared, and others only with themselves.
        ("(= ((as const (-> Int Int)) 1) (store ((as const (-> Int Int)) 1) 7 1))", "true"),
        ("(= ((as const (-> Int Int)) 1) (store ((as const (-> Int Int)) 1) 7 2))", "false"),
        (&format!("(= {inc} {inc})"), "true"),
        (&format!("(= {inc} (lambda ((x Int)) (+ 1 x)))"), "unknown"),
        (&format!("(= {inc} (lambda ((x Int)) x))"), "unknown"),
        (&format!("(@ {inc} 2)"), "3"),
        (&format!("((store {inc} 2 9) 2)"), "9"),
        (&format!("((store {inc} 2 9) 3)"), "4"),
        ("((lambda ((x Int) (y Int)) (- x y)) 5 2)", "3"),
        ("(= ((lambda ((x Int) (y Int)) x) 1) ((lambda ((x Int) (y Int)) x) 2))", "unknown"),
    ] {
        check("", term, expect);
    }
    let defined = "(define-fun f ((x Int) (y Int)) Int (- x y))(define-fun g ((x Bool)) Bool (not x))";
    check(defined, "(@ (f 5) 2)", "3");
    check(defined, "(= g (lambda ((y Bool)) (= y false)))", "true");
    check(
        defined,
        "(= (select (store ((as const (Array Int (-> Bool Bool))) g) 1 (lambda ((x Bool)) x)) 0) g)",
        "true",
    );
}

#[test]
fn models_of_maps_are_read() {
    let check = |script: &str, model: &str, expect: &str| {
        let found = verdict(script, &format!("({model})"));
        assert!(found.starts_with(expect), "{script}\n{model}\n{found}, not {expect}");
    };
    let h = "(declare-const h (-> Int Int))(assert (distinct (h 1) (h 2)))";
    check(h, "(define-fun h () (-> Int Int) (store ((as const (-> Int Int)) 4) 1 3))", "valid");
    check(h, "(define-fun h () (-> Int Int) ((as const (-> Int Int)) 0))", "invalid 0");
    check(h, "(define-fun h ((x Int)) Int (ite (= x 1) (- 1) 0))", "valid");
    check(h, "(define-fun h ((x Int)) Int (+ x 1))", "valid");
    check(h, "(define-fun h ((x Int)) Int 7)", "invalid 0");
    check(h, "(define-fun h () (-> Int Int) (lambda ((x Int)) (+ 1 x)))", "valid");
    check(
        h,
        "(define-fun h () (-> Int Int) (_ as-array k!0)) (define-fun k!0 ((x!0 Int)) Int (ite (= x!0 1) 7 4))",
        "valid",
    );
    check(h, "(define-fun h ((x Bool)) Int 7)", "error: the model defines `h` with rank (Bool) Int");
    // Of several arguments: curried, and all at once.
    let curried = "(declare-const h (-> Int Int Int))(assert (= (h 1 2) 5))(assert (distinct (h 1) (h 2)))";
    check(
        curried,
        "(define-fun h () (-> Int (-> Int Int)) (store ((as const (-> Int (-> Int Int))) ((as const (-> Int Int)) 6)) 1 ((as const (-> Int Int)) 5)))",
        "valid",
    );
    check(curried, "(define-fun h ((x Int) (y Int)) Int (ite (= x 1) (ite (= y 2) 5 0) 0))", "unknown");
    check(curried, "(define-fun h ((x Int) (y Int)) Int 4)", "invalid 0");
    let result = "(declare-fun F (Int) (-> Int Int))(assert (= ((F 1) 2) 3))(assert (= ((F 2) 2) 4))";
    check(
        result,
        "(define-fun F ((x!0 Int)) (-> Int Int) (ite (= x!0 2) ((as const (-> Int Int)) 4) ((as const (-> Int Int)) 3)))",
        "valid",
    );
    check(result, "(define-fun F ((x Int) (y Int)) Int (ite (= x 2) (ite (= y 2) 4 0) (ite (= y 2) 3 0)))", "valid");
    check(result, "(define-fun F ((x Int) (y Int)) Int 3)", "invalid 1");
    // As arguments.
    let argument = "(declare-fun F ((-> Int Int)) Int)(declare-const g (-> Int Int))(declare-const h (-> Int Int))\
                    (assert (distinct (F g) (F h)))(assert (= (g 0) (h 0)))";
    check(
        argument,
        "(define-fun g () (-> Int Int) (store ((as const (-> Int Int)) 4) 5 6))
         (define-fun h () (-> Int Int) (store ((as const (-> Int Int)) 4) 5 7))
         (define-fun k!1 ((x!0 Int)) Int (ite (= x!0 5) 7 4))
         (define-fun F ((x!0 (-> Int Int))) Int (ite (= x!0 (_ as-array k!1)) 3 2))",
        "valid",
    );
    check(
        argument,
        "(define-fun F ((B (-> Int Int))) Int (ite (= (lambda ((C Int)) (ite (= C (- 1)) (- 1) 0)) B) (- 1) 0))
         (define-fun g ((C Int)) Int (ite (= C (- 1)) (- 1) 0))
         (define-fun h ((D Int)) Int 0)",
        "valid",
    );
    // A definition by itself is no value, and nobody is accused for it.
    let array = "(declare-const a (Array Int (-> Int Int)))(assert (= ((select a 1) 2) 3))";
    let by_itself = "(define-fun a () (Array Int (-> Int Int)) (store ((as const (Array Int (-> Int Int))) (lambda ((B Int)) 0)) 1 (select a 1)))";
    check(array, by_itself, "error: the definition of `a` is cyclic");
    check(
        "(declare-fun f (Int) Int)(declare-const g (-> Int Int))(assert (= f g))(assert (= (f 1) 7))",
        "(define-fun f ((x Int)) Int (ite (= x 1) 7 0)) (define-fun g () (-> Int Int) (lambda ((x Int)) (ite (= x 1) 7 0)))",
        "valid",
    );
}

/// Two functions of one name have a definition each, and cvc5 leaves out which datatype a shared constructor is of.
#[test]
fn models_of_names_of_several_meanings_are_read() {
    let f = "(declare-fun f (Int) Int)(declare-fun f (Bool) Int)(assert (distinct (f 1) (f true)))";
    assert_eq!(verdict(f, "((define-fun f ((x Int)) Int 0) (define-fun f ((x Bool)) Int 2))"), "valid");
    assert_eq!(verdict(f, "((define-fun f ((x Int)) Int 2) (define-fun f ((x Bool)) Int 2))"), "invalid 0");
    let n = "(declare-datatype A ((n) (c (s Int))))(declare-datatype B ((n) (d (s Bool))))(declare-const x A)(declare-const y B)\
             (assert (= y (as n B)))(assert (distinct x (as n A)))(assert (= (s x) 1))";
    assert_eq!(verdict(n, "((define-fun x () A (c 1)) (define-fun y () B n))"), "valid");
    assert_eq!(verdict(n, "((define-fun x () A (c 1)) (define-fun y () B (as n B)))"), "valid");
    assert_eq!(verdict(n, "((define-fun x () A (c 1)) (define-fun y () B (d true)))"), "invalid 0");
}

#[test]
fn finite_maps_are_exhausted() {
    let four = "(declare-const a (-> Bool Bool))(declare-const b (-> Bool Bool))(declare-const c (-> Bool Bool))(declare-const d (-> Bool Bool))";
    decided(&format!("{four}(assert (distinct a b c d))(check-sat)"), "sat");
    decided(&format!("{four}(declare-const e (-> Bool Bool))(assert (distinct a b c d e))(check-sat)"), "unsat");
    decided(
        &format!(
            "{four}(assert (= (a true) (b true)))(assert (= (a false) (b false)))(assert (distinct a b))(check-sat)"
        ),
        "unsat",
    );
    decided(
        "(declare-const k (-> (-> Bool Bool) Bool))(assert (distinct (k (lambda ((x Bool)) (not x))) (k (lambda ((x Bool)) x))))(check-sat)",
        "sat",
    );
    decided("(assert (exists ((f (-> Bool Bool))) (and (f true) (not (f false)))))(check-sat)", "sat");
    decided("(assert (forall ((f (-> Bool Bool))) (= (f (f (f true))) (f true))))(check-sat)", "sat");
    decided(
        "(declare-fun f (Int) Int)(declare-fun f (Bool) Int)(assert (= (f true) 1))(assert (= (f true) 2))(check-sat)",
        "unsat",
    );
}
