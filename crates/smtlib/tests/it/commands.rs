//! All commands of SMT-LIB 2.6 and 2.7, and the extensions that files hold: what they print as, and how they are refused.

use crate::support::{self, check, check_refused, read};

#[test]
fn standard_commands() {
    for text in [
        "(set-logic QF_LIA)",
        "(set-option :produce-models true)",
        "(set-option :smt.string_solver z3str3)",
        "(set-info :source |two\n lines|)",
        "(set-info :empty)",
        "(declare-sort U 0)",
        "(declare-sort P 3)",
        "(declare-sort-parameter A)",
        "(define-sort V () (_ BitVec 7))",
        "(define-sort M (K E) (Array K (Array Int E)))",
        "(declare-fun f (Int Real) Bool)",
        "(define-fun f ((x Int) (y Int)) Bool (< x y))",
        "(define-fun c () Int 3)",
        "(define-fun-rec f ((x Int)) Int (f (- x 1)))",
        "(define-funs-rec ((f ((x Int)) Int)(g ((x Int)) Int)) ((g x) (f x)))",
        "(assert true)",
        "(assert (! true :named t))",
        "(check-sat)",
        "(check-sat-assuming (true (not false)))",
        "(check-sat-assuming ())",
        "(push 2)\n(pop 1)",
        "(reset)",
        "(reset-assertions)",
        "(get-model)",
        "(get-value (1 true))",
        "(get-assertions)",
        "(get-assignment)",
        "(get-info :version)",
        "(get-option :produce-models)",
        "(get-proof)",
        "(get-unsat-core)",
        "(get-unsat-assumptions)",
        "(echo \"say \"\"hello\"\"\")",
        "(echo \"no escape: \\u{41} \\x é\")",
        "(exit)",
    ] {
        check(text, text);
    }
}

#[test]
fn other_spellings_print_in_the_standard_one() {
    check("(declare-const x Int)", "(declare-fun x () Int)");
    check("(define-const x Int 3)", "(define-fun x () Int 3)");
    check("(push)(pop)", "(push 1)\n(pop 1)");
    check("(declare-sort U)", "(declare-sort U 0)");
    check("(declare-datatype C ((r) (g)))", "(declare-datatypes ((C 0)) (((r) (g))))");
    check("(define-funs-rec ((f ((x Int)) Int)) (x))", "(define-fun-rec f ((x Int)) Int x)");
    check("(check-sat true)", "(check-sat-assuming (true))");
    check("; nothing\n (check-sat) ; more", "(check-sat)");
    check("( get-info ; (x)\n  :name )", "(get-info :name)");
}

#[test]
fn extensions_are_carried_as_text() {
    for text in [
        "(check-sat-using smt)",
        "(check-sat-using (then simplify (using-params smt :timeout 5)))",
        "(minimize (+ x 1))",
        "(assert-soft p :weight 2)",
        "(declare-rel r (Int))",
        "(rule (=> (a) (b)))",
        "(query (r 1))",
        "(eval (+ 1 1))",
        "(simplify (and p true))",
        "(synth-fun f ((x Int)) Int)",
        "(block-model :literals)",
        "(get-interpolant A (> x 0))",
        "(apply simplify)",
    ] {
        check(text, text);
    }
}

#[test]
fn terms_of_other_theories_are_carried_as_text() {
    let text = "(declare-fun s () (Nullable Int))\n(declare-fun t () (Nullable Int))\n(declare-fun k () (_ FiniteField 7))\n\
                (assert (= (nullable.val s) 3))\n(assert (nullable.is_some t))\n(assert (! (nullable.is_null s) :named inner))\n\
                (assert inner)\n(define-fun g ((x (Nullable Int))) Int (nullable.val x))\n(assert (= (g s) 1))\n(assert (= s s))";
    check(text, text);
    // A name that only such a command declares makes the commands that use it text, too.
    let text = "(declare-codatatypes ((S 0)) (((cons (hd Int) (tl S)))))\n(declare-fun x () S)\n(assert (= (hd x) 1))";
    check(text, text);
}

#[test]
fn mistakes_in_commands() {
    check_refused("(check-sta)", "1:2: unknown command `check-sta` | did you mean `check-sat`?");
    check_refused(
        "(frobnicate)",
        "1:2: unknown command `frobnicate` | expected a command such as (assert …) or (check-sat)",
    );
    check_refused("check-sat", "1:1: unexpected `check-sat` | expected a command, which begins with `(`");
    check_refused("(check-sat))", "1:12: unexpected `)` | expected a command; there is one `)` too many");
    check_refused("(assert true", "1:13: the text ends here | expected `)` after the command");
    check_refused("(assert true false)", "1:14: unexpected `false` | expected `)` after the command");
    check_refused("(assert)", "1:8: unexpected `)` | expected a term");
    check_refused("(assert 1)", "1:9: this term is of sort Int | expected Bool");
    check_refused(
        "(declare-const x Foo)",
        "1:18: unknown sort `Foo` | declare it before its first use: (declare-sort S 0)",
    );
    check_refused("(declare-const x Boool)", "1:18: unknown sort `Boool` | did you mean `Bool`?");
    check_refused("(declare-const 1 Int)", "1:16: unexpected `1` | expected the name of the constant");
    check_refused(
        "(declare-const let Int)",
        "1:16: `let` is a reserved word | expected the name of the constant; in bars it would be a name: |let|",
    );
    check_refused(
        "(declare-const x Int)\n(declare-fun x () Int)",
        "2:14: `x` is already declared | choose another name, or (pop) or (reset) first",
    );
    check_refused("(declare-sort Int 0)", "1:15: the sort `Int` is already declared");
    check_refused("(declare-const b (_ BitVec 0))", "1:28: a width of 0 | expected 1 to 16777216 bits");
    check_refused("(declare-const b BitVec)", "1:18: a bit-vector sort needs a width | write (_ BitVec 8)");
    check_refused(
        "(declare-const f (_ FloatingPoint 1 5))",
        "1:35: no floating-point sort has 1 and 5 bits | exponent and significand bits must each be more than 1",
    );
    check_refused(
        "(declare-const a (Array Int))",
        "1:19: this sort is given 1 arguments | expected an index sort and an element sort",
    );
    check_refused("(pop 1)", "1:6: pop of 1 levels, but fewer are open");
    check_refused("(define-fun f ((x Int)) Bool x)", "1:30: the body is of sort Int | expected Bool");
    check_refused("(set-option :random-seed abc)", "1:13: `:random-seed` cannot be `abc` | expected a numeral");
    check_refused("(set-option :verbosity)", "1:13: `:verbosity` without a value | expected a numeral");
    check_refused(
        "(set-option :global-declarations)",
        "1:13: `:global-declarations` without a value | expected true or false",
    );
    check_refused("(set-option :produce-models 1)", "1:13: `:produce-models` cannot be `1` | expected true or false");
    check("(set-option :smt.x)(set-option :random-seed 7)", "(set-option :smt.x)\n(set-option :random-seed 7)");
    check_refused("(set-info status sat)", "1:11: unexpected `status` | expected a keyword such as :status");
    check_refused("(echo hello)", "1:7: unexpected `hello` | expected a string");
    check_refused("(minimize (f x)", "1:1: this `(` is never closed | the text ends before its `)`");
    check_refused("(declare-datatype T ())", "1:21: a datatype without constructors");
    check_refused("(declare-datatypes ((T 0) (T 0)) (((a)) ((b))))", "1:28: `T` is declared twice here");
    check_refused(
        "(declare-datatypes ((T 1)) (((a))))",
        "1:22: an arity of 1 | its constructors have 0 sort parameters",
    );
    check_refused(
        "(declare-datatypes ((A 0) (B 0)) (((a (b B))) ((c (d A)) (e (f A)))))",
        "1:22: a datatype without a finite value | some constructor must not need a value of the datatype itself",
    );
    check_refused("(declare-datatype T ((a) (a)))", "1:27: `a` is declared twice in this datatype");
}

/// The standard's execution modes: a second logic once took the place of the first, which what was read before had relied on.
#[test]
fn the_logic_is_set_once() {
    let again = "the logic is set already | (reset) first, which forgets everything else, too";
    check_refused("(set-logic LRA)(set-logic LIA)", &format!("1:27: {again}"));
    check_refused("(set-logic LRA)\n(assert (= 1 1.0))\n(set-logic LIA)", &format!("3:12: {again}"));
    check_refused("(set-logic LRA)(reset-assertions)(set-logic LRA)", &format!("1:45: {again}"));
    let late = "the logic must be set before anything is asserted, checked or pushed";
    for text in ["(assert true)", "(push 1)", "(check-sat)", "(check-sat-assuming ())", "(assert (nullable.is_some s))"]
    {
        let column = text.len() + 12;
        check_refused(
            &format!("{text}(set-logic LIA)"),
            &format!("1:{column}: {late} | (reset) first, which forgets everything else, too"),
        );
    }
    read(
        "(declare-const x Int)(set-option :produce-models true)(set-logic LIA)(reset)(set-logic LRA)(assert (= 1 1.0))",
    );
    check_refused("(get-value ())", "1:13: unexpected `)` | expected a term");
    check_refused("(get-option)", "1:12: unexpected `)` | expected a keyword such as :status");
    check_refused("(get-unsat-core 1)", "1:17: unexpected `1` | expected `)` after the command");
}

#[test]
fn reading_goes_on_after_a_mistake() {
    let text = "(declare-const x Int)(assert (> y 0))(assert (> x 0)) ) (assert (= x \"a\"))(foo\n(check-sat)";
    let mut store = smtlib::Store::new();
    let parsed = smtlib::parse(&mut store, text);
    let kept = store.script_text(&parsed.script);
    assert_eq!(kept, "(declare-fun x () Int)\n(assert (> x 0))\n");
    assert_eq!(parsed.errors.len(), 4, "{:#?}", parsed.errors);
    // A refused command binds nothing, and what it bound on the way is unbound.
    support::check_refused(
        "(assert (forall ((x Int)) (let ((y x)) (> y z))))(assert (> y 0))",
        "1:45: unknown symbol `z` | declare it before its first use",
    );
    // So it is where a parameter has the name of the function, and where one term is read by itself.
    let parsed = smtlib::parse(&mut store, "(define-fun-rec f ((f Int)) Int (+ f z))(assert (= f 0))");
    let told: Vec<&str> = parsed.errors.iter().map(|e| e.message.as_str()).collect();
    assert_eq!(told, ["unknown symbol `z`"], "what a wrong definition defines is not unknown");
    let mut scope = smtlib::Scope::new(&store);
    for _ in 0..2 {
        let error = smtlib::parse_term(&mut store, &mut scope, "(let ((v true)) (exists ((u Int)) (= v u)))");
        assert!(error.is_err_and(|e| e.message.starts_with("`=` cannot take")));
        let error = smtlib::parse_term(&mut store, &mut scope, "v");
        assert_eq!(error.map_err(|e| e.message), Err("unknown symbol `v`".to_string()));
    }
    let parsed = smtlib::parse(&mut store, "(assert (forall ((w Int)) (> w z)))(assert (> w 0))");
    assert_eq!(parsed.errors[1].message, "unknown symbol `w`");
}

#[test]
fn levels_and_scopes() {
    check_refused(
        "(push 1)(declare-const x Int)(pop 1)(assert (> x 0))",
        "1:48: unknown symbol `x` | declare it before its first use",
    );
    check_refused(
        "(declare-const x Int)(reset)(assert (> x 0))",
        "1:40: unknown symbol `x` | declare it before its first use",
    );
    check_refused(
        "(declare-const x Int)(reset-assertions)(assert (> x 0))",
        "1:51: unknown symbol `x` | declare it before its first use",
    );
    check_refused(
        "(push 1)(declare-sort U 0)(pop 1)(declare-const x U)",
        "1:51: unknown sort `U` | declare it before its first use: (declare-sort S 0)",
    );
    let kept = "(set-option :global-declarations true)\n(push 1)\n(declare-fun x () Int)\n(pop 1)\n(assert (> x 0))\n(reset-assertions)\n(assert (< x 0))";
    check(kept, kept);
    // Names come back with another meaning, and the old one returns.
    let text = "(declare-fun x () Int)\n(push 1)\n(declare-sort U 0)\n(declare-fun y () U)\n(pop 1)\n(declare-sort U 1)\n\
                (declare-fun y () (U Int))\n(assert (= y y))";
    check(text, text);
}

/// Describes each instance: its logic, declarations, assertions, status, and whether text stands in for some of it.
fn instances(text: &str) -> Vec<String> {
    let (store, script) = read(text);
    let describe = |i: smtlib::Instance| {
        let asserted: Vec<String> = i.assertions.iter().map(|&t| store.term_text(t)).collect();
        let logic = i.logic.map_or("-", |l| store.name(l));
        let status = i.status.map_or("-".to_string(), |s| format!("{s:?}"));
        let incomplete = match (i.incomplete, i.may_be_weaker) {
            (_, true) => " unknown",
            (true, false) => " incomplete",
            (false, false) => "",
        };
        format!("{}: {logic} {} declared, [{}] {status}{incomplete}", i.check, i.declarations.len(), asserted.join(" "))
    };
    script.instances().into_iter().map(describe).collect()
}

#[test]
fn instances_hold_what_is_live() {
    let check = |text: &str, expect: &[&str]| assert_eq!(instances(text), expect, "{text}");
    check("(assert true)", &[]);
    check("(set-logic QF_UF)(declare-const p Bool)(assert p)(check-sat)", &["0: QF_UF 1 declared, [p] -"]);
    check(
        "(declare-const p Bool)(push 1)(declare-const q Bool)(assert (and p q))(check-sat)(pop 1)(assert p)(check-sat)",
        &["0: - 2 declared, [(and p q)] -", "1: - 1 declared, [p] -"],
    );
    check(
        "(push 2)(assert false)(pop 1)(check-sat)(pop 1)(check-sat)",
        &["0: - 0 declared, [] -", "1: - 0 declared, [] -"],
    );
    check("(push 1)(assert false)(push 1)(assert true)(pop 2)(check-sat)", &["0: - 0 declared, [] -"]);
    check(
        "(assert true)(check-sat-assuming (false))(check-sat)",
        &["0: - 0 declared, [true false] -", "1: - 0 declared, [true] -"],
    );
    check("(set-info :status sat)(check-sat)(check-sat)", &["0: - 0 declared, [] Sat", "1: - 0 declared, [] -"]);
    check("(set-info :status unsat)(reset)(check-sat)", &["0: - 0 declared, [] -"]);
    check("(set-logic LIA)(assert true)(push 1)(reset-assertions)(check-sat)", &["0: LIA 0 declared, [] -"]);
    check(
        "(set-option :global-declarations true)(push 1)(declare-const p Bool)(pop 1)(assert p)(check-sat)(reset-assertions)(assert p)(check-sat)",
        &["0: - 1 declared, [p] -", "1: - 1 declared, [p] -"],
    );
    check(
        "(push 1)(block-model :values)(check-sat)(pop 1)(check-sat)",
        &["0: - 0 declared, [] - incomplete", "1: - 0 declared, [] -"],
    );
    check("(eval 1)(get-objectives)(check-sat)", &["0: - 0 declared, [] -"]);
    let carried = "(assert (> (sin 1.0) 0.0))";
    check(&format!("{carried}(assert true)(check-sat)"), &["0: - 0 declared, [true] - incomplete"]);
    check(&format!("(push 1){carried}(pop 1)(check-sat)"), &["0: - 0 declared, [] -"]);
    check(&format!("{carried}(reset-assertions)(check-sat)"), &["0: - 0 declared, [] -"]);
    check("(define-fun-rec f ((x Int)) Real (sin (f x)))(check-sat)", &["0: - 0 declared, [] - incomplete"]);
    check("(define-fun c () Real (sin 1.0))(get-value (c))(check-sat)", &["0: - 0 declared, [] -"]);
    // Its answer is one of the script's, and says nothing of the next.
    let assumed = "(assert true)(check-sat-assuming ((> (sin 1.0) 0.0)))(check-sat)";
    check(assumed, &["0: - 0 declared, [true] - incomplete", "1: - 0 declared, [true] -"]);
    // What is read as the operator may be another thing from here on, and what is included may open and close levels.
    let shadowed = "(define-fun bvadd ((x Real)) Real (sin x))(check-sat)";
    check(shadowed, &["0: - 0 declared, [] - unknown"]);
    check("(push 1)(include \"more.smt2\")(pop 1)(check-sat)", &["0: - 0 declared, [] - unknown"]);
    // Objectives choose among models, and leave it as it is whether there is one.
    check("(assert-soft false)(minimize 1)(apply smt)(check-sat)", &["0: - 0 declared, [] -"]);
    check("(check-sat-using smt)", &["0: - 0 declared, [] -"]);
}

#[test]
fn names_of_assertions() {
    check(
        "(declare-const p Bool)(assert (! (not p) :named a))(assert (or a p))",
        "(declare-fun p () Bool)\n(assert (! (not p) :named a))\n(assert (or (not p) p))",
    );
    // The name of a part is not that of the whole.
    check(
        "(declare-const p Bool)(assert (and (! (not p) :named a) p))(assert a)",
        "(declare-fun p () Bool)\n(assert (and (not p) p))\n(assert (not p))",
    );
    check_refused(
        "(assert (forall ((x Int)) (! (> x 0) :named a)))",
        "1:45: `:named` on a term with free variables | only a closed term can have a name; leave the name out",
    );
    check_refused(
        "(declare-const p Bool)(assert (! p :named p))",
        "1:43: `p` is already declared | choose another name, or (pop) or (reset) first",
    );
    check(
        "(push 1)(assert (! true :named a))(pop 1)(assert (! false :named a))",
        "(push 1)\n(assert (! true :named a))\n(pop 1)\n(assert (! false :named a))",
    );
}

/// After one error in a declaration, each use of its names was reported as another.
#[test]
fn one_mistake_is_told_once() {
    let check = |text: &str, expect: &[&str]| {
        let parsed = smtlib::parse(&mut smtlib::Store::new(), text);
        let told = parsed.errors.iter().map(|error| {
            let (line, column) = error.position(text);
            format!("{line}:{column}: {}", error.message)
        });
        assert_eq!(told.collect::<Vec<_>>(), expect, "{text}");
    };
    check("(declare-fun f (Foo) Int)(assert (= (f 1) 2))(check-sat)", &["1:17: unknown sort `Foo`"]);
    check(
        "(declare-datatype A ((a (s Foo))))(declare-const x A)(assert (= (s x) 1))(assert (= x (a 1)))(get-value (x))",
        &["1:28: unknown sort `Foo`"],
    );
    check("(declare-sort S z)(declare-fun f (S) S)(declare-const x S)(assert (= (f x) x))", &["1:17: unexpected `z`"]);
    check("(assert (! (> y 0) :named n))(assert (=> n z))", &["1:15: unknown symbol `y`"]);
    // What was declared before keeps its meaning.
    check(
        "(declare-const x Int)(declare-const x Int)(assert (= x true))",
        &["1:37: `x` is already declared", "1:52: `=` cannot take (Int Bool): expected (A A …)"],
    );
}

/// Z3 knows by the name what it declared; each check has the tactic itself.
#[test]
fn declared_tactics_stand_for_their_tactics() {
    let text = "(declare-tactic t (then simplify smt))\n(declare-tactic u (or-else t (using-params t :k t)))\n";
    let expect = "(or-else (then simplify smt) (using-params (then simplify smt) :k t))";
    check(
        &format!("{text}(check-sat-using u)(check-sat-using v)"),
        &format!("{text}(check-sat-using {expect})\n(check-sat-using v)"),
    );
}
