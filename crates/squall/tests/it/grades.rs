//! Grades of findings by the options that they need: none, documented ones, or experimental ones.

use crate::support::{Run, Stage, record, squall};
use serde_json::Value;
use std::fs;
use std::process::Command;

/// Answers unsat under the option of `mood`, else unknown.
const MOODY: &str = "text=$(cat); case \"$* $text\" in *mood*) echo unsat;; *) echo unknown;; esac";

/// Runs a campaign on a solver with an option of a grade. Returns its folder and how it ended.
fn campaign(grade: &str, options: &str) -> (Stage, Run) {
    let stage = Stage::new(MOODY);
    let profiles = stage.path("config/squall/solvers");
    fs::create_dir_all(&profiles).expect("a folder");
    let profile = format!(
        "name = \"moody\"\nexecutables = [\"sh\"]\n\
         [[choice]]\noption = \"--{{}}\"\nvalues = [\"mood\"]\nsound = true\n{grade}\n"
    );
    fs::write(profiles.join("moody.toml"), profile).expect("a file");
    let more = ["--mutator", "storm", "--mutants", "100", "--jobs", "1", "--incremental", "off", "--options", options];
    let config = stage.path("config");
    let run = Run::of(stage.command(&stage.solver(""), &more).env("XDG_CONFIG_HOME", config));
    (stage, run)
}

fn asked(stage: &Stage, words: &[&str]) -> String {
    let mut command: Command = squall();
    command.args(words).arg(stage.out()).env("XDG_CONFIG_HOME", stage.path("config"));
    let output = command.output().expect("squall runs");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[test]
fn a_finding_says_which_grade_of_options_it_needs() {
    const APART: &str = "Only with what the solver calls experimental";
    let check = |grade: &str, options: &str, expect: &str| {
        let (stage, run) = campaign(grade, options);
        assert_eq!(run.code, Some(10), "{}", run.stderr);
        let is_experimental = expect == "experimental";
        for folder in stage.findings() {
            let finding = record(&folder);
            let set = &finding["solver"]["experimental_options"];
            assert_eq!(set.is_array(), is_experimental, "{finding}");
            let summary = finding["summary"].as_str().expect("words");
            assert_eq!(summary.ends_with("under experimental options"), is_experimental, "{summary}");
        }
        // A busy machine may have left some unreduced.
        asked(&stage, &["reduce", "--quiet"]);
        let rows = asked(&stage, &["report", "--list", "--format", "json"]);
        let grades: Vec<Value> = rows.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
        assert!(!grades.is_empty() && grades.iter().all(|row| row["grade"] == expect), "{rows}");
        let table = asked(&stage, &["report", "--list"]);
        assert_eq!(table.contains(APART), is_experimental, "{table}");
        assert!(table.contains(&format!("needs {expect} options")), "{table}");
        let next = asked(&stage, &["report", "--next", "1"]);
        assert_eq!(next.contains("No cause is left to report"), is_experimental, "{next}");
        assert_eq!(next.contains("left out: 1 cause, only with experimental options"), is_experimental, "{next}");
        let issues = fs::read_dir(stage.out().join("issues")).expect("issues").flatten();
        let text: String = issues.map(|file| fs::read_to_string(file.path()).expect("a text")).collect();
        assert!(text.contains(&format!("| {expect} options | --mood |")), "{text}");
        assert_eq!(text.contains("which its project may not want reported"), is_experimental, "{text}");
        let page = fs::read_to_string(stage.out().join("report.html")).expect("a page");
        assert_eq!(page.contains("only with experimental options"), is_experimental);
        assert!(page.contains(&format!("<dd>{expect} options</dd>")), "{expect}");
    };
    check("", "random", "documented");
    check("grade = \"documented\"", "experimental", "documented");
    check("grade = \"experimental\"", "experimental", "experimental");
}

#[test]
fn experimental_options_are_drawn_only_on_request() {
    let (_, run) = campaign("grade = \"experimental\"", "random");
    assert_eq!(run.code, Some(2), "{}", run.stderr);
    for words in ["lists no option that can be varied", "--options experimental draws"] {
        assert!(run.stderr.contains(words), "{}", run.stderr);
    }
    let (stage, run) = campaign("grade = \"experimental\"", "default");
    assert_ne!(run.code, Some(2), "{}", run.stderr);
    assert!(stage.findings().is_empty(), "no option is set");
}

/// Findings under `--strings-exp`, which our profile of cvc5 adds, once counted as default, and bugs that it hides were missed.
#[test]
fn default_is_without_the_options_that_the_profile_adds() {
    let stage_of = |answers: &str| {
        let stage = Stage::new("");
        let profiles = stage.path("config/squall/solvers");
        fs::create_dir_all(&profiles).expect("a folder");
        let profile = "name = \"adder\"\n[options]\nadded = [\"--added\"]\n";
        fs::write(profiles.join("adder.toml"), profile).expect("a file");
        let script = format!("#!/bin/sh\ntext=$(cat); case \"$*\" in {answers} esac\n");
        let spec = format!("adder:{}", testing::executable(&stage.path("program"), &script));
        (stage, spec)
    };
    let check = |answers: &str, grade: &str, named: &str| {
        let (stage, spec) = stage_of(answers);
        let more = ["--mutator", "storm", "--mutants", "20", "--jobs", "1", "--incremental", "off"];
        let run = Run::of(stage.command(&spec, &more).env("XDG_CONFIG_HOME", stage.path("config")));
        assert_eq!(run.code, Some(10), "{}", run.stderr);
        for folder in stage.findings() {
            let finding = record(&folder);
            let (solver, summary) = (&finding["solver"], finding["summary"].as_str().expect("words"));
            assert_eq!(solver["spec"].as_str().expect("a spec").ends_with(" --bare"), named.is_empty(), "{solver}");
            assert_eq!(solver["command"].to_string().contains("--added"), !named.is_empty(), "{solver}");
            assert!(summary.ends_with(&format!(" (plain){named}")), "{summary}");
        }
        let rows = asked(&stage, &["report", "--list", "--format", "json"]);
        assert!(rows.contains(&format!("\"grade\":\"{grade}\"")), "{rows}");
        let replayed = asked(&stage, &["replay"]);
        assert!(
            replayed.contains("=> reproduces") && replayed.contains("with --added") != named.is_empty(),
            "{replayed}"
        );
        asked(&stage, &["reduce", "--trust", "none", "--jobs", "1"]);
        asked(&stage, &["report"]);
        let issues = fs::read_dir(stage.out().join("issues")).expect("issues").flatten();
        let text: String = issues.map(|file| fs::read_to_string(file.path()).expect("a text")).collect();
        assert_eq!(text.contains("--added < bug.smt2"), !named.is_empty(), "{text}");
        assert_eq!(text.contains("| documented options | --added |"), !named.is_empty(), "{text}");
    };
    check("*) echo unsat;;", "default", "");
    check("*--added*) echo unsat;; *) echo unknown;;", "documented", " with --added");

    let (stage, spec) = stage_of("*--added*) echo sat;; *) echo unsat;;");
    fs::write(stage.path("bool.smt2"), "(declare-const p Bool)(assert p)(check-sat)").expect("a file");
    let mut command = squall();
    command.args(["bisect", "--format", "json", "--solver", &spec]).arg(stage.path("bool.smt2"));
    let output = command.env("XDG_CONFIG_HOME", stage.path("config")).output().expect("squall runs");
    let printed: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let did = |rows: &str| printed[rows][0]["did"].clone();
    assert_eq!((did("found"), did("plain"), did("with_added")), ("wrong".into(), "wrong".into(), "right".into()));
}
