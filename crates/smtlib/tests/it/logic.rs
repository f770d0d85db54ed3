//! The smallest logic that holds a script, among those that a solver accepts. The standard ones are in `tests/read/logics.smt2`.

use crate::support::read;
use smtlib::logic::smallest;

#[test]
fn only_accepted_logics_are_inferred() {
    let check = |script: &str, accepted: &[&str], expect: Option<&str>| {
        let (store, parsed) = read(&format!("{script}\n(check-sat)"));
        let names: Vec<String> = accepted.iter().map(|logic| logic.to_string()).collect();
        assert_eq!(smallest(&store, &parsed.instances()[0], &names), expect, "{script} {accepted:?}");
    };
    let linear = "(declare-const x Int)(assert (< (* 2 x) 3))";
    check(linear, &["QF_AUFLIA", "QF_UFLIA", "QF_BV"], Some("QF_UFLIA"));
    check(linear, &["QF_BV", "QF_IDL"], None);
    check(linear, &["QF_BV", "ALL"], Some("ALL"));
    check("(declare-const x Int)(assert (forall ((y Int)) (< x y)))", &["QF_AUFLIA"], None);
    // Only the fields of the first datatype of a group counted, and the sort of no variable that its body does not mention.
    let group = "(declare-datatypes ((A 0) (B 0)) (((a (b B))) ((c (r Real)))))(declare-const x A)(assert (= x x))";
    check(group, &["QF_DT", "UFDTLIRA"], Some("UFDTLIRA"));
    check("(declare-const q Bool)(assert (forall ((b (_ BitVec 4))) q))", &["LIA", "BV"], Some("BV"));
}
