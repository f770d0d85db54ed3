//! The reader of s-expressions: what hides parentheses, texts that are no SMT-LIB, and texts that end anywhere.

use crate::support::expressions;
use proptest::prelude::*;
use smtlib::sexpr::{ItemKind, Sexprs, bare, head, items};

/// The top level as `kind text`, and all nodes by their texts.
fn check(text: &str, top: &[(ItemKind, &str)], nodes: &[&str]) {
    let found: Vec<(ItemKind, &str)> = items(text).map(|item| (item.kind, &text[item.span])).collect();
    assert_eq!(found, top, "{text:?}");
    let tree = Sexprs::read(text);
    let found: Vec<&str> = tree.nodes().map(|node| tree.text(node)).collect();
    assert_eq!(found, nodes, "{text:?}");
    expressions::check(text.as_bytes());
}

#[test]
fn what_hides_parentheses() {
    use ItemKind::{Atom, List};
    // A doubled quote inside a string once ended it: a definition of such a value was cut in two and dropped.
    check(r#"(= s """")"#, &[(List, r#"(= s """")"#)], &[r#"(= s """")"#, "=", "s", r#""""""#]);
    check(r#""a""(" x"#, &[(Atom, r#""a""(""#), (Atom, "x")], &[r#""a""(""#, "x"]);
    check(r#""a" "b""#, &[(Atom, r#""a""#), (Atom, r#""b""#)], &[r#""a""#, r#""b""#]);
    check(r#""\" ")"#, &[(Atom, r#""\""#), (ItemKind::Cut, "\")")], &[r#""\""#, "\")"]);
    check("(|)\"\n;| a)", &[(List, "(|)\"\n;| a)")], &["(|)\"\n;| a)", "|)\"\n;|", "a"]);
    check("(a ; ) | \"\n b)", &[(List, "(a ; ) | \"\n b)")], &["(a ; ) | \"\n b)", "a", "b"]);
    check("a;b\nc", &[(Atom, "a"), (Atom, "c")], &["a", "c"]);
    check(
        "a|b|\"c\"(d)",
        &[(Atom, "a"), (Atom, "|b|"), (Atom, "\"c\""), (List, "(d)")],
        &["a", "|b|", "\"c\"", "(d)", "d"],
    );
    check("; only a comment", &[], &[]);
    check("", &[], &[]);
    check("\u{feff}()", &[(List, "()")], &["()"]);
}

#[test]
fn what_is_no_smt_lib() {
    use ItemKind::{Atom, Cut, List, Stray};
    let text = "(_ r <1*x^2 + (-2), (5/4, 3/2)>)";
    let nodes = [text, "_", "r", "<1*x^2", "+", "(-2)", "-2", ",", "(5/4, 3/2)", "5/4,", "3/2", ">"];
    check(text, &[(List, text)], &nodes);
    check(
        "1/3 0b01 #f2m5 #b012",
        &["1/3", "0b01", "#f2m5", "#b012"].map(|t| (Atom, t)),
        &["1/3", "0b01", "#f2m5", "#b012"],
    );
    check("é,[01](x)", &[(Atom, "é,[01]"), (List, "(x)")], &["é,[01]", "(x)", "x"]);
    check("\0 \u{b}", &[(Atom, "\0"), (Atom, "\u{b}")], &["\0", "\u{b}"]);
    check("a) b", &[(Atom, "a"), (Stray, ")"), (Atom, "b")], &["a", "b"]);
    check("(a (b", &[(Cut, "(a (b")], &["(a (b", "a", "(b", "b"]);
    check("(a) (b \"c)", &[(List, "(a)"), (Cut, "(b \"c)")], &["(a)", "a", "(b \"c)", "b", "\"c)"]);
    check("(a |b) ; c", &[(Cut, "(a |b) ; c")], &["(a |b) ; c", "a", "|b) ; c"]);
    check("(a ; b", &[(Cut, "(a ; b")], &["(a ; b", "a"]);
}

#[test]
fn bytes_that_are_no_text() {
    let check = |bytes: &[u8], expect: &[&[u8]]| {
        expressions::check(bytes);
        assert_eq!(items(bytes).map(|item| &bytes[item.span]).collect::<Vec<_>>(), expect);
    };
    check(b"(\xff) \xc3", &[b"(\xff)", b"\xc3"]);
    check(b"\xed\xa0\x80(\0)", &[b"\xed\xa0\x80", b"(\0)"]);
    check(b"\"\xff", &[b"\"\xff"]);
}

#[test]
fn names_without_bars() {
    for (atom, name) in [("|a b|", "a b"), ("||", ""), ("a", "a"), ("|", "|"), ("|a", "|a"), ("\"|\"", "\"|\"")] {
        assert_eq!(bare(atom), name);
    }
}

#[test]
fn heads_of_lists() {
    for (list, word) in
        [("(a b)", "a"), ("( ; (b\n a|b|)", "a"), ("(", ""), ("()", ""), ("((a))", ""), ("a", ""), ("(|a|)", "|a|")]
    {
        assert_eq!(head(list), word, "{list}");
    }
}

/// No text costs more than its length: with a search per expression each of these would take hours.
#[test]
fn a_million_of_everything() {
    let count = 1_000_000;
    for part in
        ["(", ")", "()", "(a ", "\"\"", "\"", "||", "|", "; x\n", "#", ",", "\0", "1/", ":", "(\"", "a|", "()) "]
    {
        let text = part.repeat(count);
        expressions::check(text.as_bytes());
    }
    let deep = "(a".repeat(count) + " \"x\" " + &")".repeat(count);
    let tree = Sexprs::read(&deep);
    assert!(tree.is_whole());
    assert_eq!(tree.nodes().count(), 2 * count + 1);
    // All lists end at the end: asking each for its children costs what there is.
    assert_eq!(tree.nodes().map(|node| tree.children(node).count()).sum::<usize>(), 2 * count);
}

proptest! {
    /// Whatever the pieces, what is put together is what is found: strings, symbols and comments of any characters.
    #[test]
    fn what_is_written_is_found(pieces in prop::collection::vec((0..6u8, "[^\u{0}]{0,6}"), 0..40)) {
        let (mut text, mut expect, mut depth) = (String::new(), Vec::new(), 0usize);
        for (kind, inside) in pieces {
            text.push(' ');
            let start = text.len();
            match kind {
                0 => text.push_str(&format!("\"{}\"", inside.replace('"', "\"\""))),
                1 => text.push_str(&format!("|{}|", inside.replace('|', ""))),
                2 => text.push_str("word"),
                3 => {
                    text.push('(');
                    depth += 1;
                }
                4 if depth > 0 => {
                    text.push(')');
                    depth -= 1;
                }
                _ => text.push_str(&format!(";{}\n", inside.replace('\n', ""))),
            }
            if kind < 3 {
                expect.push(start..text.len());
            }
        }
        text.push_str(&")".repeat(depth));
        let tree = Sexprs::read(&text);
        prop_assert!(tree.is_whole());
        prop_assert_eq!(tree.atoms().collect::<Vec<_>>(), expect);
        expressions::check(text.as_bytes());
    }

    #[test]
    fn any_bytes(bytes in prop::collection::vec(prop::sample::select(b"()|\";\n #:ab1\x00\xc3\xa9\xff".to_vec()), 0..60)) {
        expressions::check(&bytes);
    }
}
