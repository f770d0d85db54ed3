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

/// A stand-in says the same value of every term: what is read, what agrees, and what shows a disagreement.
#[test]
fn printed_values_are_compared_with_ours() {
    let folder = tempfile::tempdir().expect("a folder");
    let check = |value: &str, ask: &str, code: i32, expect: &[&str]| {
        let script = folder.path().join("solver.sh");
        let text = format!(
            "sed -n 's/^(echo \"\\(.*\\)\")$/\\1/p; s/^(get-value (\\(.*\\)))$/((\\1 {value}))/p; s/^.*(check-sat)$/sat/p'\n"
        );
        std::fs::write(&script, text).expect("a file");
        let spec = format!("/bin/sh \"{}\"", script.display());
        let of = ["--theory", "FixedSizeBitVectors", "--operator", "bvult", "--count", "60", "--ask", ask, "--rates"];
        let (found, text) = run(&[&["--solver", &spec][..], &of].concat());
        assert_eq!(found, code, "{value}: {text}");
        for part in expect {
            assert!(text.contains(part), "{value}, {part}: {text}");
        }
    };
    let wrong = " says true\n      wrongly sat: (set-logic ALL) (assert (not (= (bvult ";
    check("true", "value", 10, &[wrong, ": bvult\n", " 0 without answer", " terms a second of our CPU time (60 in "]);
    // The term is not evaluated by us in the solver's place.
    check("(bvult #b0 #b1)", "value", 11, &["no answer 60: bvult: left as a term that is no value", " never answered"]);
    check("#b1", "value", 11, &["no answer 60: bvult: the value printed cannot be read"]);
    check("true", "simplify", 2, &["does not know (simplify t)", "--ask value"]);
}

#[test]
fn z3_folds_as_we_do_however_it_is_asked() {
    if !is_here("z3@4.15.4") {
        return;
    }
    for theory in ["Reals", "ArraysEx", "FixedSizeBitVectors", "FloatingPoint", "Strings"] {
        for ask in ["check", "simplify", "value"] {
            let args = ["--solver", "z3@4.15.4", "--theory", theory, "--count", "1000", "--seed", "7", "--ask", ask];
            let (code, text) = run(&args);
            assert_eq!(code, 0, "{ask}: {text}");
            assert!(text.contains(" 0 unexplained"), "{ask}: {text}");
        }
    }
    let (code, text) = run(&[
        "--solver",
        "z3@4.15.4",
        "--theory",
        "FixedSizeBitVectors",
        "--operator",
        "bvsmod",
        "--count",
        "100",
        "--ask",
        "hidden",
    ]);
    assert!(code == 0 && !text.contains(" 0 agreed"), "{text}");
}

/// Version 4.8.7 of z3 folds `fp.rem` of constants rightly and has a wrong circuit for it: only hidden arguments show that.
#[test]
fn wrong_circuits_are_found_behind_right_constant_folding() {
    let spec = "z3@4.8.7";
    let which = Command::new(env!("CARGO_BIN_EXE_squall")).args(["solver", "which", spec]).output();
    if testing::require(spec, which.ok().filter(|output| output.status.success())).is_none() {
        return;
    }
    let of = [
        "--solver",
        spec,
        "--theory",
        "FloatingPoint",
        "--operator",
        "fp.rem",
        "--count",
        "100",
        "--seed",
        "3",
        "--ask",
    ];
    let (code, text) = run(&[&of[..], &["simplify"]].concat());
    assert!(code == 0 && text.contains(" 100 agreed"), "{text}");
    let (code, text) = run(&[&of[..], &["hidden"]].concat());
    assert!(code == 10 && text.contains("wrongly sat: (set-logic ALL) "), "{text}");
    assert!(text.contains("(or (= a0 ") && text.contains(": fp.rem\n"), "{text}");
}
