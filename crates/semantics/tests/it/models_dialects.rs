//! Models in the spellings of all solvers, with algebraic numbers, and bad models.

use crate::support::verdict;

const CUBIC: &str = "(declare-fun x () Real)(declare-fun y () Real)
    (assert (= (* x x x) (+ (* 3.0 x) 1.0)))(assert (< x (- 1.0)))
    (assert (= (+ (* y y) y) 5.0))(assert (< y 0.0))
    (assert (distinct x y))(assert (= (/ (* x y) y) x))(assert (not (= (* x y) 4.0)))
    (assert (= (to_int (* 2.0 x)) (- 4)))(assert (not (is_int y)))(assert (= (abs x) (- x)))";

#[test]
fn algebraic_numbers_of_all_solvers() {
    // The models of z3 4.8.7 and 4.15.4; the others spell the same numbers.
    let z3 = "(define-fun y () Real (root-obj (+ (^ x 2) x (- 5)) 1))
        (define-fun x () Real (root-obj (+ (^ x 3) (* (- 3) x) (- 1)) 1))";
    let cvc5 = "(define-fun y () Real (_ real_algebraic_number <1*x^2 + 1*x + (-5), (-3, -5/2)>))
        (define-fun x () Real (_ real_algebraic_number <1*x^3 + (-3)*x + (-1), (-7/4, -3/2)>))";
    let competition = "(define-fun y () Real (root-of-with-interval (coeffs (- 5) 1 1) (- 3.0) (/ (- 5.0) 2.0)))
        (define-fun x () Real (root-of-with-ordering (coeffs (- 1) (- 3) 0 1) 0))";
    let yices = "(= y <1*x^2 + 1*x - 5, (-3, -5/2)>)\n(= x <1*x^3 + (-3)*x + (-1), (-7/4, -3/2)>)";
    for model in [z3, cvc5, competition, yices] {
        let whole = if model == yices { model.to_string() } else { format!("({model})") };
        assert_eq!(verdict(CUBIC, &whole), "valid", "{model}");
    }
    for (from, to, expect) in [
        ("(- 1)) 1)", "(- 1)) 2)", "invalid 1"),
        ("(- 1)) 1)", "(- 2)) 1)", "invalid 0"),
        ("(- 5)) 1)", "(- 5)) 2)", "invalid 3"),
        ("(- 5)) 1)", "(- 5)) 3)", "unknown: the model has no interpretation for the symbol"),
        ("(- 5)) 1)", "(- 5)) x)", "unknown: the model has no interpretation for the symbol"),
        ("(^ x 2)", "(^ x 2000)", "unknown: the model has no interpretation for the symbol"),
        ("(^ x 2)", "(sin x)", "unknown: the model has no interpretation for the symbol"),
        // Any atom but a numeral was the variable.
        ("(- 5)) 1)", "-5) 1)", "unknown: the model has no interpretation for the symbol"),
        ("(- 5)) 1)", "(* (- 5) y)) 1)", "unknown: the model has no interpretation for the symbol"),
    ] {
        assert_eq!(verdict(CUBIC, &format!("({})", z3.replacen(from, to, 1))), expect, "{to}");
    }
}

#[test]
fn algebraic_numbers_in_functions_and_arrays() {
    let script = "(declare-fun x () Real)(declare-fun f (Real) Int)(declare-fun a () (Array Real Int))
        (declare-fun b () (Array Int Real))
        (assert (= (f x) 1))(assert (= (f 2.0) 7))(assert (= (f (* x x)) 7))(assert (= (select a x) 5))
        (assert (= (select b 0) x))(assert (= (select b 1) (- x)))(assert (ite (> x 0.0) (< x 2.0) false))";
    let model = "((define-fun x () Real (root-obj (+ (^ x 2) (- 2)) 2))
        (define-fun f ((r Real)) Int (ite (= r 2.0) 7 1))
        (define-fun a () (Array Real Int) (store ((as const (Array Real Int)) 5) 2.0 6))
        (define-fun b () (Array Int Real) (store ((as const (Array Int Real)) (root-obj (+ (^ x 2) (- 2)) 1)) 0
            (root-obj (+ (^ x 2) (- 2)) 2))))";
    assert_eq!(verdict(script, model), "valid");
    assert_eq!(verdict(script, &model.replace("(= r 2.0) 7 1", "(= r 2.0) 7 2")), "invalid 0");
    assert_eq!(verdict(script, &model.replace("5) 2.0 6", "4) 2.0 5")), "invalid 3");
    // A root that is rational is the rational: 4 of x^2 - 16.
    let rational = "(declare-fun x () Real)(assert (= x 4.0))";
    assert_eq!(verdict(rational, "((define-fun x () Real (root-obj (+ (^ x 2) (- 16)) 2)))"), "valid");
    assert_eq!(verdict(rational, "((define-fun x () Real (root-obj (+ (^ x 2) (- 16)) 1)))"), "invalid 0");
}

#[test]
fn assignments_of_yices() {
    let script =
        "(declare-sort U 0)(declare-fun u () U)(declare-fun v () U)(declare-fun x () Int)(declare-fun r () Real)
        (declare-fun p () Bool)(declare-fun w () (_ BitVec 4))(declare-fun f (Int U) Int)(declare-fun g (Int U) Int)
        (declare-fun a () (Array Int (Array Int Bool)))
        (assert (distinct u v))(assert (= x (- 5)))(assert (= r (/ (- 1.0) 3.0)))(assert p)(assert (= w #b0101))
        (assert (= (f 1 u) 2))(assert (= (f 1 v) 3))(assert (= (g 7 v) (- 4)))
        (assert (select (select a 3) 4))(assert (not (select (select a 4) 4)))";
    let model = "(= p true)\n(= x -5)\n(= r -1/3)\n(= w 0b0101)\n(= u @const_0)\n(= v @const_1)\n(= a @fun_9)
(= g @fun_7)
(function f
 (type (-> int U int))
 (= (f 1 @const_0) 2)
 (default 3))
(function @fun_7
 (type (-> int U int))
 (default -4))
(function @fun_9 (type (-> int (-> int bool))) (= (@fun_9 3) @fun_10) (default @fun_11))
(function @fun_10 (type (-> int bool)) (= (@fun_10 4) true) (default false))
(function @fun_11 (type (-> int bool)) (default false))";
    assert_eq!(verdict(script, model), "valid");
    for (from, to, expect) in [
        ("@const_1", "@const_0", "invalid 0"),
        ("x -5", "x 5", "invalid 1"),
        ("-1/3", "1/3", "invalid 2"),
        ("0b0101", "0b0111", "invalid 4"),
        ("(f 1 @const_0) 2", "(f 1 @const_1) 2", "invalid 5"),
        ("(@fun_10 4) true", "(@fun_10 5) true", "invalid 8"),
    ] {
        assert_eq!(verdict(script, &model.replacen(from, to, 1)), expect, "{to}");
    }
}

#[test]
fn lines_of_old_boolector() {
    let script =
        "(declare-fun a () (Array (_ BitVec 2) (_ BitVec 8)))(declare-fun v () (_ BitVec 8))(declare-fun b () Bool)
        (assert (= (select a #b01) v))(assert (= v #x05))(assert b)(assert (= (select a #b10) #x00))";
    // Boolector 1.5.118 prints exactly this.
    let model = "sat\na[10] 00000000\na[01] 00000101\nv 00000101\nb 1\n";
    assert_eq!(verdict(script, model), "valid");
    assert_eq!(verdict(script, &model.replace("b 1", "b 0")), "invalid 2");
    assert_eq!(verdict(script, &model.replace("a[01] 00000101", "a[01] 00000100")), "invalid 0");
    assert!(verdict(script, "sat\n").starts_with("error: the reply is not a model"));
}

#[test]
fn definitions_of_mathsat_smtinterpol_and_bitwuzla() {
    let script = "(declare-sort U 0)(declare-fun u () U)(declare-fun v () U)(declare-fun f (U) Int)
        (declare-fun w () (_ BitVec 8))(declare-fun d () (_ FloatingPoint 5 11))
        (declare-fun a () (Array (_ BitVec 2) (_ BitVec 8)))
        (assert (distinct u v))(assert (= (f u) 1))(assert (= (f v) (- 2)))(assert (= w #xa5))(assert (fp.isNaN d))
        (assert (= (select a #b11) #x07))";
    let smtinterpol = "(model ;; MODEL
      (define-fun u () U (as @0 U)) (define-fun v () U (as @1 U))
      (define-fun f ((@p0 U)) Int (ite (= @p0 (as @0 U)) 1 (- 2)))
      (define-fun w () (_ BitVec 8) #b10100101)
      (define-fun d () (_ FloatingPoint 5 11) (_ NaN 5 11))
      (define-fun a () (Array (_ BitVec 2) (_ BitVec 8))
        (store ((as const (Array (_ BitVec 2) (_ BitVec 8))) (_ bv0 8)) (_ bv3 2) (_ bv7 8))))";
    let mathsat = "((define-fun u () U (as @U_0 U))(define-fun v () U (as @U_1 U))
      (define-fun f ((_arg_0 U)) Int (ite (= _arg_0 (as @U_0 U)) 1 (- 2)))
      (define-fun w () (_ BitVec 8) (_ bv165 8))
      (define-fun d () (_ FloatingPoint 5 11) (fp #b0 #b11111 #b1000000000))
      (define-fun a () (Array (_ BitVec 2) (_ BitVec 8))
        (store ((as const (Array (_ BitVec 2) (_ BitVec 8))) #b00000000) #b11 #b00000111)))";
    let bitwuzla = "(
  (define-fun u () U (as @bzla.val_U_0 U))
  (define-fun v () U (as @bzla.val_U_1 U))
  (define-fun f ((@bzla.var_5 U)) Int (ite (= @bzla.var_5 (as @bzla.val_U_0 U)) 1 (- 2)))
  (define-fun w () (_ BitVec 8) #b10100101)
  (define-fun d () (_ FloatingPoint 5 11) (fp #b0 #b11111 #b1000000000))
  (define-fun a ((@bzla.var_7 (_ BitVec 2))) (_ BitVec 8) (ite (= @bzla.var_7 #b11) #b00000111 #b00000000))
)";
    for model in [smtinterpol, mathsat, bitwuzla] {
        assert_eq!(verdict(script, model), "valid", "{model}");
    }
    assert_eq!(verdict(script, &mathsat.replace("bv165", "bv164")), "invalid 3");
    assert_eq!(verdict(script, &smtinterpol.replace("v () U (as @1 U)", "v () U (as @0 U)")), "invalid 0");
}

#[test]
fn constructors_take_the_expected_sort() {
    let script = "(declare-datatypes ((List 1)) ((par (T) ((nelem) (cons (hd T) (tl (List T)))))))
        (declare-fun l () (List Int))(declare-fun m () (Array Int (List Bool)))(declare-fun k () (List (List Int)))
        (assert (> (hd l) 50))(assert ((_ is cons) l))(assert (= (hd (select m 3)) true))
        (assert (= (hd k) (tl l)))";
    let model = "((define-fun l () (List Int) (cons 51 nelem))
        (define-fun k () (List (List Int)) (let ((a!1 nelem)) (cons nelem (as nelem (List (List Int))))))
        (define-fun m () (Array Int (List Bool)) (store ((as const (Array Int (List Bool))) nelem) 3 (cons true nelem))))";
    let model = model.replace(
        "(let ((a!1 nelem)) (cons nelem (as nelem (List (List Int)))))",
        "(ite true (cons nelem nelem) nelem)",
    );
    assert_eq!(verdict(script, &model), "valid");
    assert_eq!(verdict(script, &model.replace("cons 51", "cons 5")), "invalid 0");
}

#[test]
fn quantifiers_are_decided_by_instances() {
    let script = "(declare-fun c () Int)(declare-fun f (Int) Int)(declare-fun b () (_ BitVec 32))(declare-sort U 0)
        (declare-fun u () U)";
    let model = "((define-fun c () Int 17)(define-fun f ((x Int)) Int (ite (= x 40) 5 0))(define-fun b () (_ BitVec 32) #xdeadbeef))";
    for (assertion, expect) in [
        ("(forall ((x Int)) (< x c))", "invalid 0"),
        ("(forall ((x Int)) (not (= x (* 2 c))))", "invalid 0"),
        ("(forall ((x Int)) (= (f x) 0))", "invalid 0"),
        ("(exists ((x Int)) (= (f x) 5))", "valid"),
        ("(exists ((x Int)) (and (> x c) (< x 19)))", "valid"),
        ("(exists ((x Int) (y Int)) (and (> x c) (= y (+ x 1)) (= (f y) 0)))", "valid"),
        ("(forall ((x Int) (y Int)) (=> (= x c) (= (* x y) 17)))", "invalid 0"),
        ("(exists ((v (_ BitVec 32))) (= (bvadd v #x00000001) b))", "valid"),
        ("(forall ((v (_ BitVec 32))) (bvule v #xfffffffe))", "invalid 0"),
        ("(forall ((x Real)) (=> (> x 0.0) (> x 1.0)))", "invalid 0"),
        ("(exists ((s String)) (= (str.len s) 0))", "valid"),
        // An alternation: the inner instance may depend on the outer one.
        ("(forall ((x Int)) (exists ((y Int)) (= (* 0 x) (+ y 1))))", "valid"),
        // True of all instances tried, or false of them, which proves nothing.
        ("(forall ((x Int) (y Int)) (>= (* x x y y) 0))", "unknown"),
        ("(exists ((x Int) (y Int)) (= (* x x y y) 123456))", "unknown"),
        // True at all integers, and between them.
        ("(forall ((x Int)) (>= (* x x) 0))", "valid"),
        ("(exists ((x Int)) (= (* x x) 123456))", "invalid 0"),
        // What is unknown does not spoil what decides.
        ("(or (forall ((x Int) (y Int)) (>= (* x x y y) 0)) (= c 17))", "valid"),
        ("(and (exists ((x Int) (y Int)) (= (* x x x y) 123457)) (= c 18))", "invalid 0"),
    ] {
        let found = verdict(&format!("{script}(assert {assertion})"), model);
        assert_eq!(found.split(':').next(), Some(expect), "{assertion}: {found}");
    }
    // Many searches leave enough steps for what comes after.
    let many: String =
        (0..60).map(|n| format!("(forall ((x Int) (y Int)) (>= (+ (* x x) (* y y)) (- {n}))) ")).collect();
    assert_eq!(verdict(&format!("{script}(assert (and {many} (= c 18)))"), model), "invalid 0");
    // A search that reaches a bound ends as unknown, and what follows still has its value.
    let recursive = format!("{script}(define-fun-rec g ((n Int)) Int (ite (<= n 0) 0 (+ 1 (g (- n 1)))))");
    let deep = "(and (forall ((x Int)) (>= (g (* 1000000 x)) (- 1))) (= c 18))";
    assert_eq!(verdict(&format!("{recursive}(assert {deep})"), model), "invalid 0");
}

#[test]
fn large_models_are_read_in_linear_time() {
    // Each of these would take hours if a part of the text were read again for each of its items.
    let script = "(declare-sort U 0)(declare-fun f (Int) U)(declare-fun x () Int)(assert (distinct (f 1) (f 2)))(assert (= x 0))";
    let rows: String = (0..20_000).map(|n| format!("(ite (= a {n}) (as @U_{} U) ", n % 7)).collect();
    let model = format!("((define-fun f ((a Int)) U {rows}(as @U_0 U){})(define-fun x () Int 0))", ")".repeat(20_000));
    assert_eq!(verdict(script, &model), "valid");
    let less = format!("((define-fun x () Int (ite (and {}) 0 1)))", "(<1 2) ".repeat(100_000));
    assert_eq!(verdict("(declare-fun x () Int)(assert (= x 0))", &less.replace("(<1", "(< 1")), "valid");
    assert!(verdict("(declare-fun x () Int)(assert (= x 0))", &less).starts_with("unknown: "));
    // Blocks that share blocks have an exponential text.
    let deep = "(declare-fun a () (Array Int (Array Int (Array Int (Array Int (Array Int (Array Int Int)))))))
        (assert (= a a))";
    let blocks: String = (0..6)
        .map(|n| {
            let rows: String = (0..100).map(|k| format!("(= (@fun_{n} {k}) @fun_{})", n + 1)).collect();
            format!("(function @fun_{n} (type (-> int t)) {rows} (default @fun_{}))", n + 1)
        })
        .collect();
    assert_eq!(verdict(deep, &format!("(= a @fun_0){blocks}")), "valid");
}

#[test]
fn bad_models_end_without_a_panic() {
    let script = "(declare-fun x () Int)(declare-fun y () Int)(declare-fun s () String)(declare-fun w () (_ BitVec 8))
        (declare-fun f (Int) Int)(declare-fun r () Real)
        (assert (> x 0))(assert (= (str.len s) 10000000))(assert (= w #x00))(assert (= (f 1) 1))(assert (> r 0.0))";
    let rest = "(define-fun s () String \"\")(define-fun w () (_ BitVec 8) #x00)(define-fun f ((a Int)) Int a)(define-fun r () Real 1.0)";
    let digits = "9".repeat(1_000_000);
    let deep = format!("{}y{}", "(+ 1 ".repeat(200_000), ")".repeat(200_000));
    let deep = format!("(define-fun x () Int {deep})");
    for (definition, expect) in [
        (format!("(define-fun x () Int {digits})"), "invalid 1"),
        (format!("(define-fun x () Int (- {digits}))"), "invalid 0"),
        (format!("(define-fun x () Real {digits})"), "error: "),
        ("(define-fun x () Int (g 1)) (define-fun g ((a Int)) Int (+ a x))".into(), "error: the definition of "),
        ("(define-fun x () Int y) (define-fun y () Int (f x))".into(), "error: the definition of "),
        (deep, "invalid 1"),
        ("(define-fun x () Int 5) (define-fun nosuch () Nosort 7)".into(), "invalid 1"),
        // Two definitions of a symbol must agree; unknown ones were once left out silently.
        ("(define-fun x () Int 5) (define-fun x () Int 6)".into(), "unknown: "),
        ("(define-fun x () Int 5) (x (+ 3 2)) (define-fun x () Int 5)".into(), "invalid 1"),
        ("(define-fun x () Int".into(), "unknown: "),
        ("(define-fun x () Int (root-obj (+ (^ x 2) (- 2)) 1))".into(), "invalid 1"),
        ("(define-fun x () Int 5) (define-fun other ((a (_ BitVec 9999999999))) Int 5)".into(), "invalid 1"),
        ("(define-fun x () Int 5) (function f (type) (=) (= ()) (default))".into(), "unknown: "),
        ("(define-fun x () Int 5) (root-obj) (root-of-with-interval (coeffs) 1) <1*x^2".into(), "unknown: "),
    ] {
        let found = verdict(script, &format!("({definition}\n{rest})"));
        let shown: String = definition.chars().take(80).collect();
        assert!(found.starts_with(expect), "{shown}: {}", found.chars().take(200).collect::<String>());
    }
    let long = format!(
        "((define-fun x () Int 1)(define-fun y () Int 1){})",
        rest.replace("\"\"", &format!("\"{}\"", "a".repeat(10_000_000)))
    );
    assert_eq!(verdict(script, &long), "valid");
    let wide = format!("((define-fun x () Int 1)(define-fun w () (_ BitVec 8) (_ bv{digits} 8)))");
    assert!(!verdict(script, &wide).starts_with("valid"));
    for text in [
        "",
        "(((((",
        ")))))",
        "\"",
        "|",
        "(= )",
        "(function)",
        "((x))",
        "(model",
        "<",
        "(_ real_algebraic_number <>)",
        "(= x <1*x^2 + (-2), (1, 2)>",
    ] {
        let found = verdict(script, text);
        assert!(
            found.starts_with("error: ") || found.starts_with("invalid ") || found.starts_with("unknown: "),
            "{text}: {found}"
        );
    }
}

/// The answer of z3 (or of `SQUALL_Z3`) to a script, if there is one.
fn z3(script: &str) -> Option<String> {
    use std::io::Write;
    use std::process::{Command, Stdio};
    let program = std::env::var("SQUALL_Z3").unwrap_or_else(|_| "z3".to_string());
    let mut child = Command::new(program)
        .args(["-in", "-T:5"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .ok()?;
    child.stdin.take()?.write_all(script.as_bytes()).ok()?;
    Some(String::from_utf8_lossy(&child.wait_with_output().ok()?.stdout).into_owned())
}

#[test]
fn nested_roots_that_z3_finds_are_valid() {
    let power = |name: &str, n: usize| format!("(* {})", vec![name; n].join(" "));
    let (mut judged, mut irrational) = (0, 0);
    for (p, q) in [(2, 2), (2, 3), (3, 2), (3, 3), (4, 2), (2, 5)] {
        for c in [2, 3, 4, 8] {
            // z depends on both roots, so z3 has to compute a polynomial of degree p * q for it.
            let script = format!(
                "(declare-fun x () Real)(declare-fun y () Real)(declare-fun z () Real)
                 (assert (= {} {c}.0))(assert (> x 0.0))(assert (= {} (+ x 1.0)))(assert (> y 0.0))
                 (assert (= (+ z x) (* 2.0 y)))(assert (> (+ (* z z) x y) 0.0))",
                power("x", p),
                power("y", q)
            );
            let answer = z3(&format!("{script}(check-sat)(get-model)"));
            let Some(answer) = testing::require("z3", answer) else { return };
            let Some(model) = answer.strip_prefix("sat") else { continue };
            judged += 1;
            irrational += usize::from(model.contains("root-obj"));
            assert_eq!(verdict(&script, model), "valid", "{model}");
            let broken = format!("{script}(assert (= (* z z) (+ x y 1.0)))");
            assert_eq!(verdict(&broken, model), "invalid 6", "{model}");
        }
    }
    println!("{judged} models judged, {irrational} of them with irrational numbers");
}
