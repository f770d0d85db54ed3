//! Scripts without an operator: the transformed scripts, and their unchanged answers.

use reduce::neutral;
use semantics::Stop;
use semantics::truth::{ExhaustLimits, Search, TruthQuery, of_check};
use smtlib::Store;

const WORLD: &str = "(declare-const b Bool)(declare-const x (_ BitVec 2))(declare-const n Int)(assert (<= 0 n 2))";

fn truth(text: &str, check: usize) -> &'static str {
    let query = TruthQuery { limits: &ExhaustLimits::default(), stop: &Stop::default(), search: Search::Quick };
    of_check(text, check, query).expect("a small world").word()
}

fn without(text: &str, check: usize, names: &[&str]) -> Option<String> {
    let mut store = Store::new();
    let script = smtlib::parse(&mut store, text).script;
    let names: Vec<Box<str>> = names.iter().map(|&name| name.into()).collect();
    let script = neutral::without(&mut store, &script, check, &names)?;
    Some(store.script_text(&script))
}

#[test]
fn operators_are_replaced_and_answers_stay() {
    let check = |script: &str, names: &[&str], expect: &str| {
        let text = format!("{WORLD}{script}");
        let found = without(&text, 0, names).expect("few values");
        assert!(names.iter().all(|name| !found.contains(&format!("({name} "))), "{found}");
        assert_eq!((truth(&text, 0), truth(&found, 0)), (expect, expect), "{text}\n{found}");
    };
    check("(assert (= (bvmul x x) #b10))(check-sat)", &["bvmul"], "unsat");
    check("(assert (= (bvmul x #b11) #b10))(check-sat)", &["bvmul"], "sat");
    check("(assert (> (mod n 2) 0))(assert (= (div n 2) 1))(check-sat)", &["mod", "div"], "unsat");
    check("(assert (= (bvmul (bvmul x x) x) #b11))(check-sat)", &["bvmul"], "sat");
    // The argument stays, so that an error in it is not hidden.
    check("(assert (= (bvmul (bvudiv x #b10) #b10) #b11))(check-sat)", &["bvmul"], "unsat");
    // Bound variables with few values, and levels.
    check(
        "(assert (forall ((y (_ BitVec 2))) (= (bvmul x y) #b00)))(push 1)(assert b)(check-sat)(pop 1)",
        &["bvmul"],
        "sat",
    );
    check(
        "(assert (set.member n (set.inter (set.singleton 1) (set.singleton n))))(assert (= n 0))(check-sat)",
        &["set.inter"],
        "unsat",
    );
}

#[test]
fn what_may_have_many_values_stays() {
    let check = |script: &str, names: &[&str]| {
        assert_eq!(without(&format!("{WORLD}{script}"), 0, names), None, "{script}");
    };
    check("(declare-const m Int)(assert (= (* m m) 2))(check-sat)", &["*"]);
    check("(declare-fun f ((_ BitVec 2)) (_ BitVec 2))(assert (= (bvmul (f x) x) x))(check-sat)", &["bvmul"]);
    check("(define-fun f () (_ BitVec 2) (bvmul x x))(assert (= f x))(check-sat)", &["bvmul"]);
    check("(assert (forall ((m Int)) (= (* m n) 0)))(check-sat)", &["*"]);
    // No such operator occurs, or the solver chooses its value.
    check("(assert b)(check-sat)", &["bvmul"]);
    check("(assert (= (div n 0) 1))(check-sat)", &["div"]);
    check("(assert b)", &["bvmul"]);
}
