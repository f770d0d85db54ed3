//! What solvers in sessions answer.

use strategy::incremental_process::{core_numbers, declared_name};

#[test]
fn cores_are_numbers() {
    let check = |text: &str, expect: Option<&[u64]>| assert_eq!(core_numbers(text).as_deref(), expect, "{text}");
    check("(squall!core!2 squall!core!0)", Some(&[2, 0]));
    check("(|squall!core!11|\n squall!core!3 )", Some(&[11, 3]));
    check("()", Some(&[]));
    check("(model)", None);
    check("(define-fun x () Int 3)", None);
}

#[test]
fn declarations_tell_their_names() {
    let check = |text: &str, expect: Option<&str>| assert_eq!(declared_name(text), expect, "{text}");
    check("(declare-fun f (Int) Int)", Some("f"));
    check("(declare-fun |a b| () Int)", Some("a b"));
    check("(declare-sort U 0)", Some("U"));
    check("(declare-datatypes ((T 0)) (((c))))", None);
    check("(define-funs-rec ((f () Int)) (1))", None);
}
