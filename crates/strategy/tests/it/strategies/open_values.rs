//! Values that the standard leaves open belong to one function per operator, fixed outside of all quantifiers; defined values are never
//! open.

use crate::strategies::support::{instance, read, run, z3};
use semantics::judge::settle;
use semantics::{EvalLimits, Judgement};
use smtlib::Store;
use std::collections::BTreeMap;
use strategy::Solvers;
use strategy::defaults::default_strategy;
use strategy::session::{ByStrategy, Session};

/// Runs strategies, the default one under the name `default`, on a script without its check.
fn check(text: &str, strategies: &[&str], expect: &str) {
    for name in strategies {
        let mut store = Store::new();
        let instance = instance(&mut store, &format!("{text}(check-sat)"));
        let text_of = if *name == "default" { default_strategy("QF_BVFP") } else { name };
        let report = run(&mut store, &instance, &read(text_of), 60.0, true);
        assert_eq!(report.answer.word(), expect, "{name} on {text}: {:?}\n{}", report.answer, report.trace.text());
    }
}

/// A negative number that rounds to zero was considered out of range, which led to a wrong `sat`. The definition of `fp.to_ubv` fixes the
/// value if the rounded integer fits; only the note before it reads otherwise.
#[test]
fn a_negative_number_that_rounds_to_zero_is_zero() {
    let all =
        &["default", "(then fp-to-bv sat)", "(then simplify sat)", "(then simplify fp-to-bv simplify bit-blast sat)"];
    check("(assert (not (= ((_ fp.to_ubv 8) RTZ ((_ to_fp 8 24) #xbe800000)) #x00)))", all, "unsat");
    check("(assert (not (= ((_ fp.to_ubv 1) RTP (fp #b1 #b00000 #b0000000001)) #b0)))", all, "unsat");
    let some = &["default", "(then fp-to-bv sat)"];
    let symbolic = "(declare-const x Float16)(declare-const m RoundingMode)(assert (fp.isNegative x))
         (assert (fp.isZero (fp.roundToIntegral m x)))";
    check(&format!("{symbolic}(assert (distinct ((_ fp.to_ubv 4) m x) #x0))"), some, "unsat");
    check(&format!("{symbolic}(assert (= ((_ fp.to_ubv 4) m x) #x0))"), some, "sat");
    // The least negative number that rounds to one below zero is out of range, and any value is right.
    let open = "(declare-const m RoundingMode)(assert (= m RTN))";
    check(&format!("{open}(assert (= ((_ fp.to_ubv 4) m (fp #b1 #b00000 #b0000000001)) #xa))"), some, "sat");
}

/// Terms that depend on a bound variable got one name for all its values: the value of `fp.to_ubv` out of range in `fp-to-bv`,
/// applications of functions, reads of arrays and quotients in `smt`. This refuted a satisfiable problem.
#[test]
fn no_name_stands_for_the_values_of_a_bound_variable() {
    let Some(z3) = z3() else { return };
    let over = |before: &str| format!("({before} (solver {z3}))");
    let never_unsat = |text: &str, strategy: String| {
        let mut store = Store::new();
        let instance = instance(&mut store, &format!("{text}(check-sat)"));
        let report = run(&mut store, &instance, &read(&strategy), 60.0, false);
        assert_ne!(report.answer.word(), "unsat", "{strategy} on {text}");
    };
    let infinities = "(assert (forall ((b (_ BitVec 8))) (=> (fp.isInfinite ((_ to_fp 3 5) b))
         (= ((_ fp.to_ubv 4) RNE ((_ to_fp 3 5) b)) ((_ extract 7 4) b)))))";
    never_unsat(infinities, over("then fp-to-bv"));
    never_unsat("(declare-fun f (Int) Int)(assert (forall ((b Int)) (= (f b) b)))", over("smt"));
    never_unsat("(declare-const a (Array Int Int))(assert (forall ((b Int)) (= (select a b) b)))", over("smt"));
    never_unsat("(assert (forall ((b Int)) (=> (< 2 b 4) (= (div b 2) 1))))", over("smt"));
    never_unsat("(assert (forall ((b Int)) (= (ite (< b 0) 1 2) (ite (< b 0) 1 2))))", over("smt"));
}

const LISTS: &str = "(declare-datatypes ((L 0)) (((nil) (cons (hd Int) (tl L)))))(declare-const x Int)";

/// An operator with an open value for some arguments has a single value there.
#[test]
fn open_values_at_values_are_decided() {
    let check = |text: &str, expect: &str| check(&format!("{LISTS}{text}"), &["smt", "(then simplify smt)"], expect);
    check("(assert (= (hd nil) 3))", "sat");
    check("(assert (> (hd nil) 3))(assert (< (hd nil) x 3))", "unsat");
    check("(assert (= (hd nil) (+ (hd (tl (cons 1 nil))) 1)))", "unsat");
    check("(assert (> (fp.to_real (_ +oo 5 11)) (fp.to_real (_ NaN 5 11)) (fp.to_real (_ -oo 5 11))))", "sat");
    check("(assert (distinct (fp.to_real (_ +oo 5 11)) (fp.to_real (fp #b0 #b11111 #b0000000000))))", "unsat");
    let [above, below] = ["RNE", "RTZ"].map(|m| format!("((_ fp.to_sbv 8) {m} ((_ to_fp 5 11) RNE 128.5))"));
    check(
        &format!("(assert (bvult {above} {below} ))(assert (bvult {above} ((_ fp.to_ubv 8) RNE (_ NaN 5 11))))"),
        "sat",
    );
    check(&format!("(assert (bvult {above} {above}))"), "unsat");
}

const INTS: &str = "(declare-const x Int)(declare-const y Int)(declare-const r Real)(declare-const s Real)";

/// Division by zero is one function per operator: equal dividends have equal results.
#[test]
fn division_by_zero_is_a_function() {
    let check = |text: &str, expect: &str| check(&format!("{INTS}{text}"), &["smt", "(then simplify smt)"], expect);
    check("(assert (= (div x 0) 7))", "sat");
    check("(assert (distinct (div x 0) (div y 0)))", "sat");
    check("(assert (distinct (div x 0) (div y 0)))(assert (<= x y x))", "unsat");
    check("(assert (distinct (mod x 0) (mod y 0)))(assert (= x y 3))", "unsat");
    check("(assert (distinct (div x 0) (mod x 0)))", "sat");
    check("(assert (distinct (/ r 0.0) (/ s 0.0)))(assert (= r (+ s 1.0)))", "sat");
    check("(assert (distinct (/ r 0.0) (/ s 0.0)))(assert (= r (* 2.0 s)))(assert (= s 0.0))", "unsat");
    check("(assert (= (/ (/ r 0.0) 0.0) r))(assert (distinct (/ r 0.0) r))", "sat");
    check("(assert (= (div x 0) 1))(assert (= (div (div x 0) 0) 2))(assert (= (div 1 0) 3))", "unsat");
}

/// The response to `(get-model)` after a check.
fn model_of(text: &str, strategy: Option<&str>) -> String {
    let mut decide = ByStrategy::new(Solvers::default(), &BTreeMap::new()).expect("no named strategies");
    if let Some(strategy) = strategy {
        decide.give(&read(strategy)).expect("a strategy of our own");
    }
    let mut session = Session::new(&mut decide);
    let mut out = String::new();
    session.read(&format!("{text}(check-sat)(get-model)"), &mut out);
    out.strip_prefix("sat").unwrap_or_else(|| panic!("{text}: {out}")).to_string()
}

/// A model did not state its choices where the standard leaves a value open, so it could not be checked: `unknown`.
#[test]
fn models_say_what_they_choose() {
    let half = "(declare-const x Float16)(declare-const y Float16)(declare-const m RoundingMode)";
    let cases: &[(&str, String)] = &[
        ("fp.min", format!("{half}(assert (fp.isNegative (fp.min x y)))(assert (fp.isPositive (fp.min y x)))")),
        ("fp.max", format!("{half}(assert (fp.isZero x))(assert (distinct (fp.max x y) (fp.max y x)))")),
        ("fp.to_ubv", format!("{half}(assert (= ((_ fp.to_ubv 8) m x) #x0a))(assert (fp.isNaN x))")),
        (
            "fp.to_sbv",
            format!("{half}(assert (distinct ((_ fp.to_sbv 8) m x) ((_ fp.to_sbv 8) RTZ x)))(assert (fp.isNaN x))"),
        ),
        ("fp.to_ieee_bv", "(assert (= (fp.to_ieee_bv (_ NaN 5 11)) #xfe01))".to_string()),
        ("/", "(declare-const x Real)(declare-const y Real)(assert (= y (/ x 0.0)))".to_string()),
        ("div", "(declare-const x Int)(declare-const y Int)(assert (= y (div x 0)))".to_string()),
        ("/", format!("{INTS}(assert (< (/ r 0.0) (/ s 0.0)))")),
        ("div", format!("{INTS}(assert (= (div x 0) 5))(assert (= (mod (+ x 1) (- 1 1)) (- 3)))")),
        ("hd", format!("{LISTS}(assert (< 4 (hd nil) x))")),
        ("fp.to_real", "(assert (< (fp.to_real (_ +oo 5 11)) (fp.to_real (_ -oo 5 11))))".to_string()),
        ("mod", format!("{INTS}(assert (> (mod x 0) (div x 0) (mod y 0) (div y 0)))(assert (< x y))")),
    ];
    for (operator, text) in cases {
        let model = model_of(text, None);
        assert!(model.contains(&format!("(define-fun {operator} (")), "{text}: {model}");
        let mut store = Store::new();
        let instance = instance(&mut store, &format!("{text}(check-sat)"));
        let judged = settle(&mut store, &instance, &model, EvalLimits::default(), &mut |_, _| None);
        assert_eq!(judged.map(|j| j.1), Ok(Judgement::Valid), "{text}: {model}");
    }
    // A model that rests on no choice says none. (`fp-to-bv` without `simplify` may fix more than is needed.)
    let simplified = Some("(then simplify propagate-values fp-to-bv simplify sat)");
    assert!(!model_of("(declare-const x Float16)(assert (fp.isZero (fp.min x x)))", simplified).contains("fp.min"));
}

/// The parser considered the named elements of a model to be all: arrays that differ only at another one were read as equal.
#[test]
fn models_name_all_elements_of_uninterpreted_sorts() {
    for text in [
        "(declare-sort U 0)(declare-sort V 0)(declare-const d (Array U V))(declare-const e (Array U V))(declare-const u U)
         (declare-const v V)(assert (distinct d e))(assert (= (store d u v) (store e u v)))",
        "(declare-sort U 0)(declare-const f (Array U Bool))(declare-const g (Array U Bool))(declare-const a U)
         (assert (distinct f g))(assert (select f a))(assert (select g a))",
    ] {
        let mut store = Store::new();
        let instance = instance(&mut store, &format!("{text}(check-sat)"));
        let model = model_of(text, None);
        let judged = settle(&mut store, &instance, &model, EvalLimits::default(), &mut |_, _| None);
        assert_eq!(judged.map(|j| j.1), Ok(Judgement::Valid), "{text}: {model}");
    }
}
