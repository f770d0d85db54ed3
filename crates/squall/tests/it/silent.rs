//! A campaign that compares no answer with anything has tested nothing, and says so.

const SEED: &str = "(declare-const x Int)(assert (or (> x 1) (< x 9)))(check-sat)";

/// Fuzzes a stand-in solver, a shell script with this body, and checks the exit code and what the summary says. All mutants
/// are satisfiable: what says so always is right.
fn check(body: &str, code: i32, expect: &str) {
    check_with(body, SEED, &["--mutator", "storm"], code, expect);
}

/// The same with a seed and further arguments.
fn check_with(body: &str, script: &str, arguments: &[&str], code: i32, expect: &str) {
    let folder = tempfile::tempdir().unwrap();
    let place = |name: &str| folder.path().join(name).display().to_string();
    let (solver, seed, out) = (place("solver"), place("seed.smt2"), place("out"));
    testing::executable(solver.as_ref(), &format!("#!/bin/sh\ncat > /dev/null\n{body}\n"));
    std::fs::write(&seed, script).unwrap();
    let mut command = crate::support::program();
    command.args(["fuzz", &seed, "--solver", &solver, "--jobs", "1", "--mutants", "4", "--out", &out]);
    let output = command.args(["--incremental", "off"]).args(arguments).output().expect("squall can be run");
    let summary = String::from_utf8_lossy(&output.stdout);
    assert!(summary.contains(expect), "{body}: {summary}");
    assert_eq!(output.status.code(), Some(code), "{body}: {summary}");
}

#[test]
fn a_solver_that_never_answers_is_no_clean_campaign() {
    check("exit 1", 1, "No check was ever answered");
    check("echo '(error \"unknown option\")'", 1, "No check was ever answered");
    check("echo sat", 0, "Nothing wrong was found");
    check("echo unknown", 11, "No check was answered 'sat' or 'unsat', so no answer was tested");
    check("echo unsat", 10, "Found:");
}

#[test]
fn a_campaign_without_a_comparison_is_not_clean() {
    let nobody = "No answer was compared with anything";
    check_with("echo sat", SEED, &["--mutator", "exec:cat"], 11, nobody);
    check_with("echo unsat", SEED, &["--mutator", "exec:cat"], 11, nobody);
    check_with("echo sat", SEED, &["--mutator", "storm>exec:cat"], 11, nobody);
    // Two solvers are compared.
    check_with("echo sat", SEED, &["--mutator", "exec:cat", "--solver", "builtin:sat"], 0, "Nothing wrong was found");
    check_with(
        "echo sat",
        SEED,
        &["--mutator", "exec:cat", "--reference", "builtin:sat"],
        0,
        "Nothing wrong was found",
    );
    check_with("echo sat", SEED, &["--mutator", "exec:cat", "--reference", "builtin:unknown"], 11, nobody);
    // Crashes are found without a comparison.
    check_with("kill -SEGV $$", SEED, &["--mutator", "exec:cat"], 10, "class D");
}

#[test]
fn a_campaign_without_a_mutant_is_not_clean() {
    let broken = "No mutant could be made, in ";
    check_with("echo sat", SEED, &["--mutator", "exec:no-such-command", "--units", "2"], 11, broken);
    check_with("echo sat", SEED, &["--mutator", "exec:true", "--units", "2"], 11, broken);
    let skipped = "No mutant was sent, so nothing was tested";
    check_with("echo sat", "(assert (frobnicate))(check-sat)", &["--mutator", "storm"], 11, skipped);
    check_with("echo sat", "(assert true)", &["--mutator", "storm"], 11, skipped);
}
