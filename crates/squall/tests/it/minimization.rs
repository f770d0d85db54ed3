//! `squall experiment minimization` end to end, with a wrong solver, and a script that plays ddSMT.

use crate::support::{ALWAYS, Stage, printed, squall};
use serde_json::Value;
use std::fs;
use std::path::PathBuf;

/// Answers `unsat` if it reads `xor`, and `sat` otherwise.
const WRONG: &str = r#"read_all=$(cat)
answer=sat
case "$read_all" in *xor*) answer=unsat;; esac
printf '%s\n' "$read_all" | grep -o '(check-sat' | while read -r l; do echo $answer; done
"#;

/// Called like ddSMT: `--ignore-output -j 1 --timeout 60 IN OUT /bin/sh CHECK`. Its first candidate has lost its truth.
const DDSMT: &str = r#"#!/bin/sh
in=$6; out=$7
"$8" "$9" "$in"; [ $? = 10 ] || { echo "no golden run"; exit 1; }
head='(set-logic QF_UF)(declare-const p Bool)(declare-const q Bool)'
echo "$head(assert (xor p p))(check-sat)" > "$out.try"
"$8" "$9" "$out.try"; [ $? = 0 ] || { echo "a right answer passed for wrong"; exit 1; }
echo "$head(assert (xor p q))(check-sat)" > "$out.try"
"$8" "$9" "$out.try"; [ $? = 10 ] || { echo "a wrong answer passed for right"; exit 1; }
mv "$out.try" "$out"
"#;

const SCRIPT: &str = "(set-logic QF_UF)(declare-const a Bool)(declare-const b Bool)(declare-const c Bool)\
    (assert (or a c b))(assert (=> c (or a (not b))))(assert (and (or a b c) (xor (and a (or b c)) (not (or a b)))))(check-sat)\n";

fn stage() -> Stage {
    let stage = Stage::new(WRONG);
    fs::write(stage.path("repaired.sh"), ALWAYS).expect("a file");
    fs::write(stage.path("big.smt2"), SCRIPT).expect("a file");
    stage
}

/// The program that plays ddSMT.
fn ddsmt(stage: &Stage) -> PathBuf {
    use std::os::unix::fs::PermissionsExt;
    let path = stage.path("ddsmt");
    fs::write(&path, DDSMT).expect("a file");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("a mode");
    path
}

fn minimization(stage: &Stage, arguments: &[&str]) -> (Option<i32>, String, String) {
    let solver = stage.solver("");
    let repaired = format!("/bin/sh {} sat", stage.path("repaired.sh").display());
    let mut command = squall();
    command.args(["experiment", "minimization", "--solver", solver.trim(), "--trust", &repaired]);
    command.args(["--quick", "--jobs", "1"]).args(arguments);
    for (option, value) in [("--out", "compared"), ("--for-cpu", "60s")] {
        if !arguments.contains(&option) {
            command.args([option, value]);
        }
    }
    // Otherwise a program of this machine may be found.
    command.env("PATH", "/usr/bin:/bin");
    printed(command.current_dir(stage.root.path()))
}

#[test]
fn reducers_are_compared_by_one_oracle() {
    let stage = stage();
    let program = ddsmt(&stage);
    let words = ["big.smt2", "--ddsmt", program.to_str().expect("a path")];
    let (code, stdout, stderr) = minimization(&stage, &words);
    assert_eq!(code, Some(0), "{stdout}{stderr}");
    let read = |name: &str| fs::read_to_string(stage.path("compared").join(name)).expect("a file");
    let results: Value = serde_json::from_str(&read("results.json")).expect("JSON");
    let reducers = &results["minimization"]["files"][0]["reducers"];
    assert_eq!([0, 1].map(|n| reducers[n]["reducer"].clone()), ["passes", "ddsmt"].map(Value::from));
    for n in 0..2 {
        let row = &reducers[n];
        let counts = ["runs", "stopped", "failed", "lost"].map(|key| row[key].as_u64());
        assert_eq!(counts, [2, 0, 0, 0].map(Some), "{results}");
        assert!(row["bytes"]["median"].as_f64() < Some(SCRIPT.len() as f64), "{results}");
    }
    let calls = &reducers[1]["calls"];
    assert_eq!((calls["low"].as_f64(), calls["high"].as_f64()), (Some(3.0), Some(3.0)), "{results}");
    assert_eq!(reducers[1]["assertions"]["median"], 1.0, "{results}");
    assert_eq!(read("runs.csv").lines().count(), 5, "{}", read("runs.csv"));
    assert!(read("figures.md").contains("|  | ddSMT 2 | "), "{}", read("figures.md"));
    assert!(read("index.html").contains("<figcaption>big</figcaption>"), "{}", read("index.html"));
    assert!(stdout.contains("Every result, judged again from its file, still shows the error"), "{stdout}");
    // Nothing runs again, and other conditions need another folder.
    let before = read("runs.csv");
    assert_eq!((minimization(&stage, &words).0, read("runs.csv")), (Some(0), before));
    let other = minimization(&stage, &[&words[..], &["--seed", "2", "--runs", "1", "--for-cpu", "50s"]].concat());
    assert!(other.0 == Some(1) && other.2.contains("was made under other conditions"), "{}", other.2);
}

#[test]
fn files_are_made_where_none_are_named_and_ddsmt_may_be_missing() {
    let stage = stage();
    let (code, stdout, stderr) = minimization(&stage, &["--runs", "1", "--make-for", "3s"]);
    // The stand-in errs on each `xor` in mutants of the embedded seed, if there are any.
    assert!(stderr.contains("making files for 3s of CPU time"), "{stderr}");
    match code {
        Some(2) => assert!(stderr.contains("there is no wrong unsat"), "{stderr}"),
        Some(1) => assert!(stderr.contains("no finding"), "{stderr}"),
        code => {
            assert_eq!(code, Some(0), "{stdout}{stderr}");
            assert!(stdout.contains("ddsmt is not installed: pip install ddsmt"), "{stdout}");
        }
    }
    let found = stage.fuzz("", &["--mutator", "storm", "--until-found", "A", "--seed", "1", "--reduce-share", "0"]);
    assert_eq!(found.code, Some(10), "{}", found.stderr);
    let (code, stdout, stderr) = minimization(&stage, &["out", "--runs", "1", "--out", "of-campaign"]);
    assert_eq!(code, Some(0), "{stdout}{stderr}");
    assert!(stdout.contains("ddsmt is not installed: pip install ddsmt"), "{stdout}");
    assert!(stdout.lines().any(|line| line.trim().starts_with("passes of squall reduce ")), "{stdout}");
}

#[test]
fn mistakes_are_named() {
    let stage = stage();
    let check = |arguments: &[&str], code: i32, part: &str| {
        let run = minimization(&stage, arguments);
        assert_eq!(run.0, Some(code), "{arguments:?}: {}{}", run.1, run.2);
        assert!(run.2.contains(part), "{arguments:?}: {}", run.2);
    };
    check(&["nowhere"], 2, "there is no 'nowhere'");
    check(&["big.smt2", "--ddsmt", "nowhere"], 2, "--ddsmt: there is no 'nowhere'");
    check(&["big.smt2", "./big.smt2"], 2, "two of the files are named big");
    fs::create_dir(stage.path("empty")).expect("a folder");
    check(&["empty"], 1, "empty");
}

#[test]
fn a_candidate_is_judged() {
    let stage = stage();
    let small = |name: &str, body: &str| {
        let text = format!("(set-logic QF_UF)(declare-const p Bool)(declare-const q Bool){body}(check-sat)\n");
        fs::write(stage.path(name), text).expect("a file");
    };
    small("wrong.smt2", "(assert (xor p q))");
    small("right.smt2", "(assert (xor p p))");
    small("shallow.smt2", "(assert (or p q))");
    let solver = stage.solver("");
    let check = |candidate: &str, wrong: &[&str], code: i32, part: &str| {
        let mut command = squall();
        command.args(["experiment", "judge", "big.smt2", candidate, "--solver", solver.trim(), "--trust", "none"]);
        let (given, stdout, stderr) = printed(command.args(wrong).current_dir(stage.root.path()));
        assert_eq!(given, Some(code), "{candidate}: {stdout}{stderr}");
        assert!(stdout.contains(part) || stderr.contains(part), "{candidate}: {stdout}{stderr}");
    };
    let unsat = ["--wrong", "unsat"];
    check("wrong.smt2", &unsat, 10, "shown: ");
    check("right.smt2", &unsat, 0, "the truth is lost: ");
    check("shallow.smt2", &unsat, 0, "not shown: sat");
    check("wrong.smt2", &[], 1, "say how the solver is wrong");
    check("none.smt2", &unsat, 2, "none.smt2");
}
