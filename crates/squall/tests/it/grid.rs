//! `squall experiment grid` end to end, with a solver whose error no shallow mutant can show.

use crate::support::{ALWAYS, Stage, printed, squall};
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
    fs::write(stage.path("mended.sh"), ALWAYS).expect("a file");
    fs::create_dir(stage.path("seeds")).expect("a folder");
    // An exclusive or of atoms has depth 2.
    let seed =
        "(set-logic QF_LIA)(declare-const x Int)(declare-const y Int)(assert (xor (> x 1) (< y x)))(check-sat)\n";
    fs::write(stage.path("seeds/xor.smt2"), seed).expect("a file");
    let mended = format!("/bin/sh {} sat", stage.path("mended.sh").display());
    let bug = |id: &str, fuzz: &str| {
        let (wrong, mended) = (stage.solver(""), mended.trim());
        format!(
            "[[bug]]\nid = '{id}'\nsolver = '{}'\nfixed = '{mended}'\nseed = 'seeds/xor.smt2'\nfuzz = '{fuzz}'\n",
            wrong.trim()
        )
    };
    let bugs = [bug("xor", ""), bug("other", "--mutator operator"), bug("set", "--max-depth 3")];
    fs::write(stage.path("bugs.toml"), bugs.concat()).expect("a file");
    stage
}

fn grid(stage: &Stage, arguments: &[&str]) -> (Option<i32>, String, String) {
    let mut command = squall();
    command.args(["experiment", "grid", "--quick", "--jobs", "1", "--out", "cells"]).args(arguments);
    printed(command.current_dir(stage.root.path()))
}

#[test]
fn a_bug_deeper_than_the_bound_is_not_found_and_counts_as_longer() {
    let stage = stage();
    let few = ["--manifest", "bugs.toml", "--bug", "xor", "--bounds", "64,1", "--for-cpu", "2s"];
    let (code, stdout, stderr) = grid(&stage, &few);
    assert_eq!(code, Some(0), "{stdout}{stderr}");
    let read = |name: &str| fs::read_to_string(stage.path("cells").join(name)).expect("a file");
    let results: Value = serde_json::from_str(&read("results.json")).expect("JSON");
    let cells = results["grid"]["bugs"][0]["cells"].clone();
    let told = |n: usize| {
        let cell = &cells[n];
        (cell["asserts"].clone(), cell["depth"].clone(), cell["found"].clone(), cell["runs"].clone())
    };
    let expect = [(1, 1, 0, 3), (1, 64, 3, 3), (64, 1, 0, 3), (64, 64, 3, 3)];
    for (n, (asserts, depth, found, runs)) in expect.into_iter().enumerate() {
        assert_eq!(told(n), (asserts.into(), depth.into(), found.into(), runs.into()), "{cells}");
    }
    let shallow = &cells[0]["cpu_s"];
    assert!(shallow["at_least"].as_f64() >= Some(2.0) && shallow["at_most"].is_null(), "{cells}");
    assert_eq!(shallow["confidence"], 0.75, "three runs");
    let deep = &cells[3]["mutants"];
    assert!(deep["at_least"] == deep["at_most"] && deep["at_least"].as_f64() >= Some(1.0), "{cells}");
    let words = results["runs"][0]["words"].to_string();
    assert!(words.contains(r#""--mutator","storm","--max-asserts","1","--max-depth","1""#), "{words}");
    // The table, the files and the screen say the same.
    assert!(stdout.contains("xor: found in 6 of 12 runs within 2s of CPU time"), "{stdout}");
    assert!(stdout.contains(">2s") && stdout.contains("a confidence of 75 %"), "{stdout}");
    assert_eq!(read("runs.csv").lines().count(), 13, "{}", read("runs.csv"));
    let csv = read("cells.csv");
    let row: Vec<&str> = csv.lines().nth(1).unwrap_or_default().split(',').collect();
    assert_eq!((&row[..6], row[7]), (&["xor", "1", "1", "3", "0", "0.7500"][..], ""), "{csv}");
    assert!(read("figures.md").contains("| **Amax 1** | >2s (2s to …; 0 of 3) | "), "{}", read("figures.md"));
    let page = read("index.html");
    assert!(page.contains("<figcaption>Dmax 64</figcaption>") && page.contains("class=\"run open\""), "{page}");
    // Nothing runs again, and other conditions want another folder.
    let before = read("runs.csv");
    assert_eq!((grid(&stage, &few).0, read("runs.csv")), (Some(0), before));
    let other = grid(&stage, &[&few[..7], &["1s"]].concat());
    assert!(other.0 == Some(1) && other.2.contains("was made under other conditions"), "{}", other.2);
}

#[test]
fn any_finding_of_a_class_counts() {
    let stage = stage();
    let solver = stage.solver("");
    let words = ["seeds", "--class", "A", "--solver", solver.trim(), "--bounds", "32", "--runs", "1"];
    let (code, stdout, stderr) = grid(&stage, &words);
    assert!(code == Some(0) && stdout.contains("class-A: found in 1 of 1 runs"), "{stdout}{stderr}");
}

#[test]
fn mistakes_are_named() {
    let stage = stage();
    let check = |arguments: &[&str], code: i32, part: &str| {
        let run = grid(&stage, arguments);
        assert_eq!(run.0, Some(code), "{arguments:?}: {}{}", run.1, run.2);
        assert!(run.2.contains(part), "{arguments:?}: {}", run.2);
    };
    let list = ["--manifest", "bugs.toml"];
    check(&[&list[..], &["--bug", "none"]].concat(), 2, "there is no such bug; there are: xor, other, set");
    check(&[&list[..], &["--bug", "other"]].concat(), 1, "bug 'other' names its mutator");
    check(&[&list[..], &["--bug", "set"]].concat(), 1, "bug 'set' sets --max-depth, which the grid varies");
    check(&["nowhere"], 2, "there is no 'nowhere'");
    check(&["--class", "A"], 2, "--solver");
    check(&["--class", "A", "--solver", "z3", "--manifest", "own"], 2, "cannot be used with");
    check(&["--bounds", "0"], 2, "--bounds");
}
