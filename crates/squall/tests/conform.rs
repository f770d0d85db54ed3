//! `squall conform` against the solvers at hand, and the table of explanations.

use std::process::Command;

fn run(args: &[&str]) -> (i32, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_squall")).arg("conform").args(args).output().expect("it runs");
    let text = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    (output.status.code().unwrap_or(-1), text)
}

fn on_path(program: &str) -> bool {
    std::env::var_os("PATH").is_some_and(|path| std::env::split_paths(&path).any(|p| p.join(program).is_file()))
}

#[test]
fn unknown_theories_and_operators_are_refused() {
    let (code, text) = run(&["--solver", "builtin:sat", "--theory", "Strngs"]);
    assert!(code == 1 && text.contains("FloatingPoint"), "{text}");
    let (code, text) = run(&["--solver", "builtin:sat", "--theory", "Ints", "--operator", "bvadd"]);
    assert!(code == 1 && text.contains("no operator"), "{text}");
}

#[test]
fn solvers_agree_with_the_evaluator() {
    for solver in ["z3", "cvc5"] {
        if !on_path(solver) {
            println!("skipped: no {solver}");
            continue;
        }
        for theory in ["Core", "Ints", "Reals", "Reals_Ints", "FixedSizeBitVectors"] {
            let (code, text) = run(&["--solver", solver, "--theory", theory, "--count", "1500"]);
            assert_eq!(code, 0, "{text}");
            assert!(text.contains(" 0 unexplained"), "{text}");
        }
    }
}

#[test]
fn the_same_seed_asks_the_same() {
    if !on_path("cvc5") {
        println!("skipped: no cvc5");
        return;
    }
    let args = ["--solver", "cvc5", "--theory", "Ints", "--count", "600", "--seed", "5", "-v"];
    assert_eq!(run(&args), run(&args));
}
