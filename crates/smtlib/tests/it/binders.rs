//! `let`, quantifiers, patterns and annotations: scopes, renaming, and the sharing that printing makes.

use crate::support::{self, check_after, check_refused};
use smtlib::{Binder, Command, Dialect, Kind, Op, Printer, SortId, Store, parse, parse_term};

const NAMES: &str = "(declare-const p Bool)(declare-const q Bool)(declare-const i Int)(declare-fun f (Int) Int)(declare-fun r (Int Int) Bool)";

fn check(input: &str, expect: &str) {
    check_after(NAMES, &format!("(assert {input})"), &format!("(assert {expect})"));
}

fn refused(term: &str, expect: &str) {
    check_refused(&format!("{NAMES}\n(assert {term})"), expect);
}

#[test]
fn lets_are_parallel_and_shadow() {
    check("(let ((x p)) x)", "p");
    check("(let ((p q) (q p)) (and p (not q)))", "(and q (not p))");
    check("(let ((x p)) (let ((x (not x))) x))", "(not p)");
    check("(let ((x p)) (and (let ((x q)) x) x))", "(and q p)");
    check("(let ((and p)) (or and q))", "(or p q)");
    refused(
        "(let ((and p)) (and and q))",
        "2:25: `@` cannot take (Bool Bool): expected a map `(-> A B)` and a term of its sort A",
    );
    check("(let ((i true)) i)", "true");
    // A `let` variable is not captured by a binder inside.
    check("(let ((y i)) (forall ((i Int)) (r y i)))", "(forall ((i!1 Int)) (r i i!1))");
    refused("(let ((x p) (y x)) y)", "2:24: unknown symbol `x` | declare it before its first use");
    refused("(and (let ((x p)) x) x)", "2:30: unknown symbol `x` | declare it before its first use");
    refused("(let () p)", "2:15: unexpected `)` | expected a binding (x t)");
    refused("(let ((x p y)) p)", "2:20: unexpected `y` | expected `)` after the binding");
}

#[test]
fn quantifiers_bind_and_are_renamed_apart() {
    check("(forall ((x Int) (y Int)) (r x y))", "(forall ((x Int) (y Int)) (r x y))");
    check("(exists ((i Int)) (r i i))", "(exists ((i Int)) (r i i))");
    check("(forall ((x Int)) (exists ((x Int)) (r x x)))", "(forall ((x Int)) (exists ((x Int)) (r x x)))");
    check(
        "(and (forall ((x Int)) (r x x)) (forall ((x Int)) (r x i)))",
        "(and (forall ((x Int)) (r x x)) (forall ((x Int)) (r x i)))",
    );
    check(
        "(forall ((x Int)) (and (forall ((x Bool)) x) (r x x)))",
        "(forall ((x Int)) (and (forall ((x Bool)) x) (r x x)))",
    );
    check("(forall ((and Bool)) (or and p))", "(forall ((and Bool)) (or and p))");
    check("(forall ((|a b| Int)) (r |a b| 0))", "(forall ((|a b| Int)) (r |a b| 0))");
    refused("(forall () p)", "2:10: a binder without variables | expected ((x S) …)");
    refused("(forall ((x Int)) x)", "2:10: the body of a quantifier must be Bool, this is Int");
    refused("(and (forall ((x Int)) p) (r x 0))", "2:38: unknown symbol `x` | declare it before its first use");
}

/// A bug about names bound again was gone once its text was read and printed.
#[test]
fn variables_keep_their_own_names_where_these_capture_nothing() {
    let same = |term: &str| check(term, term);
    same("(and (= i 0) (exists ((i Int) (p Int)) (r i p)) p)");
    same("(forall ((i Int)) (and (exists ((i Bool) (f Int)) (and i (= f 0))) (r i (f i))))");
    same("(exists ((select Bool)) (forall ((r Int)) (= select (= r 0))))");
    same("(exists ((Int Bool)) (forall ((Int Int)) (= Int 0)))");
    // A `let` is read as what it stands for, of which the variable is kept apart.
    check(
        "(exists ((x Int)) (let ((y x)) (exists ((x Int)) (r x y))))",
        "(exists ((x Int)) (exists ((x!1 Int)) (r x!1 x)))",
    );
    check("(let ((y (f i))) (exists ((f Int)) (r f y)))", "(exists ((f!1 Int)) (r f!1 (f i)))");
    check(
        "(exists ((i Int)) (let ((y i)) (exists ((i Int)) (and (r i y) (exists ((i Int)) (r i i))))))",
        "(exists ((i!1 Int)) (exists ((i!2 Int)) (and (r i!2 i!1) (exists ((i Int)) (r i i)))))",
    );
    check(
        "(and (let ((y i)) (exists ((i Int)) (r i y))) (exists ((i Int)) (r i 0)))",
        "(and (exists ((i!1 Int)) (r i!1 i)) (exists ((i!1 Int)) (r i!1 0)))",
    );
}

/// The names of repeated terms are none of the text, of which `let` variables are no part any more.
#[test]
fn names_of_repeated_terms_are_none_of_variables() {
    let mut store = Store::new();
    let text = "(let (($e1 p)) (exists (($e1 Int)) (and (r (f (f $e1)) i) (r (f (f i)) (f (f i))))))";
    let script = parse(&mut store, &format!("{NAMES}(assert {text})")).script;
    let Some(Command::Assert(term, _)) = script.commands.last() else { panic!("{text}") };
    let expect = "(let (($e!1 (f (f i)))) (exists (($e1!1 Int)) (and (r (f (f $e1!1)) i) (r $e!1 $e!1))))";
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

#[test]
fn patterns_and_annotations() {
    check(
        "(forall ((x Int)) (! (r x 0) :pattern ((f x)) :pattern ((r 0 x) (r 1 x)) :no-pattern (f 0) :weight 3 :qid |a b|))",
        "(forall ((x Int)) (! (r x 0) :pattern ((f x)) :pattern ((r 0 x) (r 1 x)) :no-pattern (f 0) :qid |a b| :weight 3))",
    );
    // Through the `let` around them, the patterns are the quantifier's still.
    check(
        "(forall ((x Int)) (let ((y (f (f x)))) (! (r y y) :pattern (y))))",
        "(forall ((x Int)) (! (let (($e1 (f (f x)))) (r $e1 $e1)) :pattern ((f (f x)))))",
    );
    // Two annotations one in the other are one.
    check(
        "(forall ((x Int)) (! (! (r x 0) :pattern ((f x))) :qid k))",
        "(forall ((x Int)) (! (r x 0) :pattern ((f x)) :qid k))",
    );
    // One solver drops an assertion with a pattern under a `let`, so that none is printed there; in patterns it may stand.
    check(
        "(forall ((x Int)) (! (r (f x) (f x)) :pattern ((r (f x) (f x)))))",
        "(forall ((x Int)) (! (let (($e1 (f x))) (r $e1 $e1)) :pattern ((let (($e2 (f x))) (r $e2 $e2)))))",
    );
    check(
        "(forall ((x Int)) (! (r (f x) (f x)) :pattern ((ite (forall ((y Int)) (r x y)) (f x) 0))))",
        "(forall ((x Int)) (let (($e1 (f x))) (! (r $e1 $e1) :pattern ((ite (forall ((y Int)) (r x y)) $e1 0)))))",
    );
    check("(! p :unknown (a (b)) :flag :other 1)", "p");
    check("(and (! p :lblpos x) (! q :named n))", "(and p q)");
    refused("(forall ((x Int)) (! (r x 0) :pattern ()))", "2:48: unexpected `)` | expected a term");
    refused("(! p :named)", "2:20: unexpected `)` | expected a name");
    refused("(! p named)", "2:14: unexpected `named` | expected an attribute or `)`");
}

#[test]
fn repeated_terms_are_bound_where_they_belong() {
    check("(and (r (f i) 0) (r (f i) 1))", "(let (($e1 (f i))) (and (r $e1 0) (r $e1 1)))");
    check(
        "(and (r (f (f i)) (f i)) (r (f (f i)) (f i)))",
        "(let (($e1 (f i))) (let (($e2 (r (f $e1) $e1))) (and $e2 $e2)))",
    );
    // Terms with a bound variable stay under their binder; those without go to the front.
    check(
        "(forall ((x Int)) (and (r (f x) (f i)) (r (f i) (f x))))",
        "(let (($e2 (f i))) (forall ((x Int)) (let (($e1 (f x))) (and (r $e1 $e2) (r $e2 $e1)))))",
    );
    check(
        "(forall ((x Int)) (exists ((y Int)) (and (r (f x) (f y)) (r (f y) (f x)))))",
        "(forall ((x Int)) (let (($e1 (f x))) (exists ((y Int)) (let (($e2 (f y))) (and (r $e1 $e2) (r $e2 $e1))))))",
    );
    // One term under two binders of the same variable is bound in each.
    check(
        "(or (forall ((x Int)) (and (r (f x) 0) (r (f x) 1))) (exists ((x Int)) (and (r (f x) 2) (r (f x) 3))))",
        "(or (forall ((x Int)) (let (($e1 (f x))) (and (r $e1 0) (r $e1 1)))) (exists ((x Int)) (let (($e2 (f x))) (and (r $e2 2) (r $e2 3)))))",
    );
}

#[test]
fn names_of_shared_terms_avoid_the_users_names() {
    support::check(
        "(declare-const $e1 Int)(assert (= (+ $e1 1) (* (+ $e1 1) 2)))",
        "(declare-fun $e1 () Int)\n(assert (let (($e!1 (+ $e1 1))) (= $e!1 (* $e!1 2))))",
    );
    support::check(
        "(declare-const i Int)(assert (forall (($e7 Int)) (= (+ i 1) (* (+ i 1) $e7))))",
        "(declare-fun i () Int)\n(assert (let (($e!1 (+ i 1))) (forall (($e7 Int)) (= $e!1 (* $e!1 $e7)))))",
    );
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

#[test]
fn dialects() {
    let text = "(declare-datatypes ((L 1)) ((par (T) ((nil) (cons (hd T) (tl (L T)))))))\n(declare-const l (L Int))\n(declare-const s String)\
                (assert (and ((_ is nil) l) (str.in_re s ((_ re.loop 1 2) (str.to_re \"a\")))))";
    let (store, script) = support::read(text);
    let mut dialect = Dialect::default();
    (dialect.datatypes25, dialect.old_testers, dialect.indexed_loop) = (true, true, false);
    for (standard, old) in [("str.in_re", "str.in.re"), ("str.to_re", "str.to.re")] {
        dialect.rename(standard, old).expect("there is an operator of this name");
    }
    assert_eq!(dialect.rename("no-such", "x"), Err("no-such"));
    let mut out = String::new();
    Printer::new(&store, &dialect).script(&script, &mut out);
    assert_eq!(
        out,
        "(declare-datatypes (T) ((L (nil) (cons (hd T) (tl (L T))))))\n(declare-fun l () (L Int))\n(declare-fun s () String)\n\
         (assert (and (is-nil l) (str.in.re s (re.loop (str.to.re \"a\") 1 2))))\n"
    );
    let (again, read) = support::read(&out);
    assert_eq!(again.script_text(&read), store.script_text(&script));
}

/// One term is rendered for cvc5 and for z3, which has other names for its sort and its operators.
#[test]
fn sets_have_the_names_of_the_solver() {
    let text = "(declare-const s (Set Int))\n(declare-fun f ((Set Bool)) (Array Int (Set Int)))\n\
                (assert (set.member 1 (set.inter s (as set.empty (Set Int)))))\n\
                (assert (forall ((t (Set Bool))) (= (select (f t) 1) (set.minus s s))))";
    let (store, script) = support::read(text);
    let names = [
        ("Set", "FiniteSet"),
        ("set.inter", "set.intersect"),
        ("set.minus", "set.difference"),
        ("set.member", "set.in"),
    ];
    let mut out = String::new();
    Printer::new(&store, &Dialect::renamed(names)).script(&script, &mut out);
    assert_eq!(
        out,
        "(declare-fun s () (FiniteSet Int))\n(declare-fun f ((FiniteSet Bool)) (Array Int (FiniteSet Int)))\n\
         (assert (set.in 1 (set.intersect s (as set.empty (FiniteSet Int)))))\n\
         (assert (forall ((t (FiniteSet Bool))) (= (select (f t) 1) (set.difference s s))))\n"
    );
    let (again, read) = support::read(&out);
    assert_eq!(again.script_text(&read), store.script_text(&script));
}
