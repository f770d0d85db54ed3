//! `squall validate --eval`: values of terms under models.

const PROBLEM: &str = "(declare-const x Int)\n(declare-fun f (Int) Bool)\n(declare-sort U 0)\n(declare-const u U)\n(declare-const r Real)\n";
const MODEL: &str = "((define-fun x () Int (- 7)) (define-fun f ((a Int)) Bool (ite (= a 2) true false)) (define-fun r () Real (root-obj (+ (^ x 2) (- 2)) 2)))";

/// The exit code and a part of the output.
fn check(term: &str, code: i32, says: &str) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (problem, model) = (folder.path().join("problem.smt2"), folder.path().join("model"));
    std::fs::write(&problem, PROBLEM).expect("a temporary file");
    std::fs::write(&model, MODEL).expect("a temporary file");
    let mut command = crate::support::program();
    let output = command.arg("validate").args([&problem, &model]).args(["--eval", term]).output().expect("it runs");
    let text = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(code), "{term}: {text}");
    assert!(text.contains(says), "{term}: expected {says:?} in: {text}");
}

#[test]
fn values_are_printed() {
    check("(* x 2)", 0, "(- 14)\n");
    check("(f (+ x 9))", 0, "true\n");
    check("(bvadd #xff #x02)", 0, "#x01\n");
    check("(/ 1.0 3.0)", 0, "(/ 1.0 3.0)\n");
    check("(str.++ \"a\" \"b\")", 0, "\"ab\"\n");
    check("(fp.add RNE (fp #b0 #b01 #b00) (fp #b0 #b01 #b00))", 0, "(fp #b0 #b10 #b00)\n");
}

#[test]
fn terms_without_a_value_are_named() {
    check("r", 0, "(root-obj (+ (^ x 2) (- 2)) 2)\n");
    check("(+ r 1.0)", 0, "(root-obj (+ (^ x 2) (* (- 2) x) (- 1)) 2)\n");
    check("(+ 1 (div x 0))", 11, "(div x 0)");
    check("(+ x true)", 2, "TERM:1:");
    check("(g x)", 2, "unknown symbol");
    check("x)", 2, "error");
}
