//! Unit tests of `src/failure.rs`.

use super::*;
use crate::symptom::{UNKNOWN, WRONG_MODEL, WRONG_OPTIMUM, WRONG_VALUE};

#[test]
fn every_class_has_a_row_for_every_symptom() {
    for class in BugClass::all() {
        assert!(FAILURES.iter().any(|row| row.class == class && row.symptoms.is_empty()));
        assert_eq!(row(class, "anything").class, class);
    }
    let check = |class: BugClass, symptom: &str, expect: FailureKind| assert_eq!(row(class, symptom).kind, expect);
    check(BugClass::A, "unsat", FailureKind::Unsat);
    for symptom in [WRONG_MODEL, WRONG_OPTIMUM, WRONG_VALUE] {
        check(BugClass::B, symptom, FailureKind::InvalidModel);
        assert_eq!(row(BugClass::B, symptom).symptoms, [symptom]);
    }
    check(BugClass::C, UNKNOWN, FailureKind::Unknown);
    check(BugClass::B, "invalid model", FailureKind::SelfCheck);
    check(BugClass::C, "(incomplete)", FailureKind::Unknown);
    assert_eq!("self-check".parse(), Ok(FailureKind::SelfCheck));
    assert!("".parse::<FailureKind>().is_err());
}

#[test]
fn parts_are_put_in_once_and_as_they_are() {
    let check = |sentence: &str, expect: &str| {
        assert_eq!(fill(sentence, &[("said", "a {mode}"), ("mode", "plain")]), expect, "{sentence}");
    };
    check("it says {said}", "it says a {mode}");
    check("{mode}: {said}{nothing}.", "plain: a {mode}.");
    check("no part", "no part");
    check("open {said", "open a {mode}");
}
