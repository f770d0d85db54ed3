//! `squall ci` end to end, against stand-ins that err: new findings fail, known ones do not, and the reports are complete.

use crate::support::{ANSWER, READ, SEED, Stage, squall};
use serde_json::Value;
use std::fs;
use std::process::{Command, Output, Stdio};

/// Plays the solver that its argument names: one that always gives this answer, that crashes, that rejects scripts about `x` or `y`, or
/// that errs in two runs of three.
const ROLES: &str = r#"a=$1
case "$a" in
  crash) kill -SEGV $$;;
  refuse) case "$t" in *' x '*|*' y '*) echo '(error "line 2 column 3: unknown sort")'; exit 1;; esac; a=unknown;;
  flaky) echo run >> "$0.runs"; [ $(($(wc -l < "$0.runs") % 3)) = 0 ] && a=sat || a=unsat;;
esac
"#;

fn roles() -> String {
    format!("{READ}{ROLES}{ANSWER}")
}

/// Runs `squall ci` with stand-ins of these roles.
fn ci(stage: &Stage, solver: &str, baseline: &str, more: &[&str]) -> Output {
    ci_of_seed("7", stage, solver, baseline, more)
}

/// The same with a campaign seed.
fn ci_of_seed(seed: &str, stage: &Stage, solver: &str, baseline: &str, more: &[&str]) -> Output {
    let mut command = command(stage, solver, baseline);
    command.args(["--since-seed", seed, "--reduce-for", "5s"]).args(more);
    command.args(["--", "--mutants", "30", "--jobs", "2", "--mutator", "storm"]).output().expect("it runs")
}

/// The command line with all reports; without a baseline where its role is empty.
fn command(stage: &Stage, solver: &str, baseline: &str) -> Command {
    let mut command = squall();
    command.arg("ci").arg(stage.path("seed.smt2")).args(["--solver", &stage.solver(solver)]);
    // Another file, for another name.
    fs::write(stage.path("base.sh"), roles()).expect("a file");
    match baseline {
        "" => {}
        _ if baseline.starts_with("builtin:") => drop(command.args(["--baseline", baseline])),
        role => {
            command.args(["--baseline", &format!("/bin/sh \"{}\" {role}", stage.path("base.sh").display())]);
        }
    }
    command.args(["--for", "60s", "--out"]).arg(stage.out());
    command.arg("--sarif").arg(stage.path("log.sarif")).arg("--junit").arg(stage.path("report.xml"));
    command.arg("--summary").arg(stage.path("summary.md"));
    command.current_dir(stage.root.path()).stdin(Stdio::null());
    command
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn sarif(stage: &Stage) -> Value {
    serde_json::from_slice(&fs::read(stage.path("log.sarif")).expect("a log")).expect("JSON")
}

fn summary(stage: &Stage) -> String {
    fs::read_to_string(stage.path("summary.md")).expect("a summary")
}

/// The mistakes of a log by the schema of SARIF 2.1.0. The one of OASIS is not part of this repository; see the file's description.
fn mistakes(log: &Value) -> Vec<String> {
    let schema: Value = serde_json::from_str(include_str!("sarif-2.1.0.schema.json")).expect("JSON");
    let schema = jsonschema::validator_for(&schema).expect("a schema");
    schema.iter_errors(log).map(|error| format!("{}: {error}", error.instance_path())).collect()
}

/// Requirements of SARIF 2.1.0 that no schema can express, such as references between parts.
fn check_sarif(log: &Value) -> Vec<Value> {
    assert_eq!(mistakes(log), Vec::<String>::new(), "{log:#}");
    let runs = log["runs"].as_array().expect("runs");
    assert_eq!(runs.len(), 1);
    let driver = &runs[0]["tool"]["driver"];
    assert_eq!(driver["name"], "squall");
    let rules = driver["rules"].as_array().expect("rules");
    for rule in rules {
        let help = |part: &str| rule["help"][part].as_str().expect("help").to_string();
        assert!(
            help("text").contains("squall replay DIR") && help("markdown").contains("`squall replay DIR`"),
            "{rule}"
        );
        assert!(rule["fullDescription"]["text"].as_str().is_some_and(|text| text.ends_with('.')), "{rule}");
    }
    let id = runs[0]["automationDetails"]["id"].as_str().expect("the analysis has a name");
    let (category, seed) = id.rsplit_once('/').expect("a category and a run");
    assert!(category.starts_with("squall/") && runs[0]["properties"]["seed"].as_u64() == seed.parse().ok(), "{id}");
    let results = runs[0]["results"].as_array().expect("results").clone();
    for result in &results {
        let rule = &rules[result["ruleIndex"].as_u64().expect("an index") as usize];
        assert_eq!(rule["id"], result["ruleId"]);
        let place = &result["locations"][0]["physicalLocation"];
        let uri = place["artifactLocation"]["uri"].as_str().expect("a place");
        assert!(!uri.starts_with('/') && !uri.contains([' ', '\\']), "{uri}");
        assert!(place["region"]["startLine"].as_u64() <= place["region"]["endLine"].as_u64(), "{result}");
    }
    results
}

/// Returns the numbers of cases, failures and skipped cases in the report.
fn junit(stage: &Stage) -> (usize, usize, usize) {
    let text = fs::read_to_string(stage.path("report.xml")).expect("a report");
    let document = roxmltree::Document::parse(&text).expect("well-formed XML");
    let count = |name: &str| document.descendants().filter(|node| node.has_tag_name(name)).count();
    let root = document.root_element();
    assert!(root.has_tag_name("testsuites"));
    let suite = root.children().find(|node| node.has_tag_name("testsuite")).expect("a suite");
    let number = |name: &str| suite.attribute(name).and_then(|n| n.parse::<usize>().ok()).expect("a number");
    assert_eq!(count("error"), number("errors"));
    let seen = (count("testcase"), count("failure"), count("skipped"));
    assert_eq!(seen, (number("tests"), number("failures"), number("skipped")));
    assert!(document.descendants().filter(|n| n.has_tag_name("testcase")).all(|case| {
        case.attribute("name").is_some_and(|name| !name.is_empty()) && case.attribute("classname").is_some()
    }));
    seen
}

#[test]
fn errors_that_the_baseline_lacks_fail() {
    let stage = Stage::new(&roles());
    let output = ci(&stage, "unsat", "sat", &[]);
    let (stdout, stderr) = (text(&output.stdout), text(&output.stderr));
    assert_eq!(output.status.code(), Some(10), "{stdout}\n{stderr}");
    assert!(stdout.contains("NEW   class A"), "{stdout}");
    assert!(stdout.contains("; expected sat") && stdout.contains(" answers sat"), "{stdout}");
    assert!(stdout.contains("bytes: ") && stdout.contains("\n----\n") && stdout.contains("(check-sat)"), "{stdout}");
    assert!(stdout.contains("reduced from "), "a new finding is reduced: {stdout}");
    assert!(stdout.contains(" is right on the reduced script: sat"), "{stdout}");
    assert!(stdout.contains("seed 7"), "{stdout}");
    let results = check_sarif(&sarif(&stage));
    assert!(!results.is_empty() && results.iter().any(|r| r["level"] == "error" && r["baselineState"] == "new"));
    for result in &results {
        let uri = result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"].as_str().expect("a place");
        assert!(stage.path(&uri.replace("%40", "@")).is_file(), "{uri}");
    }
    let (cases, failures, _) = junit(&stage);
    assert!(failures > 0 && cases > failures);
    let summary = summary(&stage);
    assert!(summary.starts_with("## Squall: ") && summary.contains(" new or proven finding"), "{summary}");
    assert_eq!(summary.matches("| **NEW** | A |").count(), failures, "{summary}");
    assert!(summary.contains("```smt2\n") && summary.contains("(check-sat)\n```"), "{summary}");
    assert!(summary.contains("```sh\nsquall replay "), "{summary}");
}

/// A proven wrong answer exits with 10. A claimed one never exits with 0 if no solver could judge it.
#[test]
fn no_proven_wrong_answer_ends_with_zero() {
    // Certified sat by witnesses, certified unsat by exhaustion, and unsat only by the file's label.
    const UNSAT: &str = "(set-info :status unsat)(declare-const x Bool)(assert x)(assert (not x))(check-sat)";
    const LABEL: &str =
        "(set-info :status unsat)(declare-const x Int)(declare-const y Int)(assert (> (* x y) (* y x)))(check-sat)";
    // The solver's role and its seed, and the codes by the baseline's role, which is empty without a baseline.
    type Row<'t> = (&'t str, &'t str, &'t [(&'t str, i32)]);
    let table: [Row<'_>; 8] = [
        ("sat", SEED, &[("sat", 0), ("unsat", 0), ("refuse", 0), ("", 0)]),
        ("unsat", SEED, &[("sat", 10), ("unsat", 10), ("refuse", 10), ("unknown", 10), ("", 10)]),
        ("flaky", SEED, &[("sat", 10), ("", 10)]),
        ("sat", UNSAT, &[("unsat", 10), ("sat", 10), ("refuse", 10), ("", 10)]),
        ("sat", LABEL, &[("unsat", 10), ("refuse", 11), ("", 11)]),
        ("crash", SEED, &[("sat", 10), ("crash", 0), ("refuse", 11), ("", 10)]),
        ("refuse", SEED, &[("sat", 1), ("refuse", 1), ("", 1)]),
        ("unknown", SEED, &[("sat", 11), ("refuse", 11), ("", 11)]),
    ];
    for (solver, seed, codes) in table {
        for &(baseline, code) in codes {
            let stage = Stage::new(&roles());
            fs::write(stage.path("seed.smt2"), seed).expect("a file");
            let mut command = command(&stage, solver, baseline);
            command.args(["--reduce-for", "1ms", "--", "--mutants", "4", "--jobs", "1", "--mutator", "storm"]);
            let output = command.args(["--reduce-share", "0", "--models", "0"]).output().expect("it runs");
            let (stdout, stderr) = (text(&output.stdout), text(&output.stderr));
            let case = format!("{solver} against '{baseline}' on {seed}: {stdout}\n{stderr}");
            assert_eq!(output.status.code(), Some(code), "{case}");
            assert_eq!(junit(&stage).1 > 0, code == 10, "{case}");
            assert_eq!(sarif(&stage)["runs"][0]["invocations"][0]["exitCode"], code, "{case}");
            let is_shown = stdout.contains(" answers void: ") && stdout.contains("unknown sort");
            assert_eq!(is_shown, baseline == "refuse" && stdout.contains(" class "), "{case}");
        }
    }
}

#[test]
fn errors_that_the_baseline_shares_are_listed() {
    let check = |solver: &str, code: i32, word: &str| {
        let stage = Stage::new(&roles());
        let output = ci(&stage, solver, solver, &[]);
        let (stdout, stderr) = (text(&output.stdout), text(&output.stderr));
        assert_eq!(output.status.code(), Some(code), "{stdout}\n{stderr}");
        assert!(stdout.contains(word) && stdout.contains(" is wrong, too: ") && !stdout.contains("NEW "), "{stdout}");
        let results = check_sarif(&sarif(&stage));
        let level = if code == 0 { "note" } else { "error" };
        assert!(
            !results.is_empty() && results.iter().all(|r| r["level"] == level && r["baselineState"] == "unchanged")
        );
        let (cases, failures, skipped) = junit(&stage);
        assert_eq!((failures + skipped + 1, failures > 0), (cases, code == 10));
        let summary = summary(&stage);
        assert_eq!(summary.starts_with("## Squall: no new findings\n"), code == 0, "{summary}");
    };
    check("unsat", 10, "WRONG class A");
    check("crash", 0, "KNOWN class D");
}

#[test]
fn a_right_solver_passes_and_a_wrong_command_line_is_reported() {
    let stage = Stage::new(&roles());
    let output = ci(&stage, "sat", "sat", &[]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stdout));
    assert!(check_sarif(&sarif(&stage)).is_empty());
    assert_eq!(junit(&stage), (1, 0, 0));
    assert!(summary(&stage).starts_with("## Squall: no new findings\n") && !summary(&stage).contains("|---|"));
    let check = |args: &[&str], code: i32, expect: &str| {
        let output = squall().args(args).current_dir(stage.root.path()).output().expect("it runs");
        let stderr = text(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{stderr}");
        assert!(stderr.contains(expect), "{stderr}");
    };
    check(&["ci", "--solver", "/bin/false"], 2, "/bin/false does not answer a problem of Booleans: it prints nothing");
    check(&["ci", "--solver", "builtin:sat", "--baseline", "z9000"], 2, "z9000");
    check(&["ci", "--solver", "builtin:sat", "--baseline", "builtin:sat", "--", "--no-such"], 2, "--no-such");
    check(&["ci", "--solver", "builtin:sat", "--baseline", "./nothing-here"], 2, "baseline");
}

#[test]
fn the_schema_rejects_invalid_sarif() {
    let check = |text: &str, is_right: bool| {
        let log: Value = serde_json::from_str(text).expect("JSON");
        assert_eq!(mistakes(&log).is_empty(), is_right, "{text}: {:?}", mistakes(&log));
    };
    let run = |results: &str| {
        let driver = r#"{"driver": {"name": "squall"}}"#;
        format!(r#"{{"version": "2.1.0", "runs": [{{"tool": {driver}, "results": [{results}]}}]}}"#)
    };
    check(&run(""), true);
    check(&run(r#"{"message": {"text": "x"}}"#), true);
    check(&run(r#"{"message": {}}"#), false);
    check(&run(r#"{"message": {"text": "x"}, "level": "fatal"}"#), false);
    check(&run(r#"{"message": {"text": "x"}, "severity": "error"}"#), false);
    check(r#"{"version": "2.1.0"}"#, false);
    check(r#"{"version": "2.0.0", "runs": []}"#, false);
    check(
        r#"{"version": "2.1.0", "runs": [{"tool": {"driver": {"name": "x"}}, "results": [], "invocations": [{}]}]}"#,
        false,
    );
}

#[test]
fn classes_that_do_not_fail_are_counted_and_not_reported() {
    let check = |solver: &str, fail_on: &[&str], code: i32, level: Option<&str>, expect: &str| {
        let stage = Stage::new(&roles());
        // Solvers with the same name must not hide each other's `unknown`.
        let output = ci(&stage, solver, if solver == "unknown" { "builtin:sat" } else { "sat" }, fail_on);
        let stdout = text(&output.stdout);
        assert_eq!(output.status.code(), Some(code), "{solver} {fail_on:?}: {stdout}{}", text(&output.stderr));
        assert!(stdout.contains(expect), "{solver} {fail_on:?}: {stdout}");
        let results = check_sarif(&sarif(&stage));
        assert_eq!(results.is_empty(), level.is_none(), "{results:?}");
        assert!(results.iter().all(|result| result["level"].as_str() == level), "{results:?}");
        assert_eq!(junit(&stage).1 > 0, code == 10);
    };
    check("unsat", &[], 10, Some("error"), "NEW   class A");
    check("unsat", &["--fail-on", "B,D"], 0, None, "of classes not in --fail-on B,D.");
    check("unknown", &[], 0, None, "of classes not in --fail-on A,B,X,D.");
    check("unknown", &["--fail-on", "C"], 10, Some("note"), "NEW   class C");
    check("crash", &[], 10, Some("warning"), "NEW   class D");
}

#[test]
fn known_findings_are_not_reported_again() {
    let stage = Stage::new(&roles());
    let known = stage.path("known.json").display().to_string();
    let missing = ci(&stage, "unsat", "sat", &["--known", &known]);
    assert_eq!(missing.status.code(), Some(2), "nothing will write it: {}", text(&missing.stderr));
    let output = ci(&stage, "unsat", "sat", &["--known", &known, "--write-known", &known]);
    assert_eq!(output.status.code(), Some(10), "{}", text(&output.stdout));
    assert!(text(&output.stderr).contains("does not exist yet"), "{}", text(&output.stderr));
    let list = fs::read_to_string(&known).expect("a list");
    // Only the reported finding is known: another finding of its group may have another cause.
    let stdout = text(&output.stdout);
    let shown = stdout.lines().filter(|line| line.contains(" class ") && line.ends_with(']')).count();
    assert!(shown > 0 && list.matches("\"script\"").count() == shown, "{stdout}\n{list}");
    assert!(list.contains("\"skeleton\"") && list.contains("\"script\"") && list.contains("\"A\""), "{list}");
    // Another campaign has other mutants, but their reduced scripts are known.
    fs::remove_dir_all(stage.out()).expect("removed");
    let output = ci_of_seed("8", &stage, "unsat", "sat", &["--known", &known, "--write-known", &known]);
    let stdout = text(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "{stdout}");
    assert!(stdout.contains(" listed by --known") && !stdout.contains("NEW "), "{stdout}");
    assert!(check_sarif(&sarif(&stage)).is_empty());
    assert_eq!(junit(&stage), (1, 0, 0));
    assert!(fs::read_to_string(&known).expect("a list").contains("\"skeleton\""), "what was known is kept");
    // A known cause of one class and solver says nothing about others.
    fs::remove_dir_all(stage.out()).expect("removed");
    fs::write(&known, list.replace("\"A\"", "\"D\"")).expect("a file");
    let output = ci(&stage, "unsat", "sat", &["--known", &known]);
    assert_eq!(output.status.code(), Some(10), "{}", text(&output.stdout));
}

#[test]
fn reports_say_that_nothing_was_tested() {
    let stage = Stage::new(&roles());
    let output = ci(&stage, "unknown", "unknown", &[]);
    let stdout = text(&output.stdout);
    assert_eq!(output.status.code(), Some(11), "{stdout}");
    let log = sarif(&stage);
    assert!(check_sarif(&log).is_empty());
    let invocation = &log["runs"][0]["invocations"][0];
    assert_eq!((&invocation["executionSuccessful"], &invocation["exitCode"]), (&Value::Bool(false), &Value::from(11)));
    let note = invocation["toolExecutionNotifications"][0]["message"]["text"].as_str().expect("a note");
    assert!(
        note.starts_with("No check was answered 'sat' or 'unsat'") && stdout.matches(note).count() == 1,
        "{note}: {stdout}"
    );
    assert_eq!(junit(&stage), (1, 0, 0));
    let report = fs::read_to_string(stage.path("report.xml")).expect("a report");
    assert!(summary(&stage).starts_with("## Squall: undecided\n"), "{}", summary(&stage));
    assert!(report.contains("errors=\"1\"") && report.contains("<error type=\"exit code 11\""), "{report}");
    // A run without problems says so.
    let stage = Stage::new(&roles());
    assert_eq!(ci(&stage, "sat", "sat", &[]).status.code(), Some(0));
    assert_eq!(sarif(&stage)["runs"][0]["invocations"][0]["executionSuccessful"], true);
    assert!(fs::read_to_string(stage.path("report.xml")).expect("a report").contains("errors=\"0\""));
}

#[test]
fn a_wrong_option_of_the_campaign_is_named() {
    let check = |further: &[&str], expect: &str| {
        let mut command = squall();
        command.args(["ci", "--solver", "builtin:sat", "--baseline", "builtin:sat"]).args(further);
        let output = command.stdin(Stdio::null()).output().expect("it runs");
        let stderr = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{further:?}: {stderr}");
        assert!(stderr.contains(expect), "{further:?}: {stderr}");
        assert!(!stderr.contains("Usage: squall --solver"), "nobody wrote that command line: {stderr}");
    };
    check(&["--", "--no-such"], "after '--': unexpected argument '--no-such'");
    check(&["--", "--timeout", "5x"], "after '--': invalid value '5x' for '--timeout <TIME>'");
    check(
        &["--known", "a/ledger.json", "--write-known", "a/ledger.json"],
        "would overwrite the ledger of squall night",
    );
    check(&["--", "--solver", "z3"], "after '--': squall ci sets --solver itself");
    check(&["--", "--seed=3"], "after '--': squall ci sets --seed itself; write --since-seed");
    check(&["--", "--format", "json"], "--sarif and --junit");
    check(&["--fail-on", "A,Z"], "unknown class 'Z'");
}
