//! Scopes of terms that are made in a store or read one by one. Those of whole texts are in `tests/read/binders.smt2`.

use smtlib::{Binder, Command, Dialect, Kind, Op, Printer, SortId, Store, parse, parse_term};

/// The names of repeated terms are none of the text, of which `let` variables are no part any more.
#[test]
fn names_of_repeated_terms_are_none_of_variables() {
    let mut store = Store::new();
    let names = "(declare-const p Bool)(declare-const i Int)(declare-fun f (Int) Int)(declare-fun r (Int Int) Bool)";
    let text = "(let (($e1 p)) (exists (($e1 Int)) (and (r (f (f $e1)) i) (r (f (f i)) (f (f i))))))";
    let script = parse(&mut store, &format!("{names}(assert {text})")).script;
    let Some(Command::Assert(term, _)) = script.commands.last() else { panic!("{text}") };
    let expect = "(let (($e!1 (f (f i)))) (exists (($e1 Int)) (and (r (f (f $e1)) i) (r $e!1 $e!1))))";
    assert_eq!(store.term_text(*term), expect);
}

/// What is put into a scope under which its name is bound again is not captured.
#[test]
fn a_term_put_into_a_scope_keeps_its_meaning() {
    let mut store = Store::new();
    let text = "(declare-const p Bool)(assert (exists ((p Bool)) (not p)))(assert p)";
    let script = parse(&mut store, text).script;
    let [_, Command::Assert(quantified, _), Command::Assert(p, _)] = script.commands[..] else { panic!("{text}") };
    let (body, binder) = (store.args(quantified)[0], store.op(quantified).binder().expect("a binder"));
    let both = store.and(&[body, p]);
    let binder = store.binder(binder).clone();
    let whole = store.bind(Kind::Exists, binder, &[both]).expect("a quantifier");
    assert_eq!(store.term_text(whole), "(exists ((p!1 Bool)) (and (not p!1) p))");
    assert_eq!(store.term_text(quantified), "(exists ((p!1 Bool)) (not p!1))");
    assert_eq!(store.term_text(body), "(not p!1)");
}

/// A binder whose variable has the name of a function that a caller put under it: read from text, this cannot arise.
#[test]
fn binders_do_not_capture_functions_of_their_names() {
    let mut store = Store::new();
    let parsed = parse(&mut store, "(assert (forall ((x Int)) (> x 0)))(declare-const x Int)(assert (> x 0))");
    let [Command::Assert(forall, _), _, Command::Assert(global, _)] = parsed.script.commands[..] else {
        panic!("{:?}", parsed.errors)
    };
    // Apart, both keep their names.
    assert_eq!(store.term_text(forall), "(forall ((x Int)) (> x 0))");
    let body = store.args(forall)[0];
    let both = store.and(&[body, global]);
    let binder = store.binder(store.op(forall).binder().expect("it is a quantifier")).clone();
    let term = store.bind(Kind::Forall, binder, &[both]).expect("it is Bool");
    let text = store.term_text(term);
    assert_eq!(text, "(forall ((x! Int)) (and (> x! 0) (> x 0)))");
    let mut scope = smtlib::Scope::new(&store);
    assert!(smtlib::parse_commands(&mut store, &mut scope, "(declare-const x Int)").errors.is_empty());
    let again = parse_term(&mut store, &mut scope, &text).expect("it is well-formed");
    assert_eq!(store.term_text(again), text);
    // Operators are functions, too: `(forall ((abs Int)) (> (abs abs) 0))` would be no term.
    let (name, variable) = store.named_variable("abs", SortId::INT);
    let abs = store.app(Op::new(Kind::IntAbs), &[variable]).expect("it is Int");
    let eq = store.eq(abs, variable).expect("both are Int");
    let binder =
        Binder { vars: [(name, SortId::INT)].into(), patterns: [].into(), no_patterns: 0, qid: None, weight: None };
    let term = store.bind(Kind::Exists, binder, &[eq]).expect("it is Bool");
    assert_eq!(store.term_text(term), "(exists ((abs! Int)) (= (abs abs!) abs!))");
    // And so they are in another dialect's spelling.
    let mut dialect = Dialect::default();
    dialect.rename("abs", "absolute").expect("there is an operator of this name");
    let mut out = String::new();
    Printer::new(&store, &dialect).term(term, &mut out);
    assert_eq!(out, "(exists ((abs Int)) (= (absolute abs) abs))");
}

/// What a refused text bound on the way is unbound.
#[test]
fn a_refused_term_binds_nothing() {
    let mut store = Store::new();
    let mut scope = smtlib::Scope::new(&store);
    for _ in 0..2 {
        let error = parse_term(&mut store, &mut scope, "(let ((v true)) (exists ((u Int)) (= v u)))");
        assert!(error.is_err_and(|e| e.message.starts_with("`=` cannot take")));
        let error = parse_term(&mut store, &mut scope, "v");
        assert_eq!(error.map_err(|e| e.message), Err("unknown symbol `v`".to_string()));
    }
}
