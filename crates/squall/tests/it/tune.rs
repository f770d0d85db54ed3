//! `squall strategy tune` end to end, with steps that each take one kind of file.

use crate::support::{printed, squall};
use serde_json::Value;
use std::fs;
use std::path::Path;

const BITS: &str = "(then (fail-if (not is-qfbv)) default)";
const OTHERS: &str = "(then (fail-if is-qfbv) default)";

fn tune(root: &Path, arguments: &[&str]) -> (Option<i32>, String, String) {
    let mut command = squall();
    command
        .args(["strategy", "tune", "problems", "--timeout", "60s", "--splits", "2", "--out", "tuned"])
        .args(arguments);
    printed(command.current_dir(root))
}

/// A folder with twelve problems over bit-vectors and twelve over integers.
fn problems() -> tempfile::TempDir {
    let root = tempfile::tempdir().expect("a folder");
    fs::create_dir(root.path().join("problems")).expect("a folder");
    for n in 1..=12 {
        let bits = format!("(declare-const x (_ BitVec 8))(assert (bvult x (_ bv{n} 8)))(check-sat)");
        let ints = format!("(declare-const x Int)(assert (< x {n}))(check-sat)");
        for (kind, text) in [("bits", bits), ("ints", ints)] {
            fs::write(root.path().join(format!("problems/{kind}-{n}.smt2")), text).expect("a file");
        }
    }
    root
}

#[test]
fn two_steps_that_share_the_work_are_combined() {
    let root = problems();
    let steps = ["--step", BITS, "--step", OTHERS];
    let (code, stdout, stderr) = tune(root.path(), &[&steps[..], &["--save", "mine"]].concat());
    assert_eq!(code, Some(0), "{stdout}{stderr}");
    assert!(stdout.contains("Learned: (") && stdout.contains("16 of 16 solved"), "{stdout}");
    let read = |name: &str| fs::read_to_string(root.path().join(name)).expect("a file");
    let results: Value = serde_json::from_str(&read("tuned/results.json")).expect("JSON");
    assert_eq!(results["files"], 24, "{results}");
    let settings: toml::Table = read("squall.toml").parse().expect("settings");
    assert_eq!(settings["strategy"]["mine"].as_str(), results["learned"].as_str());
    // The learned strategy is one, and solves files of both kinds.
    let learned = results["learned"].as_str().expect("a strategy");
    for file in ["problems/bits-1.smt2", "problems/ints-1.smt2"] {
        let run = printed(squall().args(["solve", file, "--strategy", learned]).current_dir(root.path()));
        assert_eq!((run.0, run.1.as_str()), (Some(0), "sat\n"), "{}", run.2);
    }
    // A name is not written twice, and nothing runs again.
    let (code, _, stderr) = tune(root.path(), &[&steps[..], &["--save", "mine"]].concat());
    assert!(code == Some(2) && stderr.contains("would not be valid with a strategy mine"), "{code:?} {stderr}");
    let (code, _, stderr) = tune(root.path(), &[&steps[..], &["--save", "a b"]].concat());
    assert!(code == Some(2) && stderr.contains("letters, digits"), "{code:?} {stderr}");
}

#[test]
fn nothing_to_learn_is_said() {
    let root = problems();
    let check = |steps: &[&str], code: i32, part: &str| {
        let (exit, stdout, stderr) = tune(root.path(), steps);
        assert_eq!(exit, Some(code), "{stdout}{stderr}");
        assert!(stdout.contains(part) || stderr.contains(part), "{part} in {stdout}{stderr}");
    };
    check(
        &["--step", "default", "--step", "fail"],
        11,
        "no strategy is better than the step default; 24 files are solved",
    );
    check(&["--step", "fail"], 11, "no step solves any file");
    check(&["--step", "(then simplfy)"], 2, "simplfy");
    check(&["--step", "skip", "--for-cpu", "1ms"], 2, "learning needs at least 12");
}
