//! What solvers print as models: read, judged and written as a witness, whatever it is.

use semantics::{Evaluator, Limits, read_model, validate::validate_with};
use smtlib::{Store, parse};

/// Symbols of every kind of sort, so that every kind of value has a place.
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

/// Answers of solvers, one of each way to say it.
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
];

/// Reads bytes as a model, judges it and writes the witness.
///
/// # Panics
/// When a witness is written that cannot be read.
pub fn check(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let mut store = Store::new();
    let parsed = parse(&mut store, SCRIPT);
    let instance = parsed.script.instances()[0].clone();
    let Ok(model) = read_model(&mut store, &instance, text) else { return };
    let witness = model.witness(&mut store, &instance).map(|script| store.script_text(&script));
    let limits =
        Limits { steps: 50_000, domain: 256, instances: 64, bits: 1 << 12, regex_steps: 10_000, ..Limits::default() };
    validate_with(&store, &instance.assertions, &mut Evaluator::new(model, limits));
    if let Ok(text) = witness {
        let again = parse(&mut Store::new(), &text);
        assert!(again.errors.is_empty(), "{}\n{text}", again.errors[0].render("witness", &text));
    }
}
