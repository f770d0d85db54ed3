//! `squall validate` on models that are right, wrong, incomplete, ill-formed and hostile.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

const PROBLEM: &str = "(set-logic QF_LIA)\n(declare-const x Int)\n(declare-const y Int)\n(assert (> x 3))\n\
                       (assert (and (< y x)\n  (= (+ x y) 10)))\n(check-sat)\n";

/// The time limit for every model, even a hostile one.
const BOUND: Duration = Duration::from_secs(600);

/// Runs the program on a problem and a model. Returns its exit code and all output.
fn validate(problem: &str, model: &str) -> (i32, String) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let write = |name: &str, text: &str| -> PathBuf {
        let path = folder.path().join(name);
        std::fs::write(&path, text).expect("a temporary file");
        path
    };
    let (problem, model) = (write("problem.smt2", problem), write("model", model));
    run(&[Path::new("validate"), &problem, &model])
}

fn run(args: &[&Path]) -> (i32, String) {
    let output = crate::support::program().args(args).output().expect("the program runs");
    let text = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    (output.status.code().unwrap_or(-1), text)
}

/// The exit code and a part of the output.
fn check(problem: &str, model: &str, code: i32, says: &str) {
    let started = Instant::now();
    let (exit, text) = validate(problem, model);
    let shown: String = text.chars().take(600).collect();
    assert_eq!(exit, code, "{shown}");
    assert!(text.contains(says), "expected {says:?} in: {shown}");
    assert!(!text.contains("panicked"), "{shown}");
    assert!(started.elapsed() < BOUND, "took {:?}", started.elapsed());
}

#[test]
fn models_are_judged() {
    check(PROBLEM, "sat\n((define-fun x () Int 6) (define-fun y () Int 4))", 0, "valid");
    check(PROBLEM, "(model (define-fun x () Int 6) (define-fun y () Int 4))", 0, "valid");
    check(PROBLEM, "((x 6) (y 4))", 0, "valid");
    // A session may ask for values and a model.
    check(PROBLEM, "sat\n(((+ x y) 10))\n(\n(define-fun x () Int 6)\n(define-fun y () Int 4)\n)", 0, "valid");
    check(PROBLEM, "sat\n((define-fun x () Int 6) (define-fun y () Int 5))\n(((+ x y) 10))", 10, "invalid");
    check(PROBLEM, "((define-fun x () Int 3) (define-fun y () Int 7))", 10, "problem.smt2:4:1: invalid");
    check(PROBLEM, "((define-fun x () Int 6) (define-fun y () Int 5))", 10, "problem.smt2:5:1: invalid");
    check(PROBLEM, "((define-fun x () Int 6) (define-fun y () Int 5))", 10, "= 11  is  (+ x y)");
}

#[test]
fn a_completed_model_is_never_invalid_by_its_defaults() {
    check(PROBLEM, "((define-fun x () Int 6))", 11, "symbols missing from the model, whose values are unknown (`y`)\n");
    let many: String = (0..7).map(|n| format!("(declare-const |x {n}| Int)")).collect();
    let many = format!("{many}(assert (= |x 6| 0))(check-sat)");
    check(
        &many,
        "()",
        0,
        "valid: with defaults for symbols missing from the model: `x 0`, `x 1`, `x 2`, `x 3`, `x 4`, 2 more",
    );
    check(PROBLEM, "((define-fun x () Int 10))", 0, "valid");
    // False for every y.
    check(PROBLEM, "((define-fun x () Int 1))", 10, "invalid");
}

#[test]
fn what_is_not_understood_is_said_once() {
    let garbage = "smt2: unknown: the model is not understood: `garbage` is not part of a model\n";
    check(PROBLEM, "((define-fun x () Int 6) (define-fun y () Int 4)) garbage", 11, garbage);
    let odd = "((define-fun x () Int 6) (define-fun y ((a)) Int 4))";
    check(
        PROBLEM,
        odd,
        11,
        "unknown: its value in the model is not understood (its parameters are not understood): y\n",
    );
    // An algebraic number is shown as by --eval.
    let root = "((define-fun r () Real (root-obj (+ (^ x 2) (- 2)) 2)))";
    let wrong = "(declare-const r Real)(assert (= (* r r) 3.0))(check-sat)";
    check(wrong, root, 10, "= (root-obj (+ (^ x 2) (- 2)) 2)  is  r\n");
}

#[test]
fn values_left_open_by_the_standard_are_unknown() {
    let problem = "(declare-const x Int)(assert (= (div x 0) 5))(check-sat)";
    check(problem, "((define-fun x () Int 1))", 11, "division by zero");
    check(problem, "((define-fun x () Int 1) (define-fun div0 ((a Int)) Int 5))", 0, "valid");
    check(problem, "((define-fun x () Int 1) (define-fun div0 ((a Int)) Int 6))", 10, "invalid");
}

#[test]
fn every_check_has_its_model() {
    let problem = "(declare-const p Bool)(push)(assert p)(check-sat)(pop)(assert (not p))(check-sat)";
    check(problem, "sat\n((define-fun p () Bool true))\nsat\n((define-fun p () Bool false))", 0, "valid");
    check(problem, "sat\n((define-fun p () Bool true))\nsat\n((define-fun p () Bool true))", 10, "check 2: invalid");
    check(problem, "sat\n((define-fun p () Bool true))\nunsat\n", 0, "valid");
    check(problem, "unsat\nunsat\n", 11, "no check is answered sat");
    check(problem, "((define-fun p () Bool true))", 1, "2 checks");
}

#[test]
fn bad_models_are_distinguished() {
    check(PROBLEM, "(error \"no model\")", 11, "no model");
    check(PROBLEM, "((define-fun x () Bool true) (define-fun y () Int 4))", 11, "rank");
    check(PROBLEM, "((define-fun z () Int 1))", 11, "");
    check(PROBLEM, "((define-fun x () Int y) (define-fun y () Int x))", 11, "is cyclic");
    check(PROBLEM, "((define-fun x () Int 6", 1, "parenthesis");
    check("(assert (> x 3))", "()", 1, "error");
}

#[test]
fn hostile_models_end_in_time() {
    let digits = "9".repeat(1_000_000);
    check(PROBLEM, &format!("((define-fun x () Int {digits}) (define-fun y () Int (- 10 {digits})))"), 0, "valid");
    let wide = "(declare-const v (_ BitVec 8))(assert (= v #x00))(check-sat)";
    check(wide, "((define-fun v () (_ BitVec 99999999999) (_ bv0 99999999999)))", 11, "unknown");
    let string = "(declare-const s String)(assert (= (str.len s) 10000000))(check-sat)";
    check(string, &format!("((define-fun s () String \"{}\"))", "a".repeat(10_000_000)), 0, "valid");
    let nested = format!(
        "{}(re.* (str.to_re \"a\")){}",
        "(re.comp (re.++ re.all (str.to_re \"b\") ".repeat(40),
        "))".repeat(40)
    );
    let explosive = format!("(declare-const s String)(assert (str.in_re s {nested}))(check-sat)");
    let (exit, text) = validate(&explosive, &format!("((define-fun s () String \"{}\"))", "ab".repeat(500)));
    assert!([0, 10, 11].contains(&exit) && !text.contains("panicked"), "{exit}: {text}");
    let deep =
        format!("((define-fun x () Int {}6{}) (define-fun y () Int 4))", "(+ 0 ".repeat(200_000), ")".repeat(200_000));
    check(PROBLEM, &deep, 0, "valid");
}
