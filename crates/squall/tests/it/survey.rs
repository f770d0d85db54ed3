//! `squall experiment survey` end to end, with a solver that is wrong where it reads an operator.

use crate::support::{Stage, printed, squall};
use serde_json::Value;
use std::fs;

/// Answers `unsat` where it reads `xor`, and `sat` elsewhere.
const WRONG: &str = r#"read_all=$(cat)
answer=sat
case "$read_all" in *xor*) answer=unsat;; esac
printf '%s\n' "$read_all" | grep '^(check-sat' | while read -r l; do echo $answer; done
"#;

fn stage() -> Stage {
    let stage = Stage::new(WRONG);
    fs::create_dir(stage.path("seeds")).expect("a folder");
    let seed = |logic: &str, body: &str| {
        let text = format!("(set-logic {logic})(declare-const p Bool)(declare-const q Bool){body}(check-sat)\n");
        fs::write(stage.path(&format!("seeds/{logic}.smt2")), text).expect("a file");
    };
    seed("QF_UF", "(assert (xor p q))");
    seed("QF_LIA", "(assert (or p q))");
    stage
}

fn survey(stage: &Stage, arguments: &[&str]) -> (Option<i32>, String, String) {
    let solver = stage.solver("");
    let mut command = squall();
    command.args(["experiment", "survey", "seeds", "--solver", solver.trim(), "--quick", "--jobs", "1"]);
    command.args(["--logic", "QF_UF,QF_LIA", "--for-cpu", "1s", "--reduce-for", "30s"]).args(arguments);
    printed(command.current_dir(stage.root.path()))
}

#[test]
fn causes_stand_by_solver_mode_and_logic() {
    let stage = stage();
    let (code, stdout, stderr) = survey(&stage, &["--out", "first"]);
    assert_eq!(code, Some(0), "{stdout}{stderr}");
    let read = |name: &str| fs::read_to_string(stage.path(name)).expect("a file");
    let results: Value = serde_json::from_str(&read("first/results.json")).expect("JSON");
    // The stand-in has no tactics, so that it has no such mode.
    let arms = results["survey"]["arms"].as_array().cloned().unwrap_or_default();
    let told: Vec<(&str, &str, u64)> = arms
        .iter()
        .map(|arm| {
            let word = |key: &str| arm[key].as_str().unwrap_or_default();
            (word("mode"), word("logic"), arm["causes"][0].as_u64().unwrap_or_default().min(1))
        })
        .collect();
    let expect =
        [("plain", "QF_UF", 1), ("plain", "QF_LIA", 0), ("incremental", "QF_UF", 1), ("incremental", "QF_LIA", 0)];
    assert_eq!(told, expect, "{results}");
    let cause = &results["survey"]["results"]["causes"][0];
    assert_eq!((&cause["class"], &cause["state"]), (&"A".into(), &"unknown".into()), "{results}");
    assert!(stdout.lines().any(|line| line.starts_with("unknown") && line.contains("QF_UF")), "{stdout}");
    assert!(read("first/causes.csv").contains("\nunknown,A,"), "{}", read("first/causes.csv"));
    assert_eq!(read("first/campaigns.csv").lines().count(), 5, "{}", read("first/campaigns.csv"));
    assert!(read("first/figures.md").contains("| unknown | A |"), "{}", read("first/figures.md"));
    assert!(read("first/index.html").contains("<span class=\"cause cA\""), "{}", read("first/index.html"));
    // Nothing runs again.
    let before = read("first/causes.csv");
    let again = survey(&stage, &["--out", "first"]);
    assert_eq!((again.0, read("first/causes.csv")), (Some(0), before), "{}", again.2);
    // What is known is told, and stands last.
    let known = survey(&stage, &["--out", "second", "--mode", "plain", "--known", "first/runs/solver1-plain-QF_UF-1"]);
    assert_eq!(known.0, Some(0), "{}{}", known.1, known.2);
    assert!(known.1.contains("0 of them unknown"), "{}", known.1);
    assert!(read("second/causes.csv").contains("\nknown,A,"), "{}", read("second/causes.csv"));
}

#[test]
fn mistakes_are_named() {
    let stage = stage();
    let solver = stage.solver("");
    let check = |arguments: &[&str], code: i32, part: &str| {
        let run = survey(&stage, arguments);
        assert_eq!(run.0, Some(code), "{arguments:?}: {}{}", run.1, run.2);
        assert!(run.2.contains(part), "{arguments:?}: {}", run.2);
    };
    check(&["nowhere"], 2, "there is no 'nowhere'");
    check(&["--known", "nowhere"], 2, "there is no 'nowhere'");
    check(&["--mode", "tactic"], 2, "none of the solvers has a mode that is asked for");
    check(&["--solver", solver.trim()], 2, "is named twice");
    check(&["--common", "--seed 3"], 2, "--common: the arm 'common' sets --seed");
}
