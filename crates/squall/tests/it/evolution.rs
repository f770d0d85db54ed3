//! `squall experiment evolution` end to end, with a solver that is wrong in two ways.

use crate::support::{Stage, printed};
use serde_json::Value;
use std::fs;
use std::process::Command;

/// Answers `unsat` if it reads `xor`, crashes if it reads `distinct`, and answers `sat` otherwise.
const WRONG: &str = r#"read_all=$(cat)
case "$read_all" in *distinct*) kill -SEGV $$;; esac
answer=sat
case "$read_all" in *xor*) answer=unsat;; esac
printf '%s\n' "$read_all" | grep '^(check-sat' | while read -r l; do echo $answer; done
"#;

/// A solver without installed versions.
const NOWHERE: &str = "opensmt";

/// The program with the user's own cache, which has the solvers of the tests.
fn program() -> Command {
    Command::new(env!("CARGO_BIN_EXE_squall"))
}

fn stage() -> Stage {
    let stage = Stage::new(WRONG);
    fs::create_dir(stage.path("files")).expect("a folder");
    let file = |name: &str, text: &str| {
        fs::write(stage.path(&format!("files/{name}.smt2")), text).expect("a file");
    };
    file("xor", "(declare-const p Bool)(declare-const q Bool)(assert (xor p q))(check-sat)\n");
    file("distinct", "(declare-const p Bool)(assert (distinct p true))(check-sat)\n");
    file("right", "(declare-const p Bool)(assert p)(check-sat)\n");
    file("wrong", "(declare-const p Bool)(assert (and p (not p)))(check-sat)\n");
    file("stated", "(set-logic QF_LIA)(declare-const x Int)(assert (> x 1))(set-info :status sat)(check-sat)\n");
    file("untold", "(set-logic QF_LIA)(declare-const x Int)(assert (> x 1))(check-sat)\n");
    stage
}

fn evolution(stage: &Stage, arguments: &[&str]) -> (Option<i32>, String, String) {
    let mut command = program();
    command.args(["experiment", "evolution", "--out", "evolved"]).args(arguments);
    printed(command.current_dir(stage.root.path()))
}

fn results(stage: &Stage) -> Value {
    serde_json::from_slice(&fs::read(stage.path("evolved/results.json")).expect("a file")).expect("JSON")
}

#[test]
fn a_build_runs_problems_with_known_answers() {
    let stage = stage();
    let build = stage.solver("");
    let (code, stdout, stderr) =
        evolution(&stage, &["files", "--solver", NOWHERE, "--build", &build, "--count", "0", "--jobs", "1"]);
    assert_eq!(code, Some(0), "{stdout}{stderr}");
    assert!(stderr.contains("skipped: 1 file without a known right answer"), "{stderr}");
    let history = &results(&stage)["history"];
    let counts = &history["releases"][0]["counts"];
    let count = |name: &str| counts[name].as_u64().unwrap_or_default();
    assert_eq!(["right", "wrong_unsat", "wrong_sat", "crash"].map(count), [2, 1, 1, 1], "{history}");
    let standing: Vec<&str> =
        history["standing"].as_array().into_iter().flatten().filter_map(|bug| bug["shortest"].as_str()).collect();
    assert_eq!(standing, ["files/distinct.smt2", "files/wrong.smt2", "files/xor.smt2"]);
    // The table, the page and the rows agree, and the problems with their answers are next to them.
    assert!(stdout.contains("\nQF_UF   wrong unsat         1  "), "{stdout}");
    let read = |name: &str| fs::read_to_string(stage.path("evolved").join(name)).expect("a file");
    assert!(read("answers.csv").contains("\nfiles/wrong.smt2,QF_UF,unsat,wrong sat\n"), "{}", read("answers.csv"));
    assert!(read("index.html").contains("xor-000004.smt2"), "{}", read("index.html"));
    assert!(read("problems/xor-000004.smt2").contains("(set-info :status sat)\n(check-sat)"));
    let all = results(&stage);
    let stated =
        all["problems"].as_array().into_iter().flatten().filter(|problem| problem["truth"]["kind"] == "trusted");
    assert_eq!(stated.count(), 1, "{all}");
}

#[test]
fn releases_are_ordered_and_run_once() {
    let stage = stage();
    let which = program().args(["solver", "which", "z3@4.15.4"]).output();
    if testing::require("z3@4.15.4", which.ok().filter(|output| output.status.success())).is_none() {
        return;
    }
    let build = stage.solver("");
    let arguments =
        ["files", "--solver", "z3", "--release", "4.15.4", "--build", &build, "--count", "40", "--seed", "5"];
    let (code, stdout, stderr) = evolution(&stage, &arguments);
    assert_eq!(code, Some(0), "{stdout}{stderr}");
    let releases = results(&stage)["history"]["releases"].clone();
    assert_eq!(releases[0]["label"], "z3@4.15.4");
    assert!(releases[0]["counts"]["right"].as_u64() >= Some(35), "{releases}");
    let broke: Vec<&str> = releases[1]["broke"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    assert!(["files/distinct.smt2", "files/xor.smt2"].iter().all(|name| broke.contains(name)), "{broke:?}");
    // Results of a release are kept, those of a build are not: it changes.
    let kept = || fs::read_to_string(stage.path("evolved/journal.jsonl")).expect("a file").trim().to_string();
    let before = kept();
    assert_eq!(before.lines().count(), 1, "{before}");
    assert_eq!(evolution(&stage, &arguments).0, Some(0));
    assert_eq!(kept(), before);
    // Other problems are other runs.
    let other = evolution(&stage, &[&arguments[..10], &["7"]].concat());
    assert_eq!(other.0, Some(0), "{}", other.2);
    assert!(kept().starts_with(&before) && kept() != before, "{}", kept());
}

#[test]
fn a_quick_run_has_fewer_problems_and_releases() {
    let stage = stage();
    let installed = program().args(["solver", "list"]).output().map(|output| output.stdout).unwrap_or_default();
    let installed = String::from_utf8_lossy(&installed).lines().filter(|line| line.starts_with("z3@")).count();
    if testing::require("z3@4.15.4", (installed > 0).then_some(())).is_none() {
        return;
    }
    let (code, stdout, stderr) = evolution(&stage, &["--solver", "z3", "--quick", "--count", "4"]);
    assert_eq!(code, Some(0), "{stdout}{stderr}");
    let results = results(&stage);
    let length = |value: &Value| value.as_array().map_or(0, Vec::len);
    assert_eq!(length(&results["history"]["releases"]), installed.min(8), "{results}");
    assert_eq!(length(&results["problems"]), 4, "{results}");
}

#[test]
fn mistakes_are_named() {
    let stage = stage();
    let build = stage.solver("");
    let check = |arguments: &[&str], code: i32, part: &str| {
        let run = evolution(&stage, arguments);
        assert_eq!(run.0, Some(code), "{arguments:?}: {}{}", run.1, run.2);
        assert!(run.2.contains(part), "{arguments:?}: {}", run.2);
    };
    check(&[], 2, "--solver <NAME>");
    check(&["--solver", "zz3"], 2, "zz3");
    check(&["--solver", NOWHERE], 2, "no release of opensmt is installed");
    check(&["--solver", NOWHERE, "--build", &build, "--count", "0"], 2, "there are no problems");
    check(&["--solver", NOWHERE, "--build", "z3"], 2, "--build z3: it is not the path of a program");
    check(&["nowhere", "--solver", NOWHERE, "--build", &build], 2, "nowhere");
    fs::write(stage.path("lie.smt2"), "(assert false)(set-info :status sat)(check-sat)\n").expect("a file");
    check(
        &["lie.smt2", "--solver", NOWHERE, "--build", &build],
        1,
        "check 1 has another :status than exhaustion finds",
    );
    fs::write(stage.path("broken.smt2"), "(assert x)(check-sat)\n").expect("a file");
    check(&["broken.smt2", "--solver", NOWHERE, "--build", &build], 1, "broken.smt2: ");
}
