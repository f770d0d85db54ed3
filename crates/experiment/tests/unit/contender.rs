//! Unit tests of `src/contender.rs`.

use super::*;

#[test]
fn models_are_checked() {
    let script = "(declare-const x Int)(assert (< x 0))(check-sat)";
    let check = |model: &str, expect| assert_eq!(check_model(script, model), expect, "{model}");
    check("((define-fun x () Int (- 1)))", ModelVerdict::Valid);
    check("((define-fun x () Int 1))", ModelVerdict::Invalid);
    check("()", ModelVerdict::Unknown);
    check("(error)", ModelVerdict::Unknown);
}

#[test]
fn answers_come_before_models() {
    let (answers, model) = answers_in("sat\n(\n(define-fun x () Int 1)\n)\nunsat\n");
    assert_eq!(answers, [SatResponse::Sat, SatResponse::Unsat]);
    assert!(model.is_some_and(|m| m.contains("define-fun")));
    assert_eq!(answers_in("unknown\n"), (vec![SatResponse::Unknown], None));
    assert_eq!(answers_in("").0, []);
}
