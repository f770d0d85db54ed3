//! What a finding needs: no options, documented ones, or experimental ones, which are told apart from all others.

use crate::support::{Run, Stage, record, squall};
use serde_json::Value;
use std::fs;
use std::process::Command;

/// Answers unsat under the option that goes with `mood`, else unknown.
const MOODY: &str = "text=$(cat); case \"$* $text\" in *mood*) echo unsat;; *) echo unknown;; esac";

/// A solver that has an option of a grade, and a campaign of it; its folder and how it ended.
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
    const APART: &str = "Only with options that the solver calls experimental";
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
        let rows = asked(&stage, &["findings", "--format", "json"]);
        let grades: Vec<Value> = rows.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
        assert!(!grades.is_empty() && grades.iter().all(|row| row["grade"] == expect), "{rows}");
        let table = asked(&stage, &["findings"]);
        assert_eq!(table.contains(APART), is_experimental, "{table}");
        assert!(table.contains(&format!("needs {expect} options")), "{table}");
        let next = asked(&stage, &["report", "--next", "1"]);
        assert_eq!(next.contains("No cause is left to report"), is_experimental, "{next}");
        assert_eq!(next.contains("left out: 1 cause, with experimental options alone"), is_experimental, "{next}");
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
fn experimental_options_are_drawn_only_where_that_is_asked_for() {
    let (_, run) = campaign("grade = \"experimental\"", "random");
    assert_eq!(run.code, Some(2), "{}", run.stderr);
    for words in ["lists no option that can be varied", "--options experimental draws"] {
        assert!(run.stderr.contains(words), "{}", run.stderr);
    }
    let (stage, run) = campaign("grade = \"experimental\"", "default");
    assert_ne!(run.code, Some(2), "{}", run.stderr);
    assert!(stage.findings().is_empty(), "no option is set");
}
