//! What a symptom identifies.

use finding::BugClass;
use finding::symptom::{WRONG_MODEL, WRONG_VALUE, describe, is_own_word, is_specific, names_a_place, of_error};

#[test]
fn symptoms_are_said_in_one_line() {
    let check = |symptom: &str, expect: &str| assert_eq!(describe(symptom), expect);
    check("signal: SIGSEGV", "signal SIGSEGV");
    check("(incomplete (theory arithmetic))", "incomplete (theory arithmetic)");
    check("assertion: File: a.cpp\n  Line: 3", "File: a.cpp Line: 3");
    check("", "");
    check(&"x".repeat(200), &format!("{}…", "x".repeat(100)));
}

#[test]
fn a_symptom_tells_a_cause_or_not() {
    let check = |class: BugClass, symptom: &str, expect: (bool, bool, bool)| {
        let found = (is_specific(class, symptom), is_own_word(class, symptom), names_a_place(class, symptom));
        assert_eq!(found, expect, "{class} {symptom}");
    };
    check(BugClass::A, "unsat", (false, false, false));
    check(BugClass::B, "sat", (false, false, false));
    check(BugClass::B, WRONG_MODEL, (false, false, false));
    check(BugClass::B, WRONG_VALUE, (false, false, false));
    check(BugClass::B, "an invalid model was generated", (true, true, false));
    check(BugClass::E, "an invalid model was generated", (true, true, false));
    check(BugClass::C, "unknown", (false, false, false));
    check(BugClass::C, "(incomplete quantifiers)", (true, false, false));
    check(BugClass::S, "slower than z3@4.15.4", (false, false, false));
    check(BugClass::D, "signal: SIGSEGV", (true, false, false));
    check(BugClass::D, "signal: SIGSEGV in f < g", (true, false, true));
    check(BugClass::D, "signal: SIGABRT: terminate called in main", (true, false, false));
    check(BugClass::D, "", (true, false, false));
    check(BugClass::D, "assertion: File: a.cpp Line: 3", (true, false, true));
}

#[test]
fn errors_are_told_apart_without_names_and_numbers() {
    let check = |message: &str, expect: &str| assert_eq!(of_error(message), expect, "{message}");
    check("line 3 column 17: unknown constant foo!12 (Int)", "line # column #: unknown constant foo!# (Int)");
    check("Symbol 'bar' is not declared, it can't be", "Symbol … is not declared, it can't be");
    check("no such |a b|\nsecond line", "no such …");
    check("an 'open quote", "an 'open quote");
    check("", "");
}
