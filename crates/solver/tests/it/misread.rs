//! Tests of `misread`.

use solver::misread::{misread, miswritten, with_standard_escapes};

#[test]
fn printed_escapes_are_those_of_the_standard() {
    let both = ["string-escape-u", "re.loop-empty-range", "string-escape-c"];
    let check = |printed: &str, expect: Option<&str>| {
        assert_eq!(with_standard_escapes(both, printed).as_deref(), expect, "{printed}");
    };
    // As printed by z3 4.8.7.
    check(r#"(define-fun Y () String "\xa4")"#, Some(r#"(define-fun Y () String "\u{a4}")"#));
    check(r#"((Y "\\x41"))"#, Some(r#"((Y "\u{5c}x41"))"#));
    check(r#"((Y "a""\n""b\v\f\r"))"#, Some(r#"((Y "a""\u{a}""b\u{b}\u{c}\u{d}"))"#));
    check(r#"((|a"\| "\x00"))"#, Some(r#"((|a"\| "\u{0}"))"#));
    check(r#"((Y "plain"))"#, None);
    check(r#"((Y "\u{41}"))"#, None);
    check(r#"((Y "\x4"))"#, None);
    check(r#"((Y "\"#, None);
    // Versions that know the standard's escapes too may print either.
    assert_eq!(with_standard_escapes(["string-escape-c"], r#"((Y "\xa4"))"#), None);
    assert_eq!(with_standard_escapes([], r#"((Y "\xa4"))"#), None);
}

#[test]
fn miswritten_values_are_recognised() {
    let check = |name: &str, text: &str, expect: bool| {
        assert_eq!(miswritten([name], text), expect.then_some(name), "{name}: {text}");
    };
    check("cut-decimal", "(define-fun x () Real -1.414214)", true);
    check("cut-decimal", "((x 0.5))", true);
    // A root close to a whole number was once taken for a wrong model.
    check("cut-decimal", "(define-fun a () Real -1.000000)", true);
    check("cut-decimal", "(define-fun x () Real 2.0)", false);
    check("cut-decimal", "(define-fun x.1 () Real (/ 1 2))", false);
    check("cut-decimal", "", false);
    check("a-name-of-tomorrow", "", true);
}

/// Z3 takes `(_ h 1)` and `(_ h 2)` for the same, so it called them equal.
#[test]
fn functions_applied_by_an_underscore_are_recognised() {
    let check = |text: &str, expect: bool| assert_eq!(misread(["map-application"], text).is_some(), expect, "{text}");
    check("(declare-const h (-> Int Int))(assert (distinct (_ h 1) (_ h 2)))", true);
    check("(declare-fun f (Int) Int)(assert (= ( _ |f| 1) 2))", true);
    check("(assert (exists ((g (-> Int Int))) (= (_ ; a comment\n g 1) 2)))", true);
    check("(declare-const h (-> Int (-> Int Int)))(assert (= (_ (_ h 1) 2) 5))", true);
    check("(declare-const h (-> Int Int))(assert (= (h 1) (select h 2) ((_ extract 1 0) x) (_ bv1 2)))", false);
    check("(declare-const x (_ BitVec 4))(assert (= ((_ int_to_bv 4) 3) x))", false);
}

#[test]
fn misread_spellings_are_recognised() {
    let check = |name: &str, text: &str, expect: bool| {
        assert_eq!(misread([name], text), expect.then_some(name), "{name}: {text}");
    };
    check("string-escape-u", r#"(assert (= s "\u{41}"))"#, true);
    check("string-escape-u", r#"(assert (= s "\u0041"))"#, true);
    check("string-escape-u", r#"(assert (= s "\x41"))"#, false);
    check("string-escape-u", r#"(assert (= s "A"))"#, false);
    check("string-escape-c", r#"(assert (= s "\x41"))"#, true);
    check("string-escape-c", r#"(assert (= s "A"))"#, false);
    check("re.loop-empty-range", "((_ re.loop 3 1) r)", true);
    check("re.loop-empty-range", "((_ re.loop 1 3) r) ((_ re.loop 3 1) r)", true);
    check("re.loop-empty-range", "((_ re.loop 1 3) r) ((_ re.loop 3 3) r)", false);
    check("re.loop-empty-range", "((_  re.loop\n 1\n 3 ) r)", false);
    // The old spelling takes the bounds as terms, which are not examined.
    check("re.loop-empty-range", "(re.loop r 1 3)", true);
    check("re.loop-empty-range", "((_ re.loop 1 99999999999999999999) r)", true);
    check("re.loop-empty-range", "re.loop", true);
    check("a-name-of-tomorrow", "(check-sat)", true);
    assert_eq!(misread([], r#""\u{41}""#), None);
}
