//! Sequences, a theory of solvers: reading, printing, sorts and what stays text.

use crate::support::{check, check_after, check_refused, read};
use smtlib::{Command, Sort};

const VALUES: &str =
    "(declare-const s (Seq Int))(declare-const t (Seq (Seq Bool)))(declare-const i Int)(declare-const w String)";

fn check_term(input: &str, expect: &str) {
    check_after(VALUES, &format!("(assert {input})"), &format!("(assert {expect})"));
}

#[test]
fn terms() {
    check_term("(= s (as seq.empty (Seq Int)))", "(= s (as seq.empty (Seq Int)))");
    check_term("(= t (seq.unit (as seq.empty (Seq Bool))))", "(= t (seq.unit (as seq.empty (Seq Bool))))");
    check_term("(= s (seq.++ s (seq.unit i) s))", "(= s (seq.++ s (seq.unit i) s))");
    check_term("(= (seq.++ s) s)", "(= s s)");
    check_term("(= (seq.indexof s s) 0)", "(= (seq.indexof s s 0) 0)");
    check_term("(seq.nth (seq.nth t 0) 1)", "(seq.nth (seq.nth t 0) 1)");
    check_term(
        "(= (seq.update s 0 (seq.rev s)) (seq.extract s 1 2))",
        "(= (seq.update s 0 (seq.rev s)) (seq.extract s 1 2))",
    );
}

#[test]
fn sorts() {
    let (store, script) = read(VALUES);
    let sort = script.commands.iter().find_map(|c| match c {
        Command::DeclareFun(f) => Some(store.func(*f).result),
        _ => None,
    });
    let sort = sort.expect("a declaration");
    assert!(matches!(store.sorts.get(sort), Sort::Seq(_)), "{}", store.sort_text(sort));
    check_refused(
        "(declare-const s (Seq Int Int))",
        "1:19: this sort is given 2 arguments | expected the sort of the elements",
    );
    check_refused("(declare-const s Seq)", "1:18: this sort is given 0 arguments | expected the sort of the elements");
    // A script's own sort of that name hides the theory's.
    check(
        "(declare-sort Seq 0)\n(declare-fun s () Seq)\n(assert (= s s))",
        "(declare-sort Seq 0)\n(declare-fun s () Seq)\n(assert (= s s))",
    );
}

#[test]
fn mistakes() {
    let refused = |term: &str, expect: &str| check_refused(&format!("{VALUES}\n(assert {term})"), expect);
    refused(
        "(seq.contains s t)",
        "2:10: `seq.contains` cannot take ((Seq Int) (Seq (Seq Bool))): expected ((Seq A) (Seq A))",
    );
    refused(
        "(= s (seq.++ s (seq.unit true)))",
        "2:15: `seq.++` cannot take ((Seq Int) (Seq Bool)): expected ((Seq A) (Seq A) …)",
    );
    refused("(= (seq.nth s s) 1)", "2:13: `seq.nth` cannot take ((Seq Int) (Seq Int)): expected ((Seq A) Int)");
}

/// Operators of strings on sequences and the reverse are some solver's: the command is text.
#[test]
fn what_stays_text() {
    for term in ["(= (seq.len w) 1)", "(= (str.len s) 1)", "(= s seq.empty)"] {
        let text = format!(
            "(declare-fun s () (Seq Int))\n(declare-fun w () String)\n(declare-fun f (Int) Int)\n(assert {term})"
        );
        check(&text, &text);
        let (_, script) = read(&text);
        assert!(matches!(script.commands.last(), Some(Command::Opaque(..))), "{term}");
    }
}
