//! `squall experiment conform` against the solvers at hand, and the table of explanations.

use std::process::Command;

fn run(args: &[&str]) -> (i32, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_squall"))
        .args(["experiment", "conform"])
        .args(args)
        .output()
        .expect("it runs");
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

/// Whether a solver is installed in the cache or on the machine; tests install nothing.
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

/// A stand-in gives the same value for every term: tests reading, agreement, and disagreements.
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
    check("true", "value", 10, &[wrong, ": bvult\n", " 0 without answer", " terms per second of our CPU time (60 in "]);
    // We do not evaluate the term in place of the solver.
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

/// z3 4.8.7 folds `fp.rem` of constants rightly, but has a wrong circuit for it: only hidden arguments show that.
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

/// A stand-in that prints the same goals for every problem: tests reading, deciding, and messages.
#[test]
fn goals_of_passes_are_decided() {
    let folder = tempfile::tempdir().expect("a folder");
    let scripts = folder.path().join("scripts");
    let table = folder.path().join("table.toml");
    std::fs::write(&table, "[[asking]]\nsolver = \"generic\"\npasses_by = \"apply\"\npasses = [\"p\"]\n")
        .expect("a file");
    let check = |goals: &str, code: i32, expect: &[&str]| {
        let script = folder.path().join("solver.sh");
        let text = format!("sed -n 's/^(echo \"\\(.*\\)\")$/\\1/p; s/^(apply .*$/{goals}/p'\n");
        std::fs::write(&script, text).expect("a file");
        let (spec, table, out) = (format!("/bin/sh \"{}\"", script.display()), table.display(), scripts.display());
        let (table, out) = (table.to_string(), out.to_string());
        let of = ["--solver", &spec, "--ask", "pass", "--theory", "bv", "--count", "12", "--seed", "5", "--verbose"];
        let (found, text) = run(&[&of[..], &["--explained", &table, "--out", &out]].concat());
        assert_eq!(found, code, "{goals}: {text}");
        for part in expect {
            assert!(text.contains(part), "{goals}, {part}: {text}");
        }
    };
    let end = ":precision precise :depth 1))";
    let unsat = [
        "  p: ",
        " 0 by choice, 0 open, 0 without answer",
        "DIFFERENT by reading and printing: a problem of bv that is sat is unsat after p",
    ];
    check(&format!("(goals (goal false {end}"), 10, &unsat);
    check("(goals)", 10, &unsat);
    let written: Vec<String> = std::fs::read_dir(&scripts)
        .expect("a folder")
        .map(|entry| std::fs::read_to_string(entry.expect("an entry").path()).expect("a script"))
        .collect();
    assert!(written.iter().any(|text| text.starts_with("(set-info :status sat)") && text.contains("(apply p)")));
    assert!(written.iter().any(|text| text.starts_with("(set-info :status unsat)") && !text.contains("(apply p)")));
    check(&format!("(goals (goal {end}"), 10, &["a problem of bv that is unsat is sat after p"]);
    // A goal that promises nothing, fresh symbols of finite and of infinite sorts, and output that is not a goal.
    check(
        "(goals (goal false :precision under :depth 1))",
        11,
        &["open 12: a goal is not precise", "could be decided"],
    );
    check(&format!("(goals (goal (not k) {end} (declare-fun k () Bool)"), 10, &["unsat is sat after p"]);
    let lost = "open 12: symbols are no longer confined to finite sets";
    check(&format!("(goals (goal (= (* k k) 7) {end} (declare-fun k () Int)"), 11, &[lost]);
    check(
        &format!("(goals (goal (strange 1) {end}"),
        11,
        &["open 12: the text cannot be read: unknown symbol `strange`"],
    );
    check("(goals (goal false", 11, &["open 12: no goals are printed"]);
    check("(error \"tactic failed\")", 11, &["no answer 12: tactic failed"]);
}

#[test]
fn passes_need_a_solver_that_prints_their_results() {
    let check = |args: &[&str], expect: &str| {
        let (code, text) = run(args);
        assert!(code == 2 && text.contains(expect), "{text}");
    };
    check(&["--solver", "builtin:sat", "--ask", "pass"], "passes_by");
    check(&["--solver", "builtin:sat", "--ask", "pass", "--theory", "Ints"], "no theory 'Ints' of small problems");
    check(&["--solver", "builtin:sat", "--ask", "pass", "--operator", "bvadd"], "--operator is for terms");
    check(&["--solver", "builtin:sat", "--passes", "simplify"], "`--ask pass`");
}

#[test]
fn passes_of_solvers_keep_the_truth_of_small_problems() {
    let check = |solver: &str, passes: &str, expect: &[&str]| {
        if !is_here(solver) {
            return;
        }
        let of = ["--solver", solver, "--ask", "pass", "--theory", "bv,uf", "--count", "40", "--seed", "3", "--passes"];
        let (code, text) = run(&[&of[..], &[passes]].concat());
        assert_eq!(code, 0, "{text}");
        for part in expect {
            assert!(text.contains(part), "{part}: {text}");
        }
    };
    check(
        "z3@4.15.4",
        "skip,(then simplify bit-blast),nosuch",
        &["  skip: 40 kept, 0 different", "  nosuch: 0 kept, 0 different, 0 by choice, 0 open, 40 without answer"],
    );
    check("cvc5", "--bv-to-bool,--no-such", &["  --bv-to-bool: ", "  --no-such: 0 kept"]);
}

/// z3 4.8.7 folds `fp.fma` wrongly where constants replace symbols: the guilty pass is named.
#[test]
fn a_pass_that_loses_the_truth_is_named() {
    let spec = "z3@4.8.7";
    let which = Command::new(env!("CARGO_BIN_EXE_squall")).args(["solver", "which", spec]).output();
    if !which.is_ok_and(|o| o.status.success()) {
        println!("skipped: no {spec}");
        return;
    }
    let of = ["--solver", spec, "--ask", "pass", "--theory", "fp", "--count", "400", "--seed", "2", "--passes"];
    let (code, text) = run(&[&of[..], &["skip,(then simplify propagate-values solve-eqs)"]].concat());
    assert_eq!(code, 10, "{text}");
    for part in ["  skip: 400 kept, 0 different", "DIFFERENT by propagate-values: ", "wrongly "] {
        assert!(text.contains(part), "{part}: {text}");
    }
}

/// Rules of a file are checked one by one: wrong rules, rules that cannot be checked and why, and the exit code.
#[test]
fn rewrite_rules_are_checked_one_by_one() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("theory/rewrites");
    std::fs::create_dir_all(folder.path().join("theory")).expect("a folder");
    std::fs::create_dir_all(folder.path().join("empty")).expect("a folder");
    std::fs::write(folder.path().join("theory/rewrites.cpp"), "no rules").expect("a file");
    let below = folder.path().display().to_string();
    let check = |rules: &str, args: &[&str], code: i32, expect: &[&str]| {
        std::fs::write(&path, rules).expect("a file");
        let (found, text) = run(&[&["--rules", &below][..], args].concat());
        assert_eq!(found, code, "{rules}: {text}");
        expect.iter().for_each(|part| assert!(text.contains(part), "{rules}: {part} is not in {text}"));
    };
    let right = "(define-rule right ((x ?BitVec)) (bvneg (bvneg x)) x)\n";
    let wrong = "(define-rule wrong ((x ?BitVec)) (bvneg x) (bvnot x))\n";
    let open = "(define-rule open ((x Int)) (div x 0) 0)\n";
    let foreign = "(define-rule foreign ((s ?Set)) s s)\n";
    check(right, &[], 0, &["1 rules: 1 hold at small sizes, 0 wrong, 0 by choice, 0 not checked;"]);
    check(right, &["--verbose"], 0, &["theory/rewrites:1:1: right: holds at 4 of 4 instances"]);
    check(
        &format!("{right}{wrong}"),
        &[],
        10,
        &[
            "theory/rewrites:2:1: wrong: WRONG: (bvneg x) (which is #b0) is not (bvnot x) (which is #b1) with x = #b0",
            "2 rules: 1 hold at small sizes, 1 wrong,",
        ],
    );
    check(open, &[], 0, &["rewrites:1:1: open: by choice: ", "a division by zero", "0 wrong, 1 by choice"]);
    check(
        &format!("{foreign}{right}"),
        &[],
        0,
        &["rewrites:1:26: foreign: not checked: unknown sort `?Set`", "1 not checked"],
    );
    check(foreign, &[], 11, &["1 rules: 0 hold"]);
    check(
        "(define-rule cut",
        &[],
        11,
        &["rewrites:1:1: not checked: a list, string or quoted symbol that is not closed"],
    );
    check(
        "(define-rule r ((x ?BitVec) (y ?BitVec)) (concat x y) x)",
        &[],
        11,
        &[
            "r: not checked: at no small size do the two sides have the same sort",
            "r: remark: the premises can hold and the right side is not of the sort of (concat x y)",
        ],
    );
    let refused = |args: &[&str], code: i32, expect: &str| {
        let (found, text) = run(args);
        assert!(found == code && text.contains(expect), "{args:?}: {found} {text}");
    };
    refused(&["--rules", &format!("{below}/empty")], 1, "there is no file of rules (`rewrites*` or `*.rare`) in");
    refused(&["--rules", &format!("{below}/none")], 2, "no file or folder has this name");
    refused(&["--rules", &below, "--solver", "z3"], 2, "cannot be used with");
    refused(&[], 2, "--solver");
    std::fs::write(&path, [0xff, 0xfe]).expect("a file");
    refused(&["--rules", &below], 1, "its text is not UTF-8");
}
