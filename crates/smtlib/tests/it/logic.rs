//! What scripts need of a logic, and the smallest that holds them. Most inferred logics are in `tests/read/logics.smt2`.

use smtlib::logic::{beyond, granted, holding, of_script, smallest};
use smtlib::{Script, Store};

fn read(text: &str) -> (Store, Script) {
    let mut store = Store::new();
    let parsed = smtlib::parse(&mut store, text);
    assert!(parsed.errors.is_empty(), "{:?}\n{text}", parsed.errors);
    (store, parsed.script)
}

/// The logic inferred among those accepted; none named: among the standard ones.
fn inferred(script: &str, accepted: &[&str]) -> Option<String> {
    let (store, script) = read(&format!("{script}\n(check-sat)"));
    let accepted: Vec<String> = accepted.iter().map(|logic| logic.to_string()).collect();
    smallest(&store, &script.instances()[0], &accepted).map(str::to_string)
}

#[test]
fn declarations_that_no_assertion_uses_count() {
    let text = "(declare-const x Int)(declare-const b (_ BitVec 4))(assert (= b #x1))";
    assert_eq!(inferred(text, &[]).as_deref(), Some("ALL"), "no standard logic has integers and bit-vectors alone");
    assert_eq!(inferred("(declare-fun f (Int) Int)(assert true)", &[]).as_deref(), Some("QF_UFIDL"));
    // Only the fields of the first datatype of a group counted, and the sort of no variable that its body does not mention.
    let group = "(declare-datatypes ((A 0) (B 0)) (((a (b B))) ((c (r Real)))))(declare-const x A)(assert (= x x))";
    assert_eq!(inferred(group, &["QF_DT", "UFDTLIRA"]).as_deref(), Some("UFDTLIRA"));
    let unmentioned = "(declare-const q Bool)(assert (forall ((b (_ BitVec 4))) q))";
    assert_eq!(inferred(unmentioned, &["LIA", "BV"]).as_deref(), Some("BV"));
}

#[test]
fn what_a_logic_holds_and_what_is_beyond_it() {
    let check = |logic: &str, script: &str, is_within: bool| {
        let (store, script) = read(&format!("(set-logic {logic}){script}(check-sat)"));
        assert_eq!(beyond(&store, &script) == 0, is_within, "{logic} {script:?}");
        let fitting: Vec<&str> = holding(of_script(&store, &script)).collect();
        assert!(fitting.iter().all(|name| of_script(&store, &script) & !granted(name) == 0), "{fitting:?}");
        assert_eq!(fitting.last(), Some(&"ALL"));
        assert!(logic == "ALL" || !is_within || fitting.contains(&logic), "{logic} {fitting:?}");
    };
    let function = "(declare-fun a (Int) Int)(declare-const x Int)(assert (= (* x x) 2))";
    check("QF_UFNIA", function, true);
    check("QF_NIA", function, false);
    check("QF_UFLIA", function, false);
    check("ALL", function, true);
    let field = "(declare-const x (_ FiniteField 7))(declare-const b (_ BitVec 2))(assert (= (ff.mul x x) #f2m7))";
    check("QF_FF", field, false);
    check("QF_BV", field, false);
    // cvc5 takes the letters in any order; no list of logics has fields.
    for logic in ["QF_BVFF", "QF_FFBV", "ALL"] {
        let (store, script) = read(&format!("(set-logic {logic}){field}"));
        assert_eq!(beyond(&store, &script), 0, "{logic}");
    }
    check("HORN", function, false);
    check("QF_UF", "(declare-const p Bool)(check-sat-assuming (p))", true);
    check("QF_UF", "(declare-const x Int)(check-sat-assuming ((> x 0)))", false);
    let (store, script) = read("(declare-const x Int)(assert (> x 0))(check-sat)");
    assert_eq!(beyond(&store, &script), 0, "without a logic nothing is beyond it");
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

/// In z3, `(Set T)` is an array: a script that uses it so has no finite sets.
#[test]
fn sets_that_are_arrays() {
    let check = |text: &str, expect: bool| {
        let (store, script) = read(&format!("(declare-const s (Set Int)){text}"));
        assert_eq!(smtlib::logic::has_array_sets(&store, &script.commands), expect, "{text}");
        assert_eq!(of_script(&store, &script) & smtlib::logic::SETS == 0, expect, "{text}");
    };
    check("(assert (select s 1))", true);
    check("(assert (= s s))(assert (= (union s s) s))", true);
    check("(assert (= s s))", false);
    check("(assert (= (set.union s s) s))", false);
    check("(assert (= (set.choose s) 1))", false);
    check("(declare-const q (Seq Int))(assert (= (seq.len q) 1))(assert (set.member 1 s))", false);
    check("(minimize 1)(assert (= s s))", false);
}
