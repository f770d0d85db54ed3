//! Unit tests of `src/commands/report/proof.rs`.

use super::*;

#[test]
fn values_are_told_from_the_small_to_the_whole() {
    let check = |told: &str, expect: &str| assert_eq!(values(told), expect);
    check(
        "(= (* a a) 2.0)\n  false  is  (= (* a a) 2.0)\n  1.0  is  (* a a)\n  2.0  is  2.0\n  (- 1.0)  is  a",
        "a                is  (- 1.0)\n(* a a)          is  1.0\n(= (* a a) 2.0)  is  false",
    );
    check("false", "false");
    check("", "");
}

#[test]
fn a_check_is_decided_where_nothing_is_free_or_everything_was_tried() {
    let check = |script: &str, by_trying: bool, right: Option<&str>, holds: &str| {
        let mut store = Store::new();
        let instance = smtlib::parse(&mut store, script).script.instances().remove(0);
        let truth = computed_truth(&mut store, &instance, by_trying);
        assert_eq!(truth.right(), right, "{script}");
        let told = match truth {
            ComputedTruth::Computed { told, .. } => values(&told),
            ComputedTruth::Tried { assignments, .. } => all_tried(assignments),
            ComputedTruth::Witnessed | ComputedTruth::Open => String::new(),
        };
        assert!(told.contains(holds), "'{holds}' in\n{told}");
    };
    check("(assert (= (+ 1 2) 4))(check-sat)", false, Some("unsat"), "(+ 1 2)        is  3");
    check("(assert (= (+ 1 2) 3))(check-sat)", false, Some("sat"), "(= (+ 1 2) 3)  is  true");
    check("(declare-const b Bool)(assert (and b (not b)))(check-sat)", true, Some("unsat"), "2 assignments");
    check("(declare-const b Bool)(assert (and b (not b)))(check-sat)", false, None, "");
    check("(declare-const x Int)(assert (< x x))(check-sat)", true, None, "");
    check("(check-sat)", false, Some("sat"), "");
}

#[test]
fn a_witness_that_makes_an_assertion_false_is_none() {
    let check = |text: &str, expect: bool| assert_eq!(is_not_refuted(text), expect, "{text}");
    check("(define-fun a () Int 2)(assert (= a 2))(check-sat)", true);
    check("(define-fun a () Int 2)(assert (= a 3))(check-sat)", false);
    check("(declare-sort S 0)(declare-fun e () S)(assert (= e e))(check-sat)", true);
}
