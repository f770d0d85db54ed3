//! A campaign against something that never answers has tested nothing, and says so.

use std::process::Command;

/// Fuzzes a stand-in solver, a shell script with this body, and checks the exit code and what the summary says.
fn check(body: &str, code: i32, expect: &str) {
    let folder = tempfile::tempdir().unwrap();
    let place = |name: &str| folder.path().join(name).display().to_string();
    let (solver, seed, out) = (place("solver"), place("seed.smt2"), place("out"));
    testing::executable(solver.as_ref(), &format!("#!/bin/sh\ncat > /dev/null\n{body}\n"));
    std::fs::write(&seed, "(declare-const x Int)(assert (or (> x 1) (< x 9)))(check-sat)").unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_squall"));
    command.args(["fuzz", &seed, "--solver", &solver, "--jobs", "1", "--mutants", "4", "--out", &out]);
    let output = command.args(["--incremental", "off"]).output().expect("squall can be run");
    let summary = String::from_utf8_lossy(&output.stdout);
    assert!(summary.contains(expect), "{body}: {summary}");
    assert_eq!(output.status.code(), Some(code), "{body}: {summary}");
}

#[test]
fn a_solver_that_never_answers_is_no_clean_campaign() {
    check("exit 1", 1, "No check was ever answered");
    check("echo '(error \"unknown option\")'", 1, "No check was ever answered");
    check("echo sat", 0, "Nothing wrong was found");
    check("echo unknown", 0, "Nothing wrong was found");
    check("echo unsat", 10, "Found:");
}
