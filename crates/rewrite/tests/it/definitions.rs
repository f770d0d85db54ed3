//! Tests of `definitions`.

use rewrite::definitions::{expand, hidden_symbols};
use rewrite::settings::PassSettings;
use smtlib::{Command, Store, TermId};

fn check(text: &str, expect: &[&str]) {
    let mut store = Store::new();
    let parsed = smtlib::parse(&mut store, text);
    assert!(parsed.errors.is_empty(), "{text}: {:?}", parsed.errors);
    let assertions: Vec<TermId> = parsed
        .script
        .commands
        .iter()
        .filter_map(|c| if let Command::Assert(t, _) = c { Some(*t) } else { None })
        .collect();
    let expanded = match expand(&mut store, &assertions, &PassSettings::default()) {
        Ok(terms) => terms,
        Err(error) => panic!("{text}: {error}"),
    };
    let texts: Vec<String> = expanded.into_iter().map(|t| store.term_text(t)).collect();
    assert_eq!(texts, expect, "{text}");
}

#[test]
fn calls_become_bodies() {
    check(
        "(declare-const x Int)
         (define-fun f ((a Int) (b Int)) Int (+ a (* 2 b)))
         (define-fun g ((a Int)) Int (f a (f a 1)))
         (define-fun c () Int (g x))
         (assert (= c 3))",
        &["(= (+ x (* 2 (+ x (* 2 1)))) 3)"],
    );
}

#[test]
fn arguments_are_never_captured() {
    // The argument `y` is bound outside; the body's own `y` must not capture it.
    check(
        "(define-fun f ((a Int)) Bool (exists ((y Int)) (< a y)))
         (declare-const z Int)
         (assert (f z))
         (assert (forall ((y Int)) (f y)))",
        &["(exists ((y Int)) (< z y))", "(forall ((y Int)) (f y))"],
    );
    // The parameter's name is bound again inside: the inner one is another variable, which the parser renames.
    check(
        "(declare-const z Int)
         (define-fun f ((a Int)) Bool (and (= a 1) (exists ((a Int)) (= a 2))))
         (assert (f z))",
        &["(and (= z 1) (exists ((a!1 Int)) (= a!1 2)))"],
    );
}

#[test]
fn what_recursive_bodies_mention_is_hidden() {
    let mut store = Store::new();
    let text = "(declare-const k Int)
        (define-fun-rec f ((n Int)) Int (ite (<= n 0) k (f (- n 1))))
        (assert (= (f 3) 5))";
    let parsed = smtlib::parse(&mut store, text);
    assert!(parsed.errors.is_empty());
    let instance = parsed.script.commands.iter().find_map(|c| match c {
        Command::Assert(t, _) => Some(*t),
        _ => None,
    });
    let hidden = hidden_symbols(&store, instance);
    let names: Vec<&str> = hidden.iter().map(|&f| store.name(store.func(f).name)).collect();
    assert!(names.contains(&"k") && names.contains(&"f"), "{names:?}");
}
