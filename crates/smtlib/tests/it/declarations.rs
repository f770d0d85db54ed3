//! Sorts, functions, definitions and datatypes of every shape.

use crate::support::{check, check_after, check_refused};
use smtlib::{Command, Store, parse};

#[test]
fn declared_and_defined_sorts() {
    check(
        "(declare-sort U 0)(declare-sort P 2)(declare-const a (P U Int))(declare-const b (P (P U U) (Array U Bool)))",
        "(declare-sort U 0)\n(declare-sort P 2)\n(declare-fun a () (P U Int))\n(declare-fun b () (P (P U U) (Array U Bool)))",
    );
    // Definitions are expanded where they are used; inside their own bodies parameters stand for themselves.
    check(
        "(define-sort M (K) (Array K Int))(define-sort N (K) (M (M K)))(declare-const x (N Bool))",
        "(define-sort M (K) (Array K Int))\n(define-sort N (K) (Array (Array K Int) Int))\n(declare-fun x () (Array (Array Bool Int) Int))",
    );
    check(
        "(declare-sort |a sort| 0)(declare-const x |a sort|)",
        "(declare-sort |a sort| 0)\n(declare-fun x () |a sort|)",
    );
    check_refused("(declare-sort P 2)(declare-const x (P Int))", "1:37: this sort is given 1 arguments | expected 2");
    check_refused("(declare-const x (Int Int))", "1:19: this sort is given 1 arguments | expected none");
    check_refused(
        "(define-sort M (K) (Array K Int))(declare-const x M)",
        "1:51: this sort is given 0 arguments | expected 1",
    );
    check_refused(
        "(define-sort M (K) K)(declare-const x K)",
        "1:39: unknown sort `K` | declare it before its first use: (declare-sort S 0)",
    );
}

#[test]
fn functions() {
    let f = "(declare-fun f (Int Bool) Int)";
    check_after(f, "(assert (= (f 1 true) 2))", "(assert (= (f 1 true) 2))");
    check_refused(&format!("{f}(assert (= (f 1) 2))"), "1:40: `=` cannot take ((-> Bool Int) Int): expected (A A …)");
    check_refused(
        &format!("{f}(assert (= f 2))"),
        "1:40: `=` cannot take ((-> Int (-> Bool Int)) Int): expected (A A …)",
    );
    check_refused(
        "(declare-const c Int)(assert (= (c) 1))",
        "1:34: a constant in its own parentheses | write it without: only what takes arguments is applied",
    );
    check_refused("(declare-const c Int)(assert (= (c 2) 1))", "1:34: `c` cannot take (Int): expected ()");
    // Names that need bars, and names that look as if they did.
    check(
        "(declare-const |a b| Int)(declare-const |c| Int)(declare-const |1| Int)(declare-const |let| Int)(declare-const || Int)(assert (= |a b| |c| |1| |let| ||))",
        "(declare-fun |a b| () Int)\n(declare-fun c () Int)\n(declare-fun |1| () Int)\n(declare-fun |let| () Int)\n(declare-fun || () Int)\n(assert (= |a b| c |1| |let| ||))",
    );
    // A logic without a theory leaves its names free.
    check(
        "(declare-fun bvadd (Int) Int)(assert (= (bvadd 1) 2))",
        "(declare-fun bvadd (Int) Int)\n(assert (= (bvadd 1) 2))",
    );
    check("(declare-const - Int)(assert (= (- -) -))", "(declare-fun - () Int)\n(assert (= (- -) -))");
}

#[test]
fn definitions() {
    check("(define-fun f ((x Int)) Real x)", "(define-fun f ((x Int)) Real (to_real x))");
    check(
        "(declare-const x Int)(define-fun f ((x Int)) Int (+ x 1))(assert (= (f x) x))",
        "(declare-fun x () Int)\n(define-fun f ((x Int)) Int (+ x 1))\n(assert (= (f x) x))",
    );
    check(
        "(define-fun-rec f ((x Int)) Int (ite (= x 0) 0 (f (- x 1))))(assert (= (f 3) 0))",
        "(define-fun-rec f ((x Int)) Int (ite (= x 0) 0 (f (- x 1))))\n(assert (= (f 3) 0))",
    );
    let group = "(define-funs-rec ((f ((x Int)) Int)(g ((x Int) (b Bool)) Int)) ((g x true) (f x)))\n(assert (= (f 1) (g 2 false)))";
    check(group, group);
    // The same group again, as after a pop, is the same functions.
    let again = "(push 1)\n(define-fun-rec f ((x Int)) Int (f x))\n(pop 1)\n(define-fun-rec f ((x Int)) Int (f x))";
    check(again, again);
    check_refused("(define-fun f ((x Int)) Int (f x))", "1:30: unknown symbol `f` | declare it before its first use");
    check_refused("(define-fun f ((x Int)) Int y)", "1:29: unknown symbol `y` | declare it before its first use");
    check_refused(
        "(define-funs-rec ((f ((x Int)) Int)) (x x))",
        "1:41: unexpected `x` | expected `)` after the bodies",
    );
}

#[test]
fn datatypes() {
    let list = "(declare-datatypes ((List 1)) ((par (T) ((nil) (cons (hd T) (tl (List T)))))))";
    check(list, list);
    check("(declare-datatypes (T) ((List nil (cons (hd T) (tl List)))))", list);
    check("(declare-datatypes (T) ((List (nil) (cons (hd T) (tl (List T))))))", list);
    check("(declare-datatype List (par (T) ((nil) (cons (hd T) (tl (List T))))))", list);
    check("(declare-datatypes () ((C r g (b (n Int)))))", "(declare-datatypes ((C 0)) (((r) (g) (b (n Int)))))");
    check(
        "(declare-datatypes ((A 0) (B 0)) (((a (b B)) (e)) ((c (d A)))))",
        "(declare-datatypes ((A 0) (B 0)) (((a (b B)) (e)) ((c (d A)))))",
    );
    let with = |values: &str, input: &str, expect: &str| check_after(&format!("{list}{values}"), input, expect);
    with(
        "(declare-const l (List Int))",
        "(assert (= l (cons 1 (cons 2 (as nil (List Int))))))",
        "(assert (= l (cons 1 (cons 2 (as nil (List Int))))))",
    );
    with(
        "(declare-const l (List Int))",
        "(assert (and ((_ is cons) l) (is-nil (tl l)) (= (hd l) 1)))",
        "(assert (and ((_ is cons) l) ((_ is nil) (tl l)) (= (hd l) 1)))",
    );
    with(
        "(declare-const l (List Int))",
        "(assert (= l ((_ update hd) l 3) ((_ update-field hd) l 3)))",
        "(assert (let (($e1 ((_ update hd) l 3))) (= l $e1 $e1)))",
    );
    with(
        "(declare-const l (List Int))",
        "(assert ((_ is (cons (Int (List Int)) (List Int))) l))",
        "(assert ((_ is cons) l))",
    );
    // A tester is one also where its indexed name's plain form is declared.
    with(
        "(declare-fun is (Int) Bool)(declare-const l (List Int))",
        "(assert ((_ is nil) l))",
        "(assert ((_ is nil) l))",
    );
    check_refused(
        &format!("{list}(assert (= nil nil))"),
        "1:90: `nil` cannot take (): expected (and its sort given by `(as … SORT)`)",
    );
    check_refused(&format!("{list}(assert (= (hd 1) 1))"), "1:91: `selector` cannot take (Int): expected List");
    check_refused(&format!("{list}(assert ((_ is snoc) 1))"), "1:94: `snoc` is no constructor");
    check_refused(&format!("{list}(declare-const x List)"), "1:96: this sort is given 0 arguments | expected 1");
}

/// Datatypes that are the same are one in a store. Those of sequences and of sets of themselves were taken for the same: the second
/// was read as the first.
#[test]
fn datatypes_of_different_sorts_differ() {
    let text = "(push 1)\n(declare-datatypes ((D 0)) (((n) (c (f (Seq D))))))\n(pop 1)\n(push 1)\n\
                (declare-datatypes ((D 0)) (((n) (c (f (Set D))))))\n(declare-fun d () D)\n(assert (set.member d (f d)))\n(pop 1)";
    check(text, text);
}

#[test]
fn polymorphic_recursion_is_no_endless_sort() {
    let nest =
        "(declare-datatypes ((N 1)) ((par (A) ((end) (more (x A) (rest (N (Array A A))))))))(declare-const n (N Int))";
    check_after(nest, "(assert ((_ is end) (rest (rest n))))", "(assert ((_ is end) (rest (rest n))))");
}

#[test]
fn matches() {
    let list = "(declare-datatypes ((List 1)) ((par (T) ((nil) (cons (hd T) (tl (List T)))))))(declare-const l (List Int))(declare-const y Int)";
    let check =
        |input: &str, expect: &str| check_after(list, &format!("(assert {input})"), &format!("(assert {expect})"));
    check("(match l ((nil true) ((cons h t) (> h 0))))", "(match l ((nil true) ((cons h t) (> h 0))))");
    check("(match l (((cons h _) (> h 0)) (_ false)))", "(match l (((cons h _) (> h 0)) (_ false)))");
    check("(match l ((nil true) (other (= other l))))", "(match l ((nil true) (other (= other l))))");
    // Case variables shadow globals, selectors and each other in nested matches.
    check(
        "(match l ((nil true) ((cons y hd) (match hd ((nil (= y 1)) ((cons y hd) (= y 2)))))))",
        "(match l ((nil true) ((cons y hd) (match hd ((nil (= y 1)) ((cons y hd) (= y 2)))))))",
    );
    check(
        "(match l ((nil (> y 0)) ((cons h t) (= (+ h y) (+ h y) (* (+ h y) y)))))",
        "(match l ((nil (> y 0)) ((cons h t) (let (($e1 (+ h y))) (= $e1 $e1 (* $e1 y))))))",
    );
    check(
        "(match (tl l) ((nil (match l ((nil true) (_ false)))) ((cons a b) (= b l))))",
        "(match (tl l) ((nil (match l ((nil true) (_ false)))) ((cons a b) (= b l))))",
    );
    let refused = |term: &str, expect: &str| check_refused(&format!("{list}\n(assert {term})"), expect);
    refused("(match l ((nil true)))", "2:10: no case for the constructor `cons`");
    refused("(match l ((nil true) ((cons h) true)))", "2:32: a pattern with 1 variables | expected 2");
    refused("(match y ((nil true)))", "2:10: `match` on a term of sort Int | expected a datatype");
    refused(
        "(match l ((nil true) ((cons h t) h)))",
        "2:10: the cases of a match must be of one sort, these are (Bool Int)",
    );
    refused("(match l ((nil true) ((snoc h t) true)))", "2:32: not a constructor of List");
}

#[test]
fn sort_parameters() {
    let text = "(declare-sort-parameter A)\n(declare-sort List 1)\n(declare-fun empty () (List A))\n(declare-fun hd ((List A)) A)\n\
                (declare-fun l () (List Int))\n(assert (= (hd l) 1))\n(assert (= l (as empty (List Int))))";
    check(text, text);
    // A law for all sorts.
    let law = "(declare-sort-parameter A)\n(declare-fun id (A) A)\n(assert (forall ((x A)) (= (id x) x)))\n(assert (= (id true) (= (id 1) 1)))";
    check(law, law);
    check_refused(
        "(declare-sort-parameter A)(declare-fun e () (Array A Int))(assert (= e e))",
        "1:70: `e` cannot take (): expected ()",
    );
}

/// Functions as values, in each of their spellings; the theory HO-Core calls application `@`.
#[test]
fn higher_order() {
    let h = "(declare-fun h () (-> Int (-> Bool Real)))\n";
    let with_h =
        |input: &str, expect: &str| check_after(h, &format!("(assert {input})"), &format!("(assert {expect})"));
    for input in [
        "(h 1 true)",
        "(@ h 1 true)",
        "(_ h 1 true)",
        "((h 1) true)",
        "((_ h 1) true)",
        "(@ (_ h 1) true)",
        "((@ h 1) true)",
    ] {
        with_h(&format!("(= {input} 0.0)"), "(= (@ (h 1) true) 0.0)");
    }
    with_h("(= (h 1) (h 2))", "(= (h 1) (h 2))");
    with_h("(let ((g (h 1))) (= (g true) (g false)))", "(let (($e1 (h 1))) (= (@ $e1 true) (@ $e1 false)))");
    with_h("(exists ((f (-> Int Int))) (distinct (f 1) (f 2)))", "(exists ((f (-> Int Int))) (distinct (f 1) (f 2)))");
    with_h("(= ((ite true h h) 1) (h 2))", "(= (@ (ite true h h) 1) (h 2))");
    // A function symbol on fewer arguments than it takes is a map, and on all of them an application like any other.
    let f = "(declare-fun f (Int Bool) Real)\n";
    let with_f =
        |input: &str, expect: &str| check_after(f, &format!("(assert {input})"), &format!("(assert {expect})"));
    with_f("(= (f 1) (@ f 2) (_ f 3))", "(= (f 1) (f 2) (f 3))");
    with_f("(= ((f 1) true) (f 1 true) (_ f 1 true))", "(let (($e1 (f 1 true))) (= (@ (f 1) true) $e1 $e1))");
    check_after(
        "(declare-fun g (Int) (-> Int Int))",
        "(assert (= (g 1 2) ((g 1) 2) 3))",
        "(assert (let (($e1 (@ (g 1) 2))) (= $e1 $e1 3)))",
    );
    check_after("(declare-fun r () (-> Real Int))", "(assert (= (r 1) 2))", "(assert (= (r 1.0) 2))");
    check(
        "(declare-const g (-> Int Int))(assert (= g (lambda ((x Int)) (+ x 1))))",
        "(declare-fun g () (-> Int Int))\n(assert (= g (lambda ((x Int)) (+ x 1))))",
    );
    check(
        "(assert (= ((lambda ((x Int) (y Int)) (+ x y)) 1 2) 3))",
        "(assert (= (@ (@ (lambda ((x Int) (y Int)) (+ x y)) 1) 2) 3))",
    );
    // Maps are arrays in z3.
    check_after(
        "(declare-fun g () (-> Int Int))",
        "(assert (= g (store (store ((as const (-> Int Int)) 4) 1 3) 2 (select g 0))))",
        "(assert (= g (lambda ((x!map Int)) (ite (= x!map 2) (g 0) (ite (= x!map 1) 3 4)))))",
    );
    check_after(
        "(declare-fun g () (-> Int Int))",
        "(assert (forall ((x!map Int)) (= g (store g x!map 1))))",
        "(assert (forall ((x!map Int)) (= g (lambda ((x!map!1 Int)) (ite (= x!map!1 x!map) 1 (g x!map!1))))))",
    );
    // A declared `@` is what it is declared to be.
    check("(declare-fun @ (Int) Int)(assert (= (@ 1) 2))", "(declare-fun @ (Int) Int)\n(assert (= (@ 1) 2))");
    check_refused(
        "(declare-const g (-> Int Int))(assert (= (_ g true) 1))",
        "1:43: `@` cannot take ((-> Int Int) Bool): expected a map `(-> A B)` and a term of its sort A",
    );
    check_refused(
        "(assert (= ((+ 1 2) 3) 1))",
        "1:13: `@` cannot take (Int Int): expected a map `(-> A B)` and a term of its sort A",
    );
    check_refused("(declare-fun f (Int) Int)(assert (= (@ f) f))", "1:38: `@` needs a map and its arguments");
    check_refused("(declare-const g (-> Int))", "1:19: this sort is given 1 arguments | expected two or more");
}

/// A solver that calls the application of a map by the name of an operator gets that name for symbols, too.
#[test]
fn application_of_maps_by_another_name() {
    let (store, script) =
        crate::support::read("(declare-const h (-> Int Int))(assert (distinct (h 1) (@ (ite true h h) 2)))");
    let print = |renames: &[(&str, &str)]| {
        let mut out = String::new();
        let dialect = smtlib::Dialect::renamed(renames.iter().copied());
        smtlib::Printer::new(&store, &dialect).command(&script.commands[1], &mut out);
        out
    };
    assert_eq!(print(&[]), "(assert (distinct (h 1) (@ (ite true h h) 2)))");
    assert_eq!(print(&[("@", "select")]), "(assert (distinct (select h 1) (select (ite true h h) 2)))");
}

/// Cvc5 takes functions as values in logics of certain names only; other scripts keep theirs.
#[test]
fn logics_of_functions_as_values() {
    let print = |text: &str| {
        let (store, script) = crate::support::read(text);
        let mut out = String::new();
        smtlib::Printer::new(&store, &smtlib::Dialect::renamed([("HO-Core", "HO_")])).script(&script, &mut out);
        out.lines().next().unwrap_or_default().to_string()
    };
    let h = "(declare-const h (-> Int Int))";
    assert_eq!(print(h), "(set-logic HO_ALL)");
    assert_eq!(print(&format!("(set-logic QF_UFLIA){h}")), "(set-logic HO_QF_UFLIA)");
    assert_eq!(print(&format!("(set-logic HO_ALL){h}")), "(set-logic HO_ALL)");
    assert_eq!(print("(declare-fun f (Int Bool) Int)(assert (= (f 1) (f 2)))"), "(set-logic HO_ALL)");
    assert_eq!(print("(set-logic ALL)(declare-fun f (Int) Int)(assert (= (f 1) 2))"), "(set-logic ALL)");
}

/// By the standard each symbol is declared once. Z3 and cvc5 take a name again for another rank, and so do files that people reduce.
#[test]
fn names_of_several_meanings() {
    let f = "(declare-fun f (Int) Int)\n(declare-fun f (Bool) Int)\n";
    check_after(f, "(assert (distinct (f 1) (f true)))", "(assert (distinct (f 1) (f true)))");
    check_refused(
        &format!("{f}(assert (= (f \"a\") 1))"),
        "3:13: no meaning of this name takes (String) | it is declared several times, for other arguments",
    );
    check_refused(
        &format!("{f}(declare-fun f (Bool) Int)"),
        "3:14: `f` is already declared | choose another name, or (pop) or (reset) first",
    );
    check_refused(
        &format!("{f}(assert (= f f))"),
        "3:12: `f` has several meanings here | choose by the sort: (as f SORT)",
    );
    // As they are before they are made real.
    let real = "(declare-fun f (Real) Int)\n(declare-fun f (Bool) Int)\n";
    check_after(real, "(assert (= (f 1) 1))", "(assert (= (f 1.0) 1))");
    check_after(
        "(declare-fun f (Real) Int)\n(declare-fun f (Int) Int)\n",
        "(assert (= (f 1) (f 1.0)))",
        "(assert (= (f 1) (f 1.0)))",
    );
    // By their results.
    let by_result = "(declare-fun f (Int) Int)\n(declare-fun f (Int) Bool)\n";
    check_after(by_result, "(assert ((as f Bool) 1))", "(assert ((as f Bool) 1))");
    check_refused(
        &format!("{by_result}(assert (f 1))"),
        "3:10: an ambiguous name on (Int) | choose by the result: (as NAME SORT)",
    );
    let constants = "(declare-fun c () Int)\n(declare-fun c () Bool)\n";
    check_after(constants, "(assert (= (as c Bool) (= (as c Int) 1)))", "(assert (= (as c Bool) (= (as c Int) 1)))");
    check_refused(
        &format!("{constants}(assert c)"),
        "3:9: `c` has several meanings here | choose by the sort: (as c SORT)",
    );
    check_after(
        "(define-fun f ((x Int)) Int x)\n(define-fun f ((x Bool)) Int 3)\n",
        "(assert (= (f 3) (f true)))",
        "(assert (= (f 3) (f true)))",
    );
    let levels = "(declare-fun f (Int) Int)\n(push 1)\n(declare-fun f (Bool) Int)\n(assert (= (f 1) (f true)))\n(pop 1)\n(assert (= (f 1) 1))";
    check(levels, levels);
    check_refused(&format!("{levels}(assert (= (f true) 1))"), "6:33: `f` cannot take (Bool): expected (Int)");
    // A name that stands for a term is no function.
    check_refused(
        "(assert (! true :named f))(declare-fun f (Int) Int)",
        "1:40: `f` is already declared | choose another name, or (pop) or (reset) first",
    );
}

/// Datatypes that share names.
#[test]
fn datatypes_that_share_names() {
    let selectors = "(declare-datatypes ((A 0)) (((a (s Int)))))\n(declare-datatypes ((B 0)) (((b (s Bool)))))\n(declare-fun x () A)\n(declare-fun y () B)\n";
    check_after(selectors, "(assert (= (= (s x) 1) (s y)))", "(assert (= (= (s x) 1) (s y)))");
    check_after(selectors, "(assert (= y ((_ update s) y true)))", "(assert (= y ((_ update s) y true)))");
    check_after(
        &format!("{selectors}(declare-fun s (Int) Int)\n"),
        "(assert (= (s x) (s 2)))",
        "(assert (= (s x) (s 2)))",
    );
    check_refused(
        &format!("{selectors}(declare-fun s (A) Int)"),
        "5:14: `s` is already declared | choose another name, or (pop) or (reset) first",
    );
    let group = "(declare-datatypes ((A 0) (B 0)) (((a (s Int))) ((b (s Bool)))))\n(declare-fun x () A)\n";
    check_after(group, "(assert (= (s x) 1))", "(assert (= (s x) 1))");
    let constructors = "(declare-datatypes ((A 0)) (((n) (c (s Int)))))\n(declare-datatypes ((B 0)) (((n) (c (t Int)))))\n(declare-fun x () A)\n(declare-fun y () B)\n";
    let with = |input: &str, expect: &str| {
        check_after(constructors, &format!("(assert {input})"), &format!("(assert {expect})"))
    };
    with("(and (= x (as n A)) (= y ((as c B) 1)))", "(and (= x (as n A)) (= y ((as c B) 1)))");
    with("(and (is-n x) ((_ is c) y))", "(and ((_ is (n () A)) x) ((_ is (c (Int) B)) y))");
    with("(match y ((n true) ((c z) (= z 1))))", "(match y ((n true) ((c z) (= z 1))))");
    check_refused(
        &format!("{constructors}(assert (= x n))"),
        "5:14: `n` has several meanings here | choose by the sort: (as n SORT)",
    );
    check_refused(
        &format!("{constructors}(assert (= x (c 1)))"),
        "5:15: an ambiguous name on (Int) | choose by the result: (as NAME SORT)",
    );
    // Fields distinguish constructors.
    check_after(
        "(declare-datatypes ((A 0)) (((c (s Int)))))\n(declare-datatypes ((B 0)) (((c (t Bool)))))\n(declare-fun x () A)\n",
        "(assert (= x (c 1)))",
        "(assert (= x (c 1)))",
    );
    check_refused("(declare-datatype A ((a (s Int)) (b (s Int))))", "1:38: `s` is declared twice in this datatype");
}

/// Two declarations in one store are one datatype only where all of their fields are of the same sorts.
#[test]
fn datatypes_over_sequences_of_themselves_and_over_sets_differ() {
    let mut store = Store::new();
    let mut declared = |field: &str| {
        let parsed = parse(&mut store, &format!("(declare-datatype D ((n) (c (f {field}))))(declare-const x D)"));
        assert_eq!(parsed.errors, []);
        match parsed.script.commands.last() {
            Some(Command::DeclareFun(f)) => store.func(*f).result,
            other => panic!("{other:?}"),
        }
    };
    let sorts = ["(Seq D)", "(Set D)", "(Array Int D)", "D"].map(&mut declared);
    for (n, one) in sorts.iter().enumerate() {
        assert!(!sorts[..n].contains(one), "{sorts:?}");
    }
    assert_eq!(sorts, ["(Seq D)", "(Set D)", "(Array Int D)", "D"].map(declared));
}
