//! Finite fields: their sorts and literals, of small and of cryptographic orders, their operators, and what is refused.

use crate::support::{check, check_after, check_refused, read};
use smtlib::{Command, Dialect, Printer, Sort};

const VALUES: &str = "(define-sort F () (_ FiniteField 7))(declare-const x F)(declare-const y (_ FiniteField 7))\
     (declare-const b (_ FiniteField 2))(declare-const i Int)";

/// 2^255 - 19.
const LARGE: &str = "57896044618658097711785492504343953926634992332820282019728792003956564819949";

fn check_term(input: &str, expect: &str) {
    check_after(VALUES, &format!("(assert {input})"), &format!("(assert {expect})"));
}

#[test]
fn literals_are_normalised() {
    check_term("(= x #f3m7)", "(= x #f3m7)");
    check_term("(= x #f10m7)", "(= x #f3m7)");
    check_term("(= x #f-1m7)", "(= x #f6m7)");
    check_term("(= x #f-14m7)", "(= x #f0m7)");
    check_term("(= x #f003m07)", "(= x #f3m7)");
    check_term("(= x (as ff3 F))", "(= x #f3m7)");
    check_term("(= x (as ff-1 (_ FiniteField 7)))", "(= x #f6m7)");
    check_term("(= x (as |ff12| F))", "(= x #f5m7)");
    check_term("(= b #f3m2)", "(= b #f1m2)");
    check_term("(= x #f123456789012345678901234567891m7)", "(= x #f1m7)");
    check(
        &format!("(assert (= #f-1m{LARGE} #f1m{LARGE}))"),
        &format!("(assert (= #f{}8m{LARGE} #f1m{LARGE}))", &LARGE[..76]),
    );
}

#[test]
fn terms() {
    for term in [
        "(= (ff.add x y #f1m7) (ff.mul x y) (ff.neg y))",
        "(distinct (ff.bitsum x y x y) (ite (= x y) x #f0m7))",
        "(forall ((z (_ FiniteField 7))) (= (ff.mul z x) z))",
    ] {
        check_term(term, term);
    }
    // cvc5 wants two arguments of all but `ff.neg`: of one that is associative, it is that argument.
    check_term("(= (ff.add x) y)", "(= x y)");
    check_term("(= (ff.mul x) y)", "(= x y)");
    // Any dialect has the same spelling.
    let (store, script) = read(&format!("{VALUES}(assert (= (ff.add x #f8m7) y))"));
    let Some(Command::Assert(term, _)) = script.commands.last() else { panic!("an assertion") };
    let mut text = String::new();
    Printer::new(&store, &Dialect::default()).term(*term, &mut text);
    assert_eq!(text, "(= (ff.add x #f1m7) y)");
}

#[test]
fn sorts() {
    let (store, script) = read(&format!("{VALUES}(declare-const z (_ FiniteField {LARGE}))"));
    let sorts: Vec<String> = script
        .commands
        .iter()
        .filter_map(|c| if let Command::DeclareFun(f) = c { Some(store.func(*f).result) } else { None })
        .map(|sort| match store.sorts.get(sort) {
            Sort::FiniteField(order) => order.get().to_string(),
            other => format!("{other:?}"),
        })
        .collect();
    assert_eq!(sorts, ["7", "7", "2", "Int", LARGE]);
    let declared = "(declare-fun f ((_ FiniteField 5)) (Array (_ FiniteField 5) (_ FiniteField 3)))\n\
                    (declare-fun s () (Seq (_ FiniteField 5)))";
    check(declared, declared);
    // A script's own sort of that name hides the theory's.
    check(
        "(declare-sort FiniteField 0)\n(declare-fun u () FiniteField)",
        "(declare-sort FiniteField 0)\n(declare-fun u () FiniteField)",
    );
    // A constant of a script's own may have the name of a literal, and `as` then means it, as in cvc5.
    check(
        "(declare-fun ff1 () (_ FiniteField 7))\n(assert (= (as ff1 (_ FiniteField 7)) #f0m7))",
        "(declare-fun ff1 () (_ FiniteField 7))\n(assert (= ff1 #f0m7))",
    );
}

#[test]
fn what_is_no_field() {
    let prime = "the order of a finite field must be prime";
    check_refused("(declare-const x (_ FiniteField 6))", &format!("1:33: a finite field of order 6 | {prime}"));
    check_refused("(declare-const x (_ FiniteField 1))", &format!("1:33: a finite field of order 1 | {prime}"));
    check_refused("(declare-const x (_ FiniteField 0))", &format!("1:33: a finite field of order 0 | {prime}"));
    // Not even of a power of a prime, though mathematics has one.
    check_refused("(declare-const x (_ FiniteField 4))", &format!("1:33: a finite field of order 4 | {prime}"));
    check_refused("(assert (= #f1m9 #f1m9))", &format!("1:12: an element of no field: #f1m9 | {prime}"));
    let composite = format!("(declare-const x (_ FiniteField {LARGE}1))");
    check_refused(&composite, &format!("1:33: a finite field of order {}… | {prime}", &LARGE[..40]));
    let large = format!("(declare-const x (_ FiniteField 1{}))", "0".repeat(400));
    let bits = "the order of a finite field may have at most 1024 bits";
    check_refused(&large, &format!("1:33: a finite field of order 1{}… | {bits}", "0".repeat(39)));
    check_refused(
        "(declare-const x (_ FiniteField #b11))",
        "1:33: unexpected `#b11` | expected the number of elements, a prime",
    );
    check_refused("(declare-const x (_ FiniteField 5 5))", "1:35: unexpected `5` | expected `)`");
    check_refused("(declare-const x FiniteField)", "1:18: a finite field needs its order | write (_ FiniteField 7)");
}

#[test]
fn mistakes() {
    let malformed = "a malformed literal of a finite field | expected #fNmP, the element N of the field of P elements";
    for literal in ["#f", "#f1", "#fm5", "#f1m", "#f--1m5", "#f1m-5", "#f1m5m", "#f1x5", "#fam5"] {
        check_refused(&format!("(assert (= {literal} {literal}))"), &format!("1:12: {malformed}"));
    }
    let refused = |term: &str, expect: &str| check_refused(&format!("{VALUES}\n(assert {term})"), expect);
    let two = "expected ((_ FiniteField p) (_ FiniteField p) …)";
    refused("(= x (ff.add x b))", &format!("2:15: `ff.add` cannot take ((_ FiniteField 7) (_ FiniteField 2)): {two}"));
    refused("(= x (ff.mul x 1))", &format!("2:15: `ff.mul` cannot take ((_ FiniteField 7) Int): {two}"));
    refused("(= x (ff.bitsum x))", &format!("2:15: `ff.bitsum` cannot take ((_ FiniteField 7)): {two}"));
    refused(
        "(= x (ff.neg x y))",
        "2:15: `ff.neg` cannot take ((_ FiniteField 7) (_ FiniteField 7)): expected ((_ FiniteField p))",
    );
    refused("(= i #f1m7)", "2:10: `=` cannot take (Int (_ FiniteField 7)): expected (A A …)");
    refused(
        "(= x (as ff1 Int))",
        "2:18: `Int` is not a finite field | expected (_ FiniteField p) after a constant ffN",
    );
    refused("(= x ff1)", "2:14: unknown symbol `ff1` | declare it before its first use");
}

/// cvc5 has no `ff.sub`: a command with an operator that we do not know is text.
#[test]
fn what_stays_text() {
    let text = "(declare-fun x () (_ FiniteField 7))\n(assert (= (ff.sub x x) x))";
    check(text, text);
    assert!(matches!(read(text).1.commands.last(), Some(Command::Opaque(..))));
}
