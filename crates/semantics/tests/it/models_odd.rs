//! Models with odd layouts, and models with unknown parts: nothing is left out silently.

use crate::support::read;
use semantics::{EvalLimits, Judgement, ModelJudge, read_model};

/// Judges a model; a reason of the model's reader comes first.
fn verdict(script: &str, model: &str) -> String {
    let mut r = read(&format!("{script}\n(check-sat)"));
    let instance = r.script.instances()[0].clone();
    let judge = match ModelJudge::new(&mut r.store, &instance, model, &[], "") {
        Err(error) => return format!("error: {error}"),
        Ok(judge) => judge,
    };
    match judge.judgement(&r.store, &r.assertions, EvalLimits::default()) {
        Judgement::Valid => "valid".to_string(),
        Judgement::ValidCompleted => "valid, completed".to_string(),
        Judgement::Invalid { assertion, .. } => format!("invalid {assertion}"),
        Judgement::InvalidCompleted { assertion, .. } => format!("invalid {assertion}, completed"),
        Judgement::Unknown { reason, unreadable, .. } => {
            format!("unknown: {}", unreadable.unwrap_or_else(|| reason.to_string()))
        }
    }
}

fn check(script: &str, cases: &[(&str, &str)]) {
    for (model, expect) in cases {
        assert_eq!(&verdict(script, model), expect, "{script}\n{model}");
    }
}

#[test]
fn strings_with_quotes() {
    // A doubled quote once ended the string, so that the definition had six parts, was left out, and the default "" judged.
    let script = r#"(declare-const s String)(assert (= s """"))"#;
    check(
        script,
        &[
            (r#"((define-fun s () String """"))"#, "valid"),
            (r#"((s """"))"#, "valid"),
            (r#"(= s """")"#, "valid"),
            (r#"((define-fun s () String "\u{22}"))"#, "valid"),
            (r#"((define-fun s () String """"""))"#, "invalid 0"),
            (r#"((define-fun s () String "\"))"#, "invalid 0"),
            (r#"((define-fun s () String " "" "))"#, "invalid 0"),
        ],
    );
    let script =
        r#"(declare-const s String)(declare-const |s")(| String)(assert (= s "a"") (|;"))(assert (= |s")(| ""))"#;
    check(
        script,
        &[
            (r#"((define-fun s () String "a"") (|;")(define-fun |s")(| () String ""))"#, "valid"),
            ("(;\"|(\n(define-fun\ns;()\n( ;\n)String\"a\"\") (|;\")(define-fun|s\")(|()String\"\");)\n)", "valid"),
            (r#"((s "a"") (|;")(|s")(| ""))"#, "valid"),
            (r#"((s "a"") (|;")(|s")(| """"))"#, "invalid 1"),
        ],
    );
}

#[test]
fn strings_by_characters() {
    // Z3 5.4.1 prints strings so in the tables of functions.
    let script = "(declare-fun f (String) Int)(assert (= (f \"1\\u{5c}\") 2))(assert (= (f \"1\") 3))";
    let model = "((define-fun f ((x!0 String)) Int
        (ite (= x!0 (str.++(seq.unit (_ Char 49))( seq.unit;)\n(_ Char 92)))) 2 (ite (= x!0 \"(seq.unit (_ Char 49))\") 4 3))))";
    let other = model.replace("Char 92", "Char 93");
    let large = model.replace("Char 92", "Char 999999999");
    check(script, &[(model, "valid"), (&other, "invalid 0"), (&large, "unknown: solver-specific definition")]);
}

/// Two equations for one parameter contradict each other only where both are different literals: `1` and `(+ 0 1)` are one
/// number, and a case that asks for both is not to be dropped.
#[test]
fn cases_with_two_spellings_of_a_key() {
    let f = |condition: &str| format!("((define-fun f ((a Int)) Int (ite {condition} 5 0)))");
    let (both, never) = (f("(and (= a 1) (= a (+ 0 1)))"), f("(and (= a 1) (= a 2))"));
    let script = "(declare-fun f (Int) Int)(assert (= (f 1) 5))(assert (= (f 2) 0))";
    check(script, &[(&both, "valid"), (&never, "invalid 0"), (&f("(or (= a 2) (= a (+ 1 1)))"), "invalid 0")]);
    let p = "((define-fun p ((a Bool)) Bool (ite (and a (not a)) true false)))";
    check("(declare-fun p (Bool) Bool)(assert (not (p true)))(assert (p false))", &[(p, "invalid 1")]);
}

#[test]
fn layouts() {
    let script =
        "(declare-sort |a b| 0)(declare-fun |c\n)| () |a b|)(declare-fun d () |a b|)(declare-fun f (|a b|) Int)
        (assert (distinct |c\n)| d))(assert (= (f |c\n)|) 1))(assert (= (f d) (- 2)))";
    let model =
        "(model;(\n(declare-fun |a b!val!0|( ;)\n)|a b|)(declare-const |a b!val!1| |a b|)(forall ((x |a b|)) true)
        (define-fun |c\n)| () |a b| |a b!val!0|)(define-fun d\t()\r\n|a b| |a b!val!1|)
        (define-fun f((x!0;\n|a b|))Int(ite;(\n(= x!0|a b!val!0|)1(- 2))))";
    check(script, &[(model, "valid"), (&model.replace(")1(-", ")2(-"), "invalid 1")]);
    let cvc5 = "((define-fun |c\n)| () |a b| (as |@a b_0| |a b|))(define-fun d () |a b| ( as|@a b_1|;)\n|a b|))
        (define-fun f ((x |a b|)) Int (ite (= x (as |@a b_0| |a b|)) 1 (- 2))))";
    check(script, &[(cvc5, "valid"), (&cvc5.replace("_1|", "_0|"), "invalid 0")]);
    // An element's name in a string is no element.
    let script = "(declare-sort U 0)(declare-fun u () U)(declare-fun s () String)(assert (forall ((x U)) (= x u)))
        (assert (= (str.len s) 7))";
    let model = "((declare-fun U!val!0 () U)(define-fun u () U U!val!0)(define-fun s () String \"U!val!1\"))";
    check(script, &[(model, "valid"), (&model.replace("U!val!1", "(as @x U)"), "invalid 1")]);
}

#[test]
fn elements_of_two_sorts_may_have_one_name() {
    let script = "(declare-sort U 0)(declare-sort V 0)(declare-fun u () U)(declare-fun v () V)(declare-fun w () V)
        (assert (distinct v w))";
    // SMTInterpol numbers the elements of each sort.
    let model = "((define-fun u () U (as @0 U))(define-fun v () V (as @0 V))(define-fun w () V (as @1 V)))";
    check(script, &[(model, "valid"), (&model.replace("@1", "@0"), "invalid 0")]);
    // It does not say that these are all.
    let all = "unknown: the quantifier's domain is infinite, not fixed by the model, or above the bound";
    check(&format!("{script}(assert (forall ((x U)) (= x u)))"), &[(model, all)]);
}

#[test]
fn boolector_with_odd_names() {
    let script = "(declare-fun |a b| () (_ BitVec 2))(declare-fun |n\n[1]| () (Array (_ BitVec 1) (_ BitVec 2)))
        (declare-fun z () (_ BitVec 2))(assert (= |a b| #b10))(assert (= (select |n\n[1]| #b0) #b11))";
    // Boolector 1.5.118 prints exactly this.
    let model = "sat\n|a b| 10\n|n\n[1]|[0] 11\nz xx\n";
    check(script, &[(model, "valid, completed"), (&model.replace("11", "10"), "invalid 1, completed")]);
    check(
        &format!("{script}(assert (= z #b01))"),
        &[(model, "invalid 2, completed"), (&model.replace("xx", "01"), "valid, completed")],
    );
    let both = model.replace("z xx", "|n\n[1]|[0] 10");
    check(script, &[(&both, "unknown: its bits do not form a Boolean, bit-vector or array")]);
    check(
        script,
        &[(&model.replace("|a b| 10", "|a b|[0] 10"), "unknown: its bits do not form a Boolean, bit-vector or array")],
    );
}

#[test]
fn parts_that_are_not_understood() {
    let script =
        "(declare-fun x () Int)(declare-fun y () Int)(declare-fun f (Int) Int)(assert (= x 0))(assert (= (f 0) 0))";
    let why = |text: &str| format!("unknown: the model is not understood: {text}");
    let whole = "(define-fun x () Int 0)(define-fun y () Int 0)(define-fun f ((a Int)) Int a)";
    check(script, &[(&format!("({whole})"), "valid")]);
    let cut = why("it is cut off, or its parentheses, quotes or bars do not match");
    check(
        script,
        &[
            // What is cut off may be any definition.
            (&format!("({whole}"), &cut),
            (&format!("({whole}))"), &cut),
            (&format!("({whole}) |"), &cut),
            (&format!("({whole}) \""), &cut),
            (&format!("({whole} (assert (= x 1)))"), &why("`assert` is no symbol")),
            (&format!("({whole} x)"), &why("`x` is not part of a model")),
            (&format!("({whole} ())"), &why("`()` is not part of a model")),
            (&format!("({whole} (define-fun))"), &why("`(define-fun)` is not part of a model")),
            (&format!("({whole} (define-const (x) Int 0))"), &why("`(define-const (x) Int 0)` is not part of a model")),
            (&format!("({})", whole.replace("(define-fun x ()", "(define-const x")), "valid"),
            (&format!("({})", whole.replace("(define-fun x () Int 0", "(define-const x Int 1")), "invalid 0"),
            (
                &format!("({whole} (declare-fun c () Nosort))"),
                &why("its element `c` is declared in a way that is not understood: unknown sort `Nosort`"),
            ),
            (&format!("({whole})\n(error \"no\")"), &why("there is an error next to it: (error \"no\")")),
            (&format!("({whole})\nwarning"), &why("`warning` is not part of a model")),
            (&format!("sat\n({whole})\nsuccess\n\"end\"\n(:time 1)"), "valid"),
            // A value of another term must follow.
            (&format!("({whole})\n(((f 3) 3) (x 0) ((+ x y) 0))"), "valid"),
            (&format!("({whole})\n(((f 3) 4))"), &why("its value for `(f 3)` does not follow from its definitions")),
            (
                &format!("({whole})\n(((f 3) what))"),
                &why("its value of `(f 3)` is not understood: unknown symbol `what`"),
            ),
            (&format!("({whole})\n((x 1))"), &why("its value for `x` does not follow from its definitions")),
            (&format!("({whole})\n(define-fun f ((b Int)) Int (+ b 1))"), &why("it defines `f` twice, differently")),
            (
                &format!("({whole})\n(define-fun abs ((b Int)) Int 1)"),
                &why("it redefines `abs`, an operator of a theory"),
            ),
        ],
    );
    // What concerns one symbol leaves that one without a value, whatever else is said of it.
    let y = "(define-fun y () Int 0)(define-fun f ((a Int)) Int a)";
    check(
        script,
        &[
            (&format!("({y} (define-fun x () Int what))"), "unknown: unknown symbol `what`"),
            (&format!("((define-fun x () Int 0) {y} (x what))"), "unknown: unknown symbol `what`"),
            (&format!("({y} (define-fun x ((a)) Int 0))"), "unknown: its parameters are not understood"),
            (&format!("({y} (define-fun-rec x () Int 0))"), "unknown: its definition has an unknown form"),
            (&format!("({y} (define-fun x () Int))"), "unknown: its definition has an unknown form"),
            ("((x 0)(y 0)(f 0))", "unknown: the value of a function is not given by a definition"),
        ],
    );
}

#[test]
fn blocks_that_are_not_understood() {
    let script = "(declare-fun f (Int) Int)(declare-fun g (Int) Int)(assert (= (f 1) 2))(assert (= (g 1) 2))";
    let model = "(= g @fun_1)\n(function f (type (-> int int)) (= (f 1) 2) (default 3))\n(function @fun_1 (type (-> int int)) (= (@fun_1 1) 2) (default 3))";
    let from = |old: &str, new: &str| model.replacen(old, new, 1);
    check(
        script,
        &[
            (model, "valid"),
            // Without default, the rows are kept and the rest is open.
            (&from(" (default 3)", ""), "valid, completed"),
            (&from("(default 3)", "(default ???)"), "valid, completed"),
            (&from("(= (f 1) 2) (default 3)", "(= (f 1) 3)"), "invalid 0, completed"),
            (&from("(f 1) 2)", "(f 1) ???)"), "invalid 0, completed"),
            (&from("(= g @fun_1)", "(= g @fun_7)"), "unknown: the model has no block for `@fun_7`"),
            (&from("(= g @fun_1)", "(= g ???)"), "unknown: the model has no block for `???`"),
            (&from("(f 1) 2)", "(f 1 1) 2)"), "unknown: a row of its block has another number of arguments"),
            (&from("(f 1) 2)", "(g 1) 2)"), "unknown: its block is not understood"),
            (&from("(f 1) 2)", "(f ???) 2)"), "unknown: its block has an argument that is left open"),
            (&from("(default 3)", "(default 3) (otherwise 4)"), "unknown: its block is not understood"),
            (
                &from("(= g @fun_1)", "(= g @fun_1)(= g @fun_1)"),
                "unknown: the model is not understood: `(function f (type (-> int int)) (= (f 1) 2) (default 3))` is not part of a model",
            ),
        ],
    );
}

#[test]
fn values_that_come_in_pieces() {
    let mut r = read(
        "(declare-fun f (Int) Int)(declare-fun s () String)(assert (= (f 1) 2))(assert (= s \"\"\"\"))(check-sat)",
    );
    let instance = r.script.instances()[0].clone();
    let asked: Vec<_> = r.assertions.iter().map(|&t| r.store.args(t)[0]).collect();
    for (values, expect) in [
        ("(((f 1) 2) (s \"\"\"\"))", "Valid"),
        ("(((f 1) 2) (s \"\"))", "Invalid"),
        // Not one value for each term: nothing is learned.
        ("(((f 1) 2) (s", "InvalidCompleted"),
        ("(((f 1) 2))", "InvalidCompleted"),
        ("(((f 1) 2) (s) (s \"\"\"\"))", "InvalidCompleted"),
        ("(((f 1) 2) (s \"))", "InvalidCompleted"),
    ] {
        let judge = ModelJudge::new(&mut r.store, &instance, "()", &asked, values).expect("it is a model");
        let found = format!("{:?}", judge.judgement(&r.store, &r.assertions, EvalLimits::default()));
        assert_eq!(found.split([' ', '{']).next(), Some(expect), "{values}: {found}");
    }
}

#[test]
fn large_models_take_linear_time() {
    // Each of these is a megabyte or more and took minutes where a symbol looked through what others had left behind.
    let declared = |n: usize| -> String { (0..n).map(|n| format!("(declare-fun v{n} () Int)")).collect() };
    let count = 30_000;
    let script = format!("{}(assert (= v1 1))", declared(count));
    let defined: String = (0..count).map(|n| format!("(define-fun v{n} () Int (+ 1 (- {n} 1)))\n")).collect();
    check(&script, &[(&format!("({defined})"), "valid")]);
    let bad: String = (0..count).map(|n| format!("(define-fun v{n} () Int (what {n}))")).collect();
    check(&script, &[(&format!("({bad})"), "unknown: unknown symbol `what`")]);
    let pairs: String = (0..count).map(|n| format!("(v{n} {n})")).collect();
    check(&script, &[(&format!("({defined})({pairs})"), "valid")]);
    let yices: String = (0..count).map(|n| format!("(= v{n} {n})\n")).collect();
    check(&script, &[(&yices, "valid")]);
    let sorts: String = (0..3000).map(|n| format!("(declare-sort S{n} 0)(declare-fun s{n} () S{n})")).collect();
    let elements: String = (0..3000).map(|n| format!("(define-fun s{n} () S{n} S{n}!val!0)")).collect();
    check(&format!("{sorts}(assert (= s1 s1))"), &[(&format!("({elements} {})", elements.repeat(20)), "valid")]);
    let list = "(declare-datatypes ((L 1)) ((par (T) ((nil) (cons (hd T) (tl (L T)))))))(declare-fun l () (L Int))(assert ((_ is cons) l))";
    let long = format!("((define-fun l () (L Int) {}nil{}))", "(cons 1 ".repeat(100_000), ")".repeat(100_000));
    let mut r = read(&format!("{list}(check-sat)"));
    let instance = r.script.instances()[0].clone();
    assert!(read_model(&mut r.store, &instance, &long).is_ok());
    let sorts = format!("((x {}Int{}))", "(as @a ".repeat(500_000), ")".repeat(500_000));
    for deep in [sorts, "(".repeat(1_000_000), "(".repeat(1_000_000) + &")".repeat(1_000_000), ")".repeat(1_000_000)] {
        let mut r = read("(declare-fun x () Int)(assert (= x 0))(check-sat)");
        let instance = r.script.instances()[0].clone();
        let read = read_model(&mut r.store, &instance, &deep);
        assert!(read.is_err() || read.is_ok_and(|model| model.unreadable().len() == 1));
    }
}
