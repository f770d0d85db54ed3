//! `squall experiment campaigns` end to end, with a solver that is wrong in two ways.

use crate::support::{Stage, printed, squall};
use serde_json::Value;
use std::fs;

/// Answers `unsat` if it reads `xor`, crashes if it reads `distinct`, and answers `sat` otherwise.
const WRONG: &str = r#"read_all=$(cat)
case "$read_all" in *distinct*) kill -SEGV $$;; esac
answer=sat
case "$read_all" in *xor*) answer=unsat;; esac
printf '%s\n' "$read_all" | while IFS= read -r l; do case $l in '(check-sat'*) echo $answer;; esac; done
"#;

fn stage() -> Stage {
    let stage = Stage::new(WRONG);
    let seed = |text: &str| format!("(set-logic QF_LIA)(declare-const x Int)(declare-const y Int){text}(check-sat)\n");
    fs::create_dir(stage.path("seeds")).expect("a folder");
    fs::write(stage.path("seeds/xor.smt2"), seed("(assert (xor (> x 1) (< y x)))")).expect("a file");
    fs::write(stage.path("seeds/plain.smt2"), seed("(assert (or (> x 1) (< y x)))")).expect("a file");
    stage
}

fn experiment(stage: &Stage, arguments: &[&str]) -> (Option<i32>, String, String) {
    let solver = stage.solver("");
    let mut command = squall();
    command.args(["experiment", "campaigns", "--solver", &solver, "--jobs", "1"]);
    if !arguments.contains(&"--out") {
        command.args(["--out", "compared"]);
    }
    if !arguments.contains(&"--for-cpu") {
        command.args(["--for-cpu", "400ms"]);
    }
    if !arguments.contains(&"--runs") {
        command.args(["--runs", "2"]);
    }
    command.args(["--reduce-for", "20s"]).args(arguments);
    printed(command.current_dir(stage.root.path()))
}

#[test]
fn arms_are_compared_by_causes_and_a_second_run_resumes() {
    let stage = stage();
    let arms = ["--arm", "xor=seeds/xor.smt2 --mutator operator", "--arm", "plain=seeds/plain.smt2 --mutator equal"];
    let (code, stdout, stderr) = experiment(&stage, &arms);
    assert_eq!(code, Some(0), "{stdout}{stderr}");
    let read = |name: &str| fs::read_to_string(stage.path("compared").join(name)).expect("a file");
    let results: Value = serde_json::from_str(&read("results.json")).expect("JSON");
    let arm = |n: usize, key: &str| results["results"]["arms"][n][key].clone();
    assert_eq!((arm(0, "name"), arm(1, "name")), ("xor".into(), "plain".into()));
    assert!(arm(0, "all").as_u64() >= Some(1), "the wrong unsat of xor: {results}");
    assert_eq!(arm(0, "beside_first"), Value::Null);
    assert!(arm(1, "beside_first")["a12"].as_f64() <= Some(0.5), "{results}");
    assert_eq!(arm(0, "runs").as_array().map(Vec::len), Some(2));
    // The table, the files and the screen agree.
    assert_eq!(read("runs.csv").lines().count(), 5, "{}", read("runs.csv"));
    let causes = results["results"]["causes"].as_array().map_or(0, Vec::len);
    assert_eq!(read("causes.csv").lines().count(), causes + 1, "{}", read("causes.csv"));
    assert!(stdout.lines().any(|line| line.starts_with("xor ")) && stdout.contains("compared/index.html"), "{stdout}");
    assert!(read("index.html").contains("<figcaption>plain</figcaption>"), "{}", read("index.html"));
    // Nothing runs again, so the numbers are the same.
    let (before, again) = (read("runs.csv"), experiment(&stage, &arms));
    assert_eq!((again.0, read("runs.csv")), (Some(0), before), "{}", again.2);
    // Only the lost campaign runs again.
    let lost = stage.path("compared/runs/plain-2/experiment.json");
    fs::remove_file(&lost).expect("a file");
    assert_eq!(experiment(&stage, &arms).0, Some(0));
    assert!(lost.is_file());
    // Other conditions need another folder.
    let other = experiment(&stage, &[&arms[..], &["--common", "--models 100"]].concat());
    assert_eq!(other.0, Some(1), "{}", other.2);
    assert!(other.2.contains("compared/runs/xor-1 was made by 'squall fuzz"), "{}", other.2);
}

#[test]
fn a_quick_comparison_is_of_both_schedules() {
    let stage = stage();
    let mut command = squall();
    command.args(["experiment", "campaigns", "seeds", "--solver", &stage.solver(""), "--quick", "--jobs", "1"]);
    // The given sizes count, the others are those of `--quick`.
    command.args(["--for-cpu", "300ms", "--reduce-for", "5s"]);
    let (code, stdout, stderr) = printed(command.current_dir(stage.root.path()));
    assert_eq!(code, Some(0), "{stdout}{stderr}");
    let text = fs::read_to_string(stage.path("experiment/results.json")).expect("a file");
    let results: Value = serde_json::from_str(&text).expect("JSON");
    let arms: Vec<(&Value, usize)> = results["results"]["arms"]
        .as_array()
        .into_iter()
        .flatten()
        .map(|arm| (&arm["name"], arm["runs"].as_array().map_or(0, Vec::len)))
        .collect();
    assert_eq!(arms, [(&Value::from("yield"), 3), (&Value::from("uniform"), 3)], "{text}");
    // All combinations of the values run, and runs end once a bug of a class is found.
    let common = ["--common", "--mutator storm --until-found A"];
    let vary = ["--vary", "max-asserts=4,8", "--vary", "max-depth=4,8", "--runs", "1"];
    let (code, _, stderr) = experiment(&stage, &[&common[..], &vary, &["seeds", "--out", "grid"]].concat());
    assert_eq!(code, Some(0), "{stderr}");
    let rows = fs::read_to_string(stage.path("grid/runs.csv")).expect("a file");
    let names: Vec<&str> = rows.lines().skip(1).filter_map(|row| row.split(',').next()).collect();
    let all = [(4, 4), (4, 8), (8, 4), (8, 8)].map(|(a, d)| format!("max-asserts-{a}-max-depth-{d}"));
    assert_eq!(names, all, "{rows}");
}

#[test]
fn mistakes_are_named() {
    let stage = stage();
    let check = |arguments: &[&str], code: i32, part: &str| {
        let run = experiment(&stage, arguments);
        assert_eq!(run.0, Some(code), "{arguments:?}: {}{}", run.1, run.2);
        assert!(run.2.contains(part), "{arguments:?}: {}", run.2);
    };
    check(&["--arm", "operator"], 2, "'operator' is not an arm; write NAME=OPTIONS");
    check(&["--arm", "a=--seed 3"], 2, "sets --seed, which is the same for all arms");
    check(&["--arm", "a=", "--arm", "a="], 2, "two arms are called 'a'");
    check(&["--vary", "max-depth"], 2, "'max-depth' varies no option; write OPTION=VALUE,VALUE");
    check(&["nowhere", "--arm", "a="], 2, "there is no 'nowhere'");
    check(&["--arm", "a=", "--common", "'x"], 2, "--common: the options of the arm 'common'");
    check(&["--arm", "a=", "--for-cpu", "0"], 2, "it is less than 1ms");
    check(&["--arm", "a=--mutator nonsense"], 1, "'nonsense'");
}
