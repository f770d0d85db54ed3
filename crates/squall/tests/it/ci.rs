//! `squall ci` end to end, against stand-ins that err: new findings fail, known ones do not, and the reports are whole.

use crate::support::{ALWAYS, Stage, squall};
use serde_json::Value;
use std::fs;
use std::process::{Output, Stdio};

/// Runs `squall ci` with stand-ins that always answer so.
fn ci(stage: &Stage, solver: &str, baseline: &str, more: &[&str]) -> Output {
    let mut command = squall();
    command.arg("ci").arg(stage.path("seed.smt2")).args(["--solver", &stage.solver(solver)]);
    // Another file, so that it has another name.
    fs::write(stage.path("base.sh"), ALWAYS).expect("a file");
    let baseline = format!("/bin/sh \"{}\" {baseline}", stage.path("base.sh").display());
    command.args(["--baseline", &baseline, "--for", "60s", "--since-seed", "7", "--out"]).arg(stage.out());
    command.arg("--sarif").arg(stage.path("log.sarif")).arg("--junit").arg(stage.path("report.xml"));
    command.args(["--reduce-for", "5s"]).args(more).args([
        "--",
        "--mutants",
        "30",
        "--jobs",
        "2",
        "--mutator",
        "storm",
    ]);
    command.current_dir(stage.root.path()).stdin(Stdio::null()).output().expect("it runs")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn sarif(stage: &Stage) -> Value {
    serde_json::from_slice(&fs::read(stage.path("log.sarif")).expect("a log")).expect("JSON")
}

/// What SARIF 2.1.0 asks of a log (sections 3.13, 3.14, 3.27), as far as code scanning needs it.
fn check_sarif(log: &Value) -> Vec<Value> {
    assert_eq!(log["version"], "2.1.0");
    assert!(log["$schema"].as_str().is_some_and(|s| s.contains("sarif-2.1.0")));
    let runs = log["runs"].as_array().expect("runs");
    assert_eq!(runs.len(), 1);
    let driver = &runs[0]["tool"]["driver"];
    assert_eq!(driver["name"], "squall");
    let rules = driver["rules"].as_array().expect("rules");
    assert!(rules.iter().all(|rule| rule["id"].is_string() && rule["shortDescription"]["text"].is_string()));
    let results = runs[0]["results"].as_array().expect("results").clone();
    for result in &results {
        assert!(result["message"]["text"].as_str().is_some_and(|text| !text.is_empty()), "{result}");
        let rule = &rules[result["ruleIndex"].as_u64().expect("an index") as usize];
        assert_eq!(rule["id"], result["ruleId"]);
        assert!(["none", "note", "warning", "error"].contains(&result["level"].as_str().unwrap_or_default()));
        assert!(
            ["new", "unchanged", "updated", "absent"].contains(&result["baselineState"].as_str().unwrap_or_default())
        );
        let place = &result["locations"][0]["physicalLocation"];
        let uri = place["artifactLocation"]["uri"].as_str().expect("a place");
        assert!(!uri.starts_with('/') && !uri.contains([' ', '\\']), "{uri}");
        assert!(place["region"]["startLine"].as_u64() >= Some(1));
        assert!(result["partialFingerprints"].as_object().is_some_and(|prints| !prints.is_empty()));
    }
    results
}

/// Reads the report, and says how many cases, failures and skipped ones it has.
fn junit(stage: &Stage) -> (usize, usize, usize) {
    let text = fs::read_to_string(stage.path("report.xml")).expect("a report");
    let document = roxmltree::Document::parse(&text).expect("well-formed XML");
    let count = |name: &str| document.descendants().filter(|node| node.has_tag_name(name)).count();
    let root = document.root_element();
    assert!(root.has_tag_name("testsuites"));
    let suite = root.children().find(|node| node.has_tag_name("testsuite")).expect("a suite");
    let number = |name: &str| suite.attribute(name).and_then(|n| n.parse::<usize>().ok()).expect("a number");
    let seen = (count("testcase"), count("failure"), count("skipped"));
    assert_eq!(seen, (number("tests"), number("failures"), number("skipped")));
    assert!(document.descendants().filter(|n| n.has_tag_name("testcase")).all(|case| {
        case.attribute("name").is_some_and(|name| !name.is_empty()) && case.attribute("classname").is_some()
    }));
    seen
}

#[test]
fn what_the_baseline_answers_rightly_fails() {
    let stage = Stage::new(ALWAYS);
    let output = ci(&stage, "unsat", "sat", &[]);
    let (stdout, stderr) = (text(&output.stdout), text(&output.stderr));
    assert_eq!(output.status.code(), Some(10), "{stdout}\n{stderr}");
    assert!(stdout.contains("NEW   class A"), "{stdout}");
    assert!(stdout.contains("; expected sat") && stdout.contains(" answers sat"), "{stdout}");
    assert!(stdout.contains("bytes: ") && stdout.contains("\n----\n") && stdout.contains("(check-sat)"), "{stdout}");
    assert!(stdout.contains("reduced from "), "a new finding is reduced: {stdout}");
    assert!(stdout.contains("seed 7"), "{stdout}");
    let results = check_sarif(&sarif(&stage));
    assert!(!results.is_empty() && results.iter().any(|r| r["level"] == "error" && r["baselineState"] == "new"));
    for result in &results {
        let uri = result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"].as_str().expect("a place");
        assert!(stage.path(&uri.replace("%40", "@")).is_file(), "{uri}");
    }
    let (cases, failures, _) = junit(&stage);
    assert!(failures > 0 && cases > failures);
}

#[test]
fn what_the_baseline_has_too_is_listed_and_does_not_fail() {
    let stage = Stage::new(ALWAYS);
    let output = ci(&stage, "unsat", "unsat", &[]);
    let (stdout, stderr) = (text(&output.stdout), text(&output.stderr));
    assert_eq!(output.status.code(), Some(0), "{stdout}\n{stderr}");
    assert!(
        stdout.contains("KNOWN class A") && stdout.contains(" is wrong, too: ") && !stdout.contains("NEW "),
        "{stdout}"
    );
    let results = check_sarif(&sarif(&stage));
    assert!(!results.is_empty() && results.iter().all(|r| r["level"] == "note" && r["baselineState"] == "unchanged"));
    let (cases, failures, skipped) = junit(&stage);
    assert_eq!((failures, cases), (0, skipped + 1));
}

#[test]
fn a_baseline_that_gives_up_decides_nothing() {
    let stage = Stage::new(ALWAYS);
    let output = ci(&stage, "unsat", "unknown", &[]);
    let stdout = text(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "{stdout}");
    assert!(stdout.contains("OPEN  class A") && stdout.contains(" answers unknown"), "{stdout}");
    assert_eq!(junit(&stage).1, 0);
}

#[test]
fn a_right_solver_passes_and_a_wrong_command_line_is_said() {
    let stage = Stage::new(ALWAYS);
    let output = ci(&stage, "sat", "sat", &[]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stdout));
    assert!(check_sarif(&sarif(&stage)).is_empty());
    assert_eq!(junit(&stage), (1, 0, 0));
    let check = |args: &[&str], code: i32, expect: &str| {
        let output = squall().args(args).current_dir(stage.root.path()).output().expect("it runs");
        let stderr = text(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{stderr}");
        assert!(stderr.contains(expect), "{stderr}");
    };
    check(&["ci", "--solver", "builtin:sat"], 2, "--baseline");
    check(&["ci", "--solver", "builtin:sat", "--baseline", "z9000"], 2, "z9000");
    check(&["ci", "--solver", "builtin:sat", "--baseline", "builtin:sat", "--", "--no-such"], 2, "--no-such");
    check(&["ci", "--solver", "builtin:sat", "--baseline", "./nothing-here"], 2, "baseline");
}
