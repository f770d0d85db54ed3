//! Tests of `exhaustion`.

use oracle::exhaustion::decide_text;

#[test]
fn what_was_tried_is_said_in_words() {
    let check = |text: &str, expect: &str| {
        assert_eq!(decide_text(text, 0).expect("it is decided").to_string(), expect, "{text}");
    };
    check("(assert false)(check-sat)", "the only assignment falsifies an assertion");
    check("(declare-const p Bool)(assert (and p (not p)))(check-sat)", "each of 2 assignments falsifies an assertion");
    check("(declare-const p Bool)(assert p)(check-sat)", "an assignment satisfies the assertions");
    check(
        "(declare-const x Int)(assert (or (= x 1) (= x 2)))(assert (or (= x 3) (= x 4)))(check-sat)",
        "the assertions leave a symbol no value",
    );
    check(
        "(declare-const p Bool)(declare-const x Int)(assert (and (> x 3) p))(assert (not p))(check-sat)",
        "each of 2 assignments falsifies an assertion",
    );
}

/// `x` has infinitely many values: only a part without it may decide, and only as unsat.
#[test]
fn a_part_that_is_satisfied_decides_nothing() {
    let check = |text: &str| assert!(decide_text(text, 0).is_err(), "{text}");
    check("(declare-const p Bool)(declare-const x Int)(assert p)(assert (> x 3))(check-sat)");
    check("(declare-const p Bool)(declare-const x Int)(assert (= p (> x 3)))(assert (not p))(check-sat)");
}
