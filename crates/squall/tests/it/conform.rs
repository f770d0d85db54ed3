//! `squall conform` against the solvers at hand, and the table of explanations.

use std::process::Command;

fn run(args: &[&str]) -> (i32, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_squall")).arg("conform").args(args).output().expect("it runs");
    let text = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    (output.status.code().unwrap_or(-1), text)
}

#[test]
fn unknown_theories_and_operators_are_refused() {
    let (code, text) = run(&["--solver", "builtin:sat", "--theory", "Strngs"]);
    assert!(code == 2 && text.contains("FloatingPoint"), "{text}");
    let (code, text) = run(&["--solver", "builtin:sat", "--theory", "Ints", "--operator", "bvadd"]);
    assert!(code == 2 && text.contains("no operator"), "{text}");
}

/// Whether a solver is installed in the cache folder or on the machine; tests install nothing.
fn is_here(solver: &str) -> bool {
    let output = Command::new(env!("CARGO_BIN_EXE_squall")).args(["solver", "which", solver]).output();
    testing::require(solver, output.ok().filter(|o| o.status.success())).is_some()
}

#[test]
fn solvers_agree_with_the_evaluator() {
    let theories =
        ["Core", "Ints", "Reals", "Reals_Ints", "ArraysEx", "FixedSizeBitVectors", "FloatingPoint", "Strings"];
    for solver in ["z3@4.15.4", "cvc5"].into_iter().filter(|s| is_here(s)) {
        for theory in theories {
            let (code, text) = run(&["--solver", solver, "--theory", theory, "--count", "1000", "--seed", "2026"]);
            assert_eq!(code, 0, "{text}");
            assert!(text.contains(" 0 unexplained"), "{text}");
        }
    }
}

#[test]
fn the_same_seed_asks_the_same() {
    if !is_here("cvc5") {
        return;
    }
    let args = ["--solver", "cvc5", "--theory", "Ints", "--count", "600", "--seed", "5", "-v"];
    assert_eq!(run(&args), run(&args));
}
