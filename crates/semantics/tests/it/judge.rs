//! Models judged, with a solver asked for the values that they leave out.

use crate::support::read;
use semantics::judge::settle;
use semantics::{EvalLimits, Judgement};
use smtlib::{Store, TermId};

/// Checks the judgement of a model and how often values were asked for. The solver has these values of terms, and gives none
/// at all where it is asked for another.
#[track_caller]
fn check(script: &str, model: &str, values: &[(&str, &str)], expect: &str, questions: usize) {
    let mut r = read(&format!("{script}(check-sat)"));
    let instance = r.script.instances()[0].clone();
    let mut asked = 0;
    let mut ask = |store: &mut Store, terms: &[TermId]| {
        asked += 1;
        let value = |&t: &TermId| {
            let text = store.term_text(t);
            values.iter().find(|v| v.0 == text).map(|v| format!("({text} {})", v.1))
        };
        let pairs: Option<Vec<String>> = terms.iter().map(value).collect();
        Some((model.to_string(), format!("({})", pairs?.join(" "))))
    };
    let settled = settle(&mut r.store, &instance, model, EvalLimits::default(), &mut ask);
    let found = match settled.map(|(_, judgement)| judgement) {
        Ok(Judgement::Valid) => "valid".to_string(),
        Ok(Judgement::ValidCompleted) => "valid with defaults".to_string(),
        Ok(Judgement::Invalid { assertion, .. }) => format!("invalid {assertion}"),
        Ok(Judgement::InvalidCompleted { assertion, .. }) => format!("invalid {assertion} with defaults"),
        Ok(Judgement::Unknown { reason, .. }) => format!("unknown: {reason}"),
        Err(error) => format!("error: {error}"),
    };
    assert_eq!((found.as_str(), asked), (expect, questions), "{script} under {model}");
}

#[test]
fn symbols_left_out_are_asked_for() {
    let sum = "(declare-const x Int)(declare-const y Int)(assert (= (+ x y) 5))";
    check(sum, "((define-fun x () Int 2)(define-fun y () Int 3))", &[], "valid", 0);
    check(sum, "((define-fun x () Int 2)(define-fun y () Int 4))", &[], "invalid 0", 0);
    check(sum, "((define-fun x () Int 5))", &[], "valid with defaults", 0);
    check(sum, "((define-fun x () Int 2))", &[("y", "3")], "valid", 1);
    check(sum, "((define-fun x () Int 2))", &[("y", "4")], "invalid 0", 1);
    check(sum, "()", &[("x", "2"), ("y", "3")], "valid", 1);
    // A solver that says nothing refutes nothing.
    check(sum, "((define-fun x () Int 2))", &[], "invalid 0 with defaults", 1);
}

#[test]
fn choices_are_asked_for_step_by_step() {
    check("(assert (= (div 7 0) 4))", "()", &[("(div 7 0)", "4")], "valid", 1);
    check("(assert (= (div 7 0) 4))", "()", &[("(div 7 0)", "5")], "invalid 0", 1);
    let chain = "(assert (= (/ 6.0 0.0 2.0) 4.0))";
    check(chain, "()", &[("(/ 6.0 0.0)", "8.0"), ("(/ (/ 6.0 0.0) 2.0)", "4.0")], "valid", 1);
    check(chain, "()", &[("(/ 6.0 0.0)", "6.0"), ("(/ (/ 6.0 0.0) 2.0)", "3.0")], "invalid 0", 1);
}

/// What a definition leaves open is asked for at the arguments of its applications.
#[test]
fn choices_inside_of_definitions_are_asked_for() {
    let nan = "((_ fp.to_ubv 8) RNE (_ NaN 8 24))";
    let define = format!("(define-fun a () (_ BitVec 8) {nan})");
    check(&format!("{define}(assert (= a #x07))"), "()", &[(nan, "#x07")], "valid", 1);
    check(&format!("{define}(assert (= a #x07))"), "()", &[(nan, "#x08")], "invalid 0", 1);
    let d = "(define-fun d ((x Int)) Int (div x 0))(define-fun e ((y Int)) Int (let ((z (+ y 1))) (+ (d z) (d 7))))";
    let values = &[("(div (+ 1 1) 0)", "4"), ("(div 7 0)", "5")];
    check(&format!("{d}(assert (= (e 1) 9))"), "()", values, "valid", 1);
    check(
        &format!("{d}(declare-const p Bool)(assert (or p (= (e 1) 8)))"),
        "((define-fun p () Bool false))",
        values,
        "invalid 0",
        1,
    );
    let pair = "(declare-datatype D ((nil) (cell (value Int))))(define-fun v ((x D)) Int (value x))";
    check(&format!("{pair}(assert (= (v nil) 3))"), "()", &[("(value nil)", "3")], "valid", 1);
    let zeros = "(fp.max (_ +zero 8 24) (_ -zero 8 24))";
    let define =
        "(define-fun m ((x Float32)) Float32 (fp.max x (_ -zero 8 24)))(assert (= (m (_ +zero 8 24)) (_ +zero 8 24)))";
    check(define, "()", &[(zeros, "(_ +zero 8 24)")], "valid", 1);
}

/// Each answer makes the next division one by zero; after four questions no more is asked.
#[test]
fn questions_are_few() {
    let chain = |n: usize| (1..=n).fold("0".to_string(), |inner, k| format!("(div {k} {inner})"));
    let texts: Vec<String> = (1..=6).map(chain).collect();
    let values: Vec<(&str, &str)> = texts.iter().map(|text| (text.as_str(), "0")).collect();
    let script = |n: usize| format!("(assert (= {} 0))", chain(n));
    check(&script(3), "()", &values, "valid", 3);
    check(&script(4), "()", &values, "valid", 4);
    check(&script(6), "()", &values, "unknown: division by zero may have any value", 4);
}
