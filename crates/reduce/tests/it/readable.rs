//! Readable formatting: its layout, and that it preserves the content.

use proptest::prelude::*;
use reduce::readable::{marked, shaped};
use smtlib::sexpr::Sexprs;

/// The words and parentheses of a text, and its comments.
fn tokens(text: &str) -> (Vec<String>, String) {
    let all = Sexprs::read_whole(text).expect("whole");
    let (mut words, mut comments, mut at) = (Vec::new(), String::new(), 0);
    let ends = all.atoms().chain(std::iter::once(text.len()..text.len()));
    for atom in ends {
        for line in text[at..atom.start].lines() {
            let (code, comment) = line.split_once(';').unwrap_or((line, ""));
            words.extend(code.chars().filter(|c| !c.is_whitespace()).map(String::from));
            comments.push_str(comment);
        }
        words.push(text[atom.clone()].to_string());
        at = atom.end;
    }
    (words, comments)
}

#[test]
fn lines_are_short_and_words_whole() {
    let check = |text: &str, expect: &str| {
        assert_eq!(shaped(text), expect, "{text}");
        assert_eq!(tokens(text), tokens(expect));
    };
    check("(assert(mod))", "(assert (mod))");
    check("(a)(b)\n\n(c  d)", "(a)\n(b)\n\n(c d)");
    check("plain words stay", "plain words stay");
    check("(a ; comment\n b)(c)", "(a ; comment\n b)\n(c)");
    check("(a \"x  y\n z\" |p  q|)", "(a \"x  y\n z\" |p  q|)");
    check("(a () ( ))", "(a () ())");
    let long = "x".repeat(40);
    check(
        &format!("(assert (and (f {long}) (g {long}) (forall ((y Int)) (h y {long}))))"),
        &format!("(assert (and\n    (f {long})\n    (g {long})\n    (forall ((y Int)) (h y {long}))))"),
    );
    // Unbalanced text stays unchanged.
    assert_eq!(shaped("(a  (b"), "(a  (b");
    assert_eq!(shaped(""), "");
}

#[test]
fn depth_costs_no_more_than_it_must() {
    let depth = 100_000;
    let text = format!("{}x{}", "(f ".repeat(depth), ")".repeat(depth));
    let text = shaped(&text);
    assert!(text.len() < 45 * depth && text.lines().all(|line| line.len() <= 100), "{}", text.len());
}

#[test]
fn a_check_is_marked() {
    let text = "(assert a)(check-sat)\n(check-sat-assuming (b))";
    assert_eq!(marked(text, 0, "this"), "(assert a)\n; this\n(check-sat)\n(check-sat-assuming (b))");
    assert_eq!(marked(text, 1, "this"), "(assert a)(check-sat)\n; this\n(check-sat-assuming (b))");
    assert_eq!(marked(text, 2, "this"), text);
}

fn texts() -> impl Strategy<Value = String> {
    let word = prop_oneof!["[a-z]{1,12}", "[a-z]{40,120}", "\"[ ;()a\n]{0,60}\"", "\\|[ ;()a\n]{0,60}\\|"];
    let gap = prop_oneof![Just(" "), Just("\n"), Just("  \t"), Just(" ; (note\n")];
    word.prop_recursive(6, 200, 8, move |inner| {
        proptest::collection::vec((inner, gap.clone()), 0..8).prop_map(|parts| {
            format!("({})", parts.iter().map(|(part, gap)| format!("{part}{gap}")).collect::<String>())
        })
    })
}

proptest! {
    #[test]
    fn breaking_keeps_words_and_comments(list in proptest::collection::vec(texts(), 1..4)) {
        for text in [list.concat(), list.join("\n")] {
            let new = shaped(&text);
            prop_assert_eq!(tokens(&new), tokens(&text));
            prop_assert_eq!(shaped(&new), new, "shaped already");
        }
    }
}
