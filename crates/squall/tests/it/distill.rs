//! `squall corpus distill` on the kept findings, and on a campaign's folder.

use crate::support::{printed, squall};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};

fn kept() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../found")
}

fn distill(arguments: &[&str]) -> (Option<i32>, String, String) {
    printed(squall().args(["corpus", "distill"]).args(arguments))
}

#[test]
fn kept_causes_become_tests_with_proven_answers() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("suite").display().to_string();
    let kept = kept().display().to_string();
    // A folder twice has the causes of one.
    let (code, stdout, stderr) = distill(&[&kept, &kept, "--out", &out]);
    assert_eq!(code, Some(0), "{stdout}{stderr}");
    let manifest: Value =
        serde_json::from_slice(&fs::read(folder.path().join("suite/manifest.json")).expect("a file")).expect("JSON");
    let tests = manifest["tests"].as_array().expect("tests");
    assert!(tests.len() >= 20, "{stdout}{stderr}");
    assert!(stdout.starts_with(&format!("{} tests in ", tests.len())), "{stdout}");
    for test in tests {
        let path = test["files"][0].as_str().expect("a path");
        let text = fs::read_to_string(folder.path().join("suite").join(path)).expect("a script");
        let answers = test["test"]["answers"].as_array().expect("answers");
        assert_eq!(text.matches("(set-info :status ").count(), answers.len(), "{path}: {text}");
        assert_eq!(text.matches("(check-sat").count(), answers.len(), "{path}: {text}");
    }
    // What the page of kept findings says of one.
    let sqrt = tests.iter().find(|test| test["test"]["name"] == "z3@5.4.1-A-98dd9392".replace('@', "-"));
    assert_eq!(sqrt.map(|test| test["test"]["answers"].clone()), Some(serde_json::json!(["sat"])));
}

#[test]
fn a_layout_is_that_of_the_solver() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().display().to_string();
    let one = kept().join("yices2@2.6.5-D-d435e37c").display().to_string();
    let (code, stdout, stderr) = distill(&[&one, "--layout", "yices", "--out", &out]);
    assert_eq!(code, Some(0), "{stdout}{stderr}");
    let manifest: Value =
        serde_json::from_slice(&fs::read(folder.path().join("manifest.json")).expect("a file")).expect("JSON");
    let files: Vec<&str> =
        manifest["tests"][0]["files"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    assert!(files[0].starts_with("regress/") && files[1] == format!("{}.gold", files[0]), "{files:?}");
    // What went before in the same process is asked, too.
    let read = |name: &str| fs::read_to_string(folder.path().join(name)).expect("a file");
    assert!(read(files[0]).contains("(reset)"), "{}", read(files[0]));
    assert_eq!(read(files[0]).matches("(check-sat").count(), read(files[1]).lines().count());
}

#[test]
fn mistakes_are_named() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("suite").display().to_string();
    let check = |arguments: &[&str], code: i32, part: &str| {
        let run = distill(arguments);
        assert_eq!(run.0, Some(code), "{arguments:?}: {}{}", run.1, run.2);
        assert!(run.2.contains(part), "{arguments:?}: {}", run.2);
    };
    check(&["--out", &out], 2, "<OUT>");
    check(&["nowhere", "--out", &out], 2, "there is no 'nowhere'");
    let kept = kept().display().to_string();
    check(
        &[&kept, "--out", &out, "--layout", "opensmt"],
        2,
        "'opensmt' is not a layout; choose one of plain, cvc5, z3, yices",
    );
}
