//! Texts that are not understood: the results of each pass, and the encoding of their bytes.

use proptest::prelude::*;
use reduce::text_passes::proposed;
use reduce::text_test::TextEncoding;
use semantics::{EvalLimits, Evaluator, Model, Value};
use smtlib::{Command, Store, TermId};

#[test]
fn passes_propose_smaller_texts() {
    let check = |pass: &str, text: &str, expect: &[&str]| assert_eq!(proposed(pass, text), expect, "{pass}: {text}");
    check("expressions", "(a (b))", &["", "(a)", "( (b))", "(a true)", "(a 0)", "(a ())"]);
    check("parts", "(a (b c))", &["a", "(b c)", "(a b)", "(a c)"]);
    check("parts", "(f a (f b))", &["f", "a", "(f b)", "(f a  b)", "(f a f)", "(f a b)"]);
    check("words", "(long 25 a long)", &["(b 25 a b)", "(long 0 a long)", "(long 1 a long)"]);
    check("lists", "(d ((a) (b)) ((c) (d)))", &["(d ((a) ) ((c) ))", "(d ( (b)) ( (d)))"]);
    check("lists", "(d f (I J) K)(p (f 1 (f 2 3)))", &["(d f (I ) K)(p (f 1 ))", "(d f ( J) K)(p (f  (f  3)))"]);
    check("levels", "(a (b c))", &[]);
    check("lines", "(a\nb\n", &["b\n", "(a\n"]);
    check("lines", "(a)\n(b)\n", &[]);
    // Words outside of lists: another language.
    check("lines", "f(a);\ng(b);\n", &["g(b);\n", "f(a);\n"]);
    check("characters", "(a", &["a", "("]);
    check("characters", "(a \"12345\")", &[]);
    assert_eq!(proposed("characters", "(a \"123456\")").len(), 8);
}

#[test]
fn blanks_and_comments_go_but_for_one_between_words() {
    let check = |text: &str, expect: &[&str]| assert_eq!(proposed("blanks", text), expect, "{text}");
    check("; a (comment\n(a  (b )\n c)", &["(a  (b )\n c)", "; a (comment\n(a(b )\n c)", "; a (comment\n(a  (b)c)"]);
    check("(a |x  y| \"p ; q\")", &[]);
    check("a\n\n\nb", &["a b"]);
    check("(a) ; end\n(d)", &["(a)\n(d)"]);
}

/// Sums of variables and earlier ones.
fn sums() -> impl Strategy<Value = Vec<(u8, u8, bool)>> {
    proptest::collection::vec((any::<u8>(), any::<u8>(), any::<bool>()), 1..8)
}

#[test]
fn bytes_come_back() {
    let check = |bytes: &[u8], expect: TextEncoding| {
        let encoding = TextEncoding::of(bytes);
        assert_eq!(encoding, expect, "{bytes:?}");
        assert_eq!(*encoding.encode(&encoding.decode(bytes)), *bytes);
    };
    check("(é)".as_bytes(), TextEncoding::Utf8);
    check(b"", TextEncoding::Utf8);
    check(b"\xff", TextEncoding::Bytes);
    check(&(0..=u8::MAX).collect::<Vec<_>>(), TextEncoding::Bytes);
    // What was cut from bytes may be UTF-8 by chance, and is held as before.
    let cut = "é".as_bytes();
    assert_eq!(*TextEncoding::Bytes.encode(&TextEncoding::Bytes.decode(cut)), *cut);
}

proptest! {
    #[test]
    fn lets_of_names_that_differ_are_inlined_with_the_same_value(sums in sums()) {
        let mut text = "(declare-fun x () Int)(assert (< 7 ".to_string();
        for (n, (left, right, is_word)) in sums.iter().enumerate() {
            let name = |at: &u8| if n == 0 { "x".to_string() } else { format!("v{}", usize::from(*at) % n) };
            let value = if *is_word { name(left) } else { format!("(+ {} (* 2 {}))", name(left), name(right)) };
            text += &format!("(let ((v{n} {value})) ");
        }
        text += &format!("v{}{}))(check-sat)", sums.len() - 1, ")".repeat(sums.len()));
        let values = proposed("lets", &text);
        prop_assert_eq!(values.len(), sums.len());
        let mut store = Store::new();
        let mut truths = Vec::new();
        for text in std::iter::once(&text).chain(&values) {
            let parsed = smtlib::parse(&mut store, text);
            prop_assert!(parsed.errors.is_empty(), "{} {:?}", text, parsed.errors);
            let mut model = Model::new();
            let mut root: Option<TermId> = None;
            for command in &parsed.script.commands {
                match command {
                    Command::DeclareFun(f) => model.assign(&store, *f, Value::Int(1.into())).expect("an integer"),
                    Command::Assert(t, _) => root = Some(*t),
                    _ => {}
                }
            }
            truths.push(Evaluator::new(model, EvalLimits::default()).truth(&store, root.expect("asserted")));
        }
        prop_assert!(truths[0].is_some() && truths.iter().all(|truth| *truth == truths[0]), "{}", text);
    }
}
