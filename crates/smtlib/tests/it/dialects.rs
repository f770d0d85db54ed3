//! Scripts in the spelling of another dialect: names of operators and sorts, old forms, and names of logics.

use crate::support;
use smtlib::{Dialect, Printer};

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

/// A solver that calls the application of a map by the name of an operator gets that name for symbols, too.
#[test]
fn application_of_maps_by_another_name() {
    let (store, script) = support::read("(declare-const h (-> Int Int))(assert (distinct (h 1) (@ (ite true h h) 2)))");
    let print = |renames: &[(&str, &str)]| {
        let mut out = String::new();
        let dialect = Dialect::renamed(renames.iter().copied());
        Printer::new(&store, &dialect).command(&script.commands[1], &mut out);
        out
    };
    assert_eq!(print(&[]), "(assert (distinct (h 1) (@ (ite true h h) 2)))");
    assert_eq!(print(&[("@", "select")]), "(assert (distinct (select h 1) (select (ite true h h) 2)))");
}

/// Cvc5 takes functions as values in logics of certain names only; other scripts keep theirs.
#[test]
fn logics_of_functions_as_values() {
    let print = |text: &str| {
        let (store, script) = support::read(text);
        let mut out = String::new();
        Printer::new(&store, &Dialect::renamed([("HO-Core", "HO_")])).script(&script, &mut out);
        out.lines().next().unwrap_or_default().to_string()
    };
    let h = "(declare-const h (-> Int Int))";
    assert_eq!(print(h), "(set-logic HO_ALL)");
    assert_eq!(print(&format!("(set-logic QF_UFLIA){h}")), "(set-logic HO_QF_UFLIA)");
    assert_eq!(print(&format!("(set-logic HO_ALL){h}")), "(set-logic HO_ALL)");
    assert_eq!(print("(declare-fun f (Int Bool) Int)(assert (= (f 1) (f 2)))"), "(set-logic HO_ALL)");
    assert_eq!(print("(set-logic ALL)(declare-fun f (Int) Int)(assert (= (f 1) 2))"), "(set-logic ALL)");
}
