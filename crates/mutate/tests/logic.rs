//! The smallest logic of a script that names none.

mod support;

use mutate::edit::logic::smallest;
use mutate::{Target, UnnamedLogic};
use support::read;

/// The logic inferred among those accepted; none named: among the standard ones.
fn inferred(script: &str, accepted: &[&str]) -> Option<String> {
    let (store, instances) = read(&format!("{script}\n(check-sat)"));
    let accepted: Vec<String> = accepted.iter().map(|logic| logic.to_string()).collect();
    smallest(&store, &instances[0], &accepted).map(str::to_string)
}

#[test]
fn the_smallest_standard_logic_is_inferred() {
    let check = |script: &str, expect: &str| assert_eq!(inferred(script, &[]).as_deref(), Some(expect), "{script}");
    check("(declare-const p Bool)(assert p)", "QF_UF");
    check("(declare-sort S 0)(declare-const a S)(declare-const b S)(assert (= a b))", "QF_UF");
    check("(declare-const x Int)(declare-const y Int)(assert (< x y))", "QF_IDL");
    check("(declare-const x Int)(declare-const y Int)(assert (< (+ x y) 3))", "QF_LIA");
    check("(declare-const x Int)(declare-const y Int)(assert (< (* x y) 3))", "QF_NIA");
    check("(declare-const x Real)(declare-const y Real)(assert (< (* 2.0 x) y))", "QF_LRA");
    check("(declare-const x Real)(declare-const i Int)(assert (< (to_real i) (+ x 1.0)))", "QF_LIRA");
    check("(declare-const x Real)(assert (= (* x x) 2.0))", "QF_NRA");
    check("(declare-const b (_ BitVec 4))(assert (= (bvmul b b) #x1))", "QF_BV");
    check("(declare-const a (Array (_ BitVec 4) (_ BitVec 4)))(assert (= (select a #x0) #x1))", "QF_ABV");
    check(
        "(declare-fun f (Int) Int)(declare-const a (Array Int Int))(assert (= (f 1) (+ 1 (select a 2))))",
        "QF_AUFLIA",
    );
    check("(declare-const s String)(assert (= (str.len s) (+ 1 (str.len \"a\"))))", "QF_SLIA");
    check("(declare-const f Float32)(assert (fp.isNaN f))", "QF_FP");
    check("(declare-fun f (Int) Int)(assert (forall ((x Int)) (> (f x) (+ x 1))))", "UFLIA");
    check("(define-fun g ((x Int)) Int (* x x))(declare-const y Int)(assert (= (g y) 4))", "QF_UFNIA");
    check("(declare-datatype L ((nil) (cons (hd Int) (tl L))))(declare-const l L)(assert (= l nil))", "QF_UFDTLIA");
    check("(declare-const s (Seq Int))(assert (= s s))", "ALL");
}

#[test]
fn declarations_that_no_assertion_uses_count() {
    let text = "(declare-const x Int)(declare-const b (_ BitVec 4))(assert (= b #x1))";
    assert_eq!(inferred(text, &[]).as_deref(), Some("ALL"), "no standard logic has integers and bit-vectors alone");
    assert_eq!(inferred("(declare-fun f (Int) Int)(assert true)", &[]).as_deref(), Some("QF_UFIDL"));
}

#[test]
fn only_accepted_logics_are_inferred() {
    let check = |script: &str, accepted: &[&str], expect: Option<&str>| {
        assert_eq!(inferred(script, accepted).as_deref(), expect, "{script} {accepted:?}");
    };
    let linear = "(declare-const x Int)(assert (< (* 2 x) 3))";
    check(linear, &["QF_AUFLIA", "QF_UFLIA", "QF_BV"], Some("QF_UFLIA"));
    check(linear, &["QF_BV", "QF_IDL"], None);
    check(linear, &["QF_BV", "ALL"], Some("ALL"));
    check("(declare-const x Int)(assert (forall ((y Int)) (< x y)))", &["QF_AUFLIA"], None);
}

#[test]
fn a_target_that_wants_a_logic_is_told_one_where_the_seed_names_none() {
    let check = |logic: &str, target: UnnamedLogic, expect: &str| {
        let (store, instances) = read(&format!("{logic}(declare-const x Int)(assert (< (* 2 x) 3))(check-sat)"));
        let target = Target { unnamed_logic: target, ..Target::default() };
        let mut text = String::new();
        mutate::preamble::print(&store, &instances[0], &instances[0].assertions, &target, &mut text);
        assert_eq!(text, format!("{expect}(declare-fun x () Int)\n"), "{logic} {target:?}");
    };
    let among = |logics: &[&str]| UnnamedLogic::among(Some(&logics.iter().map(|l| l.to_string()).collect::<Vec<_>>()));
    check("", UnnamedLogic::LeftOut, "");
    check("", UnnamedLogic::among(None), "");
    check("", among(&[]), "(set-logic QF_LIA)\n");
    check("", among(&["QF_BV", "QF_UFLIA"]), "(set-logic QF_UFLIA)\n");
    check("", among(&["QF_BV"]), "");
    check("(set-logic AUFLIA)", among(&["QF_UFLIA"]), "(set-logic AUFLIA)\n");
    check("(set-logic HORN)", UnnamedLogic::LeftOut, "");
    check("(set-logic HORN)", among(&[]), "(set-logic QF_LIA)\n");
}
