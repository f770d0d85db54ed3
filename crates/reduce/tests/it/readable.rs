//! The readable form of texts: what it looks like, and that it says the same.

use proptest::prelude::*;
use reduce::readable::{marked, readable, shaped};
use semantics::{EvalLimits, Evaluator, Model};
use smtlib::sexpr::Sexprs;
use smtlib::{Command, Store};

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

fn inlined(text: &str) -> String {
    readable(text, |_| true).unwrap_or_else(|| text.to_string())
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
    // What does not match stays.
    assert_eq!(shaped("(a  (b"), "(a  (b");
    assert_eq!(shaped(""), "");
}

#[test]
fn depth_costs_no_more_than_it_must() {
    let depth = 100_000;
    let text = format!("{}x{}", "(f ".repeat(depth), ")".repeat(depth));
    let text = shaped(&text);
    assert!(text.len() < 45 * depth && text.lines().all(|line| line.len() <= 100), "{}", text.len());
    let lets = format!("{}x{}", "(let ((y x)) ".repeat(2_000), ")".repeat(2_000));
    assert!(inlined(&lets).contains("(let"), "a name that is bound twice stays");
    let lets: String = (0..5_000).map(|n| format!("(let ((y{} y{n})) ", n + 1)).collect();
    assert_eq!(inlined(&format!("{lets}(f y5000){}", ")".repeat(5_000))), "(f y0)");
}

#[test]
fn small_lets_are_inlined_where_names_stay_what_they_are() {
    let check = |text: &str, expect: &str| assert_eq!(inlined(text), expect, "{text}");
    check("(assert (let ((a x)) (f a a)))", "(assert (f x x))");
    check("(assert (let ((a (g x))) (f a)))", "(assert (f (g x)))");
    check("(assert (let ((a 1) (b (g (h x)))) (f a b b b)))", "(assert (let ((b (g (h x)))) (f 1 b b b)))");
    check("(assert (let ((a (f x))) (let ((b (g a))) (h b))))", "(assert (h (g (f x))))");
    check("(assert (let ((|a| x)) (f a)))", "(assert (f x))");
    for stays in [
        // The value's name means another thing inside.
        "(assert (let ((a x)) (forall ((x Int)) (f x a))))",
        "(assert (let ((a b) (b a)) (f a b)))",
        "(assert (let ((a x)) (f (let ((a y)) (g a a a a a (h a y)))  a)))",
        // Not where a list may stand, or longer.
        "(assert (let ((a (g x))) (a y)))",
        "(assert (let ((a 1)) (_ f a)))",
        "(assert (let ((a (g x x x))) (f a a a)))",
        "(assert (let ((a (! x :named n))) y))",
    ] {
        check(stays, &shaped(stays));
    }
}

#[test]
fn what_the_test_does_not_accept_stays() {
    let text = "(assert (let ((a x)) (f a)))\n(b  c)";
    assert_eq!(readable(text, |_| false), None);
    let mut asked = Vec::new();
    let found = readable(text, |candidate| {
        asked.push(candidate.to_string());
        candidate.contains("let")
    });
    assert_eq!(found.as_deref(), Some("(assert (let ((a x)) (f a)))\n(b c)"));
    assert_eq!(asked.len(), 3, "{asked:?}");
    assert_eq!(readable("(a b)", |_| panic!("it is readable already")), None);
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

/// Bodies with `let`s, whose names are few, so that they often hide each other.
fn terms() -> impl Strategy<Value = String> {
    let name = || prop_oneof![Just("x"), Just("y"), Just("z"), Just("a"), Just("b")];
    let leaf = prop_oneof![name().prop_map(str::to_string), (0..9u8).prop_map(|n| n.to_string())];
    leaf.prop_recursive(6, 60, 3, move |inner| {
        prop_oneof![
            (name(), inner.clone(), inner.clone()).prop_map(|(n, v, b)| format!("(let (({n} {v})) {b})")),
            (inner.clone(), inner.clone(), inner.clone()).prop_map(|(v, w, b)| format!("(let ((a {v}) (b {w})) {b})")),
            (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("(+ {a} (* 2 {b}))")),
            (inner.clone(), inner.clone())
                .prop_map(|(a, b)| format!("(ite (forall ((x Bool) (a Bool)) (or x a)) {a} {b})")),
        ]
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

    #[test]
    fn inlining_keeps_values(list in proptest::collection::vec(terms(), 1..3)) {
        let names = ["x", "y", "z", "a", "b"];
        let declared: String = names.map(|n| format!("(declare-fun {n} () Int)\n")).concat();
        let asserts: String = list.iter().map(|t| format!("(assert (> {t} 7))")).collect();
        let text = format!("{declared}{asserts}\n(check-sat)");
        let mut store = Store::new();
        let before = smtlib::parse(&mut store, &text);
        prop_assert!(before.errors.is_empty(), "{} {:?}", text, before.errors);
        let new = inlined(&text);
        let after = smtlib::parse(&mut store, &new);
        prop_assert!(after.errors.is_empty(), "{} {:?}", new, after.errors);
        let mut model = Model::new();
        for (n, command) in before.script.commands.iter().enumerate() {
            if let Command::DeclareFun(f) = command {
                model.assign(&store, *f, semantics::Value::Int((n as i32 * 3 + 1).into())).expect("an integer");
            }
        }
        let roots = |script: &smtlib::Script| -> Vec<_> {
            script.commands.iter().filter_map(|c| if let Command::Assert(t, _) = c { Some(*t) } else { None }).collect()
        };
        let mut evaluator = Evaluator::new(model, EvalLimits::default());
        let (old, new_terms) = (roots(&before.script), roots(&after.script));
        prop_assert_eq!(old.len(), new_terms.len());
        for (a, b) in old.into_iter().zip(new_terms) {
            let value = evaluator.truth(&store, a);
            prop_assert!(value.is_some());
            prop_assert_eq!(value, evaluator.truth(&store, b), "{}\n{}", text, new);
        }
    }
}
