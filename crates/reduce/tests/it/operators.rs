//! Tests of `operators`.

use reduce::operators::operators;

#[test]
fn a_title_names_the_operators_in_their_order() {
    let check = |script: &str, expect: &str| assert_eq!(operators(script).join(", "), expect, "{script}");
    check("(assert (str.<= \"9\" \"93\"))", "str.<=");
    check("(declare-const a Int)(assert (and (> (+ a 1) 2) (= (* a a) (mod a 3))))", ">, +, *, mod");
    check("(declare-const a Int)(assert (> (- (+ a 1) (* a 2)) (div a 3)))(assert (= (mod a 2) 1))", ">, -, +, *, …");
    check("(declare-const p Bool)(assert (not p))", "");
    check("(assert (= (fp.neg (_ +oo 3 2)) (_ -oo 3 2)))", "fp.neg");
    check("(declare-fun f (Int) Int)(assert (forall ((x Int)) (= (f x) 1)))", "quantifiers, functions");
    check(
        "(assert (= ((as const (Array Bool Bool)) true) (store ((as const (Array Bool Bool)) false) false true)))",
        "constant arrays, store",
    );
    check("(assert", "");
}
