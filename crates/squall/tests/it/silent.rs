//! A campaign that compares no answer with anything has tested nothing, and says so.

const SEED: &str = "(declare-const x Int)(assert (or (> x 1) (< x 9)))(check-sat)";

/// Fuzzes a stand-in solver, a shell script with this body, and checks the exit code and the summary. All mutants are satisfiable, so a
/// solver that always answers `sat` is right.
fn check(body: &str, code: i32, expect: &str) {
    check_with(body, SEED, &["--mutator", "storm"], code, expect);
}

/// The same with a seed and more arguments.
fn check_with(body: &str, script: &str, arguments: &[&str], code: i32, expect: &str) {
    let folder = tempfile::tempdir().unwrap();
    let place = |name: &str| folder.path().join(name).display().to_string();
    let (solver, seed, out) = (place("solver"), place("seed.smt2"), place("out"));
    testing::executable(solver.as_ref(), &format!("#!/bin/sh\nt=$(cat)\n{body}\n"));
    std::fs::write(&seed, script).unwrap();
    let mut command = crate::support::program();
    command.args(["fuzz", &seed, "--solver", &solver, "--jobs", "1", "--mutants", "4", "--out", &out]);
    let output = command.args(["--incremental", "off"]).args(arguments).output().expect("squall can be run");
    let summary = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
    assert!(summary.contains(expect), "{body}: {summary}");
    assert_eq!(output.status.code(), Some(code), "{body}: {summary}");
}

#[test]
fn a_solver_that_never_answers_is_no_clean_campaign() {
    check("exit 1", 2, "does not answer a problem of Booleans: it prints nothing");
    check("echo '(error \"unknown option\")'", 2, "does not answer a problem of Booleans: unknown option");
    check(r#"case "$t" in *Int*) exit 1;; *) echo sat;; esac"#, 1, "No check was ever answered");
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
    // Models are judged without a comparison, and the words say that they are all that was tested.
    let models = r#"printf '%s\n' "$t" | awk '/^.check-sat/ { print "sat" } /^.get-model/ { print "((define-fun x () Int 2))" }'"#;
    let judged = ["--mutator", "exec:cat", "--models", "100", "--relations", "off"];
    check_with(models, SEED, &judged, 0, "Nothing wrong was found in the models of ");
    // Crashes are found without a comparison.
    check_with("kill -SEGV $$", SEED, &["--mutator", "exec:cat"], 10, "class D");
}

#[test]
fn a_campaign_full_of_errors_says_so() {
    // Every other script about the seed's variable is an error.
    let body = r#"case "$t" in *Int*) echo run >> "$0.runs";; *) echo sat; exit;; esac
        [ $(($(wc -l < "$0.runs") % 2)) = 1 ] && echo sat || echo '(error "odd")'"#;
    check(body, 0, "more than a tenth, had errors or no answer");
    check(body, 0, " × odd");
    check(body, 0, "Nothing wrong was found in the other ");
    check(body, 0, "Messages instead of answers to ");
    // Without a name, this command tests all installed solvers.
    check(body, 0, "with `squall solver doctor /");
    // What is said instead of an answer is not "without output".
    let body = body.replace(r#"'(error "odd")'"#, "x is not handled >&2");
    check(&body, 0, " without an answer.");
    check(&body, 0, " × x is not handled");
}

#[test]
fn unresolved_contradictions_are_kept() {
    let folder = tempfile::tempdir().unwrap();
    let (seed, out) = (folder.path().join("seed.smt2"), folder.path().join("out"));
    std::fs::write(&seed, SEED).unwrap();
    let mut command = crate::support::program();
    command.arg("fuzz").arg(&seed).args([
        "--solver",
        "builtin:sat",
        "--truth",
        "differential",
        "--mutator",
        "operator",
    ]);
    for (name, answer) in [("a", "sat"), ("b", "unsat")] {
        let program = folder.path().join(name);
        testing::executable(&program, &format!("#!/bin/sh\ncat > /dev/null\necho {answer}\n"));
        command.arg("--solver").arg(program);
    }
    command.args(["--jobs", "1", "--mutants", "30", "--incremental", "off", "--models", "0", "--out"]).arg(&out);
    let output = command.output().expect("squall can be run");
    let (told, _) = (String::from_utf8_lossy(&output.stdout), &output.stderr);
    assert_eq!(output.status.code(), Some(11), "{told}");
    assert!(told.contains("Solvers contradict each other at ") && !told.contains("Nothing wrong was found"), "{told}");
    let kept: Vec<_> = std::fs::read_dir(out.join("disagreements")).expect("a folder").flatten().collect();
    assert!((1..=15).contains(&kept.len()), "{kept:?}");
    for name in ["sat.smt2", "unsat.smt2"] {
        let text = std::fs::read_to_string(kept[0].path().join(name)).expect("a script");
        assert!(text.contains("/b: unsat") && text.contains("a: sat") && text.contains("(check-sat"), "{text}");
    }
    let page = crate::support::program().arg("report").arg(&out).output().expect("squall can be run");
    assert_eq!(page.status.code(), Some(0), "{}", String::from_utf8_lossy(&page.stderr));
    let page = std::fs::read_to_string(out.join("report.html")).expect("a page");
    assert!(page.contains(&format!("has {} of these scripts", kept.len())), "{page}");
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
