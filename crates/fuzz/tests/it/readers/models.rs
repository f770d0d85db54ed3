//! Models printed by solvers: read, judged and written as a witness, whatever they contain.

use semantics::{EvalLimits, Evaluator, Model, read_model, validate::validate_with};
use smtlib::sexpr::Sexprs;
use smtlib::{Store, parse};

/// Symbols of every kind of sort, so that every kind of value occurs.
const SCRIPT: &str = "
(declare-sort U 0)
(declare-datatypes ((T 0)) (((c (s T)) (d (n Int)))))
(declare-fun u () U)(declare-fun f (U Int) Int)(declare-fun p (Int) Bool)
(declare-fun i () Int)(declare-fun r () Real)(declare-fun b () (_ BitVec 8))(declare-fun h () (_ FloatingPoint 5 11))
(declare-fun m () RoundingMode)(declare-fun w () String)(declare-fun t () T)
(declare-fun a () (Array Int Int))(declare-fun v () (Array (_ BitVec 2) Bool))
(assert (and (p i) (= (f u i) (select a i)) (= r (/ 1.0 2.0)) (bvult b #x0f) (fp.leq h (fp.add m h h)) (= w (str.++ w \"\"))
    (= t (c (d i))) (select v #b01)))
(check-sat)";

/// Answers of solvers, one per format.
pub const EXAMPLES: &[&str] = &[
    "((define-fun i () Int (- 5)) (define-fun r () Real (/ 1.0 2.0)) (define-fun b () (_ BitVec 8) #x0e)
      (define-fun h () (_ FloatingPoint 5 11) (fp #b0 #b00001 #b0000000000)) (define-fun m () RoundingMode RNE)
      (define-fun w () String \"a\\u{7}\") (define-fun t () T (c (d (- 5)))) (define-fun a () (Array Int Int) ((as const (Array Int Int)) 3)))",
    "(model (declare-datatypes () ()) (declare-fun U!val!0 () U) (forall ((x U)) (= x U!val!0)) (define-fun u () U U!val!0)
      (define-fun f ((x!0 U) (x!1 Int)) Int (ite (and (= x!0 U!val!0) (= x!1 3)) 7 (f!12 (k!0 x!1))))
      (define-fun f!12 ((x!0 Int)) Int (ite (= x!0 2) 9 0)) (define-fun k!0 ((x!0 Int)) Int (ite (<= x!0 2) 2 4))
      (define-fun a () (Array Int Int) (_ as-array k!0)))",
    "((i 4) (r (root-obj (+ (^ x 2) (- 2)) 1)) (b (_ bv3 8)) (h (_ -zero 5 11)) (v (store ((as const (Array (_ BitVec 2) Bool)) false) #b01 true)))",
    "((define-fun u () U (as @U_0 U)) (define-fun p ((_arg_1 Int)) Bool (and (< _arg_1 3) (not (= _arg_1 1)))) (define-fun h () Float16 (_ NaN 5 11)))",
    "((define-fun r () Real (_ real_algebraic_number <1*x^2 + (-2), (5/4, 3/2)>)) (define-fun a () (Array Int Int) (lambda ((x Int)) (+ x 1))))",
    "(error \"line 3 column 10: model is not available\")",
    "((define-fun w () String \"a \"\" (|;\") (define-fun |odd \"name| ((|x ;| Int)) Int |x ;|) ; a comment )\n
      (define-fun i () Int (|odd \"name| 4)) (w \"a \"\" (|;\") ((f u 1) 2))",
    "(= i -5)\n(= r 1/3)\n(= b 0b00001110)\n(= u @const_0)\n(= f @fun_7)\n(function @fun_7 (type (-> U int int)) (= (@fun_7 @const_0 1) 2)
      (default ???))\n(function a (type (-> int int)) (= (a 1) 2) (default 3))",
    "sat\nb 00001110\nv[01] 1\nv[10] x\n",
];

/// The same with a comment before each token.
fn laid_out(text: &str) -> String {
    let all = Sexprs::read(text);
    let closing = |node| text[..all.span(node).end].ends_with(')').then(|| all.span(node).end - 1);
    let lists = all.nodes().filter(|&node| all.is_list(node));
    let mut places: Vec<usize> =
        all.nodes().map(|node| all.span(node).start).chain(lists.filter_map(closing)).collect();
    places.sort_unstable();
    places.dedup();
    let mut out = String::new();
    let mut copied = 0;
    for place in places {
        out.push_str(&text[copied..place]);
        out.push_str(" ;\")|(\n\t");
        copied = place;
    }
    out + &text[copied..]
}

/// Reads bytes as a model, judges it and writes the witness.
///
/// # Panics
/// When a witness is written that cannot be read.
pub fn check(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let mut store = Store::new();
    let parsed = parse(&mut store, SCRIPT);
    let instance = parsed.script.instances()[0].clone();
    let untouched = store.clone();
    let Ok(model) = read_model(&mut store, &instance, text) else { return };
    let witness = model.witness(&mut store, &instance).map(|script| store.script_text(&script));
    // Infix polynomials and indices after names are single tokens, which cannot contain comments.
    if !text.contains(['<', '[']) && Sexprs::read_whole(text).is_some() {
        let mut store = untouched;
        let again = read_model(&mut store, &instance, &laid_out(text)).expect("only its layout has changed");
        let unreadable = |model: &Model| model.unreadable().iter().map(|u| u.0).collect::<Vec<_>>();
        assert_eq!(unreadable(&again), unreadable(&model), "{}", laid_out(text));
        let text = again.witness(&mut store, &instance).map(|script| store.script_text(&script));
        assert_eq!(text.ok(), witness.as_ref().ok().cloned());
    }
    let limits = EvalLimits {
        steps: 50_000,
        domain: 256,
        instances: 64,
        bits: 1 << 12,
        regex_steps: 10_000,
        ..EvalLimits::default()
    };
    validate_with(&store, &instance.assertions, &mut Evaluator::new(model, limits));
    if let Ok(text) = witness {
        let again = parse(&mut Store::new(), &text);
        assert!(again.errors.is_empty(), "{}\n{text}", again.errors[0].render("witness", &text));
    }
}
