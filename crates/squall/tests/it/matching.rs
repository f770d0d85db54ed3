//! Hits of known causes are recognised without a reduction, with a stand-in that answers wrongly on two operators.

use crate::support::{Run, Stage, record};
use finding::CauseReward;
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use triage::folder::CampaignFindings;
use triage::reduction_yield::ReductionYield;

/// Answers as `squall solve` does, except for scripts with one of these operators.
fn solver(wrong: &[&str]) -> String {
    let program = env!("CARGO_BIN_EXE_squall");
    let patterns: Vec<String> = wrong.iter().map(|name| format!("*'({name} '*")).collect();
    format!(
        "text=$(cat)\nanswer=$(printf '%s\\n' \"$text\" | '{program}' solve -)\ncase \"$text\" in {})\n\
         case \"$answer\" in sat) answer=unsat;; unsat) answer=sat;; esac;;\nesac\nprintf '%s\\n' \"$answer\"\n",
        patterns.join("|")
    )
}

fn campaign(wrong: &[&str], mutants: &str, more: &[&str]) -> (Stage, Run) {
    // Before reductions, all hits at one place of a seed are one group.
    let stage = Stage::new("");
    stage.add_seeds(40);
    let seeds = stage.path("seeds").display().to_string();
    let program = testing::executable(&stage.path("program"), &format!("#!/bin/sh\n{}", solver(wrong)));
    let fixed = ["--mutants", mutants, "--jobs", "1", "--incremental", "off", "--reduce-share", "1"];
    let words = [&fixed[..], &["--relations", "off", "--theory", "bv", &seeds], more].concat();
    let run = Run::of(&mut stage.command(&program, &words));
    (stage, run)
}

/// Returns the findings with a known cause: the record, the script, and the note.
fn matched(stage: &Stage) -> Vec<(PathBuf, String, Value)> {
    let noted = |folder: PathBuf| {
        let text = fs::read_to_string(folder.join("matched.json")).ok()?;
        let script = fs::read_to_string(folder.join("mutant.smt2")).expect("a script");
        Some((folder, script, serde_json::from_str(&text).expect("JSON")))
    };
    stage.findings().into_iter().filter_map(noted).collect()
}

fn reduced(folder: &Path) -> Option<String> {
    fs::read_to_string(folder.join("reduced.smt2")).ok()
}

#[test]
fn hits_of_known_causes_are_recognised_without_a_reduction() {
    let planted = ["bvudiv", "bvmul"];
    let (stage, run) = campaign(&planted, "600", &[]);
    let found = matched(&stage);
    let events = run.events("matched");
    assert!(!found.is_empty() && events.len() == found.len(), "{} {}", events.len(), run.summary());
    for (folder, script, noted) in &found {
        assert!(reduced(folder).is_none(), "{}", folder.display());
        let without: BTreeSet<&str> =
            noted["without"].as_array().expect("a list").iter().filter_map(Value::as_str).collect();
        let guilty: BTreeSet<&str> = planted.into_iter().filter(|name| script.contains(&format!("({name} "))).collect();
        // A second cause in the same script is not a match: without one operator the stand-in still errs by the other.
        assert!(!guilty.is_empty() && guilty.is_subset(&without), "{guilty:?} {without:?}\n{script}");
        let of = stage.out().join("findings").join(noted["of"].as_str().expect("a name"));
        assert!(reduced(&of).is_some_and(|text| without.iter().any(|name| text.contains(name))), "{noted}");
    }
    // None is lost, and none is a separate cause.
    let causes = run.number("causes");
    assert!((1..=4).contains(&causes), "{}", run.summary());
    assert!(run.number("not_reduced") <= 2, "{}", run.summary());
}

/// One bug of Yices in scopes of `let` had 76 of the 77 findings of a campaign, each reduced for itself.
#[test]
fn a_cause_that_lies_in_the_spelling_is_known_by_it() {
    let script = solver(&["bvudiv"]).replace("*'(bvudiv '*", "*'(let ((x'*");
    let stage = Stage::new("");
    stage.add_seeds(40);
    let seeds = stage.path("seeds").display().to_string();
    let program = testing::executable(&stage.path("program"), &format!("#!/bin/sh\n{script}"));
    let fixed = ["--mutants", "120", "--jobs", "1", "--incremental", "off", "--reduce-share", "1"];
    let words = [&fixed[..], &["--relations", "off", "--theory", "scopes", &seeds]].concat();
    let run = Run::of(&mut stage.command(&program, &words));
    let found = matched(&stage);
    let by_spelling = |(_, script, noted): &&(PathBuf, String, Value)| {
        script.contains("(let ((x") && noted["without"] == serde_json::json!([finding::kind::OWN_SPELLING])
    };
    let Some((folder, _, noted)) = found.iter().find(by_spelling) else { panic!("{found:?} {}", run.summary()) };
    assert!(reduced(folder).is_none(), "{}", folder.display());
    // The program errs on the reduced script, and not on our print of it.
    let of = stage.out().join("findings").join(noted["of"].as_str().expect("a name"));
    let saved = fs::read_to_string(of.join("vector.json")).expect("a vector");
    let saved: Value = serde_json::from_str(&saved).expect("JSON");
    let errs = |wanted: &dyn Fn(&str) -> bool| {
        let rows = saved["vector"].as_object().expect("rows");
        rows.iter().find(|(who, _)| wanted(who)).map(|(_, errs)| errs == true)
    };
    assert_eq!(errs(&|who| who.ends_with(" reprinted")), Some(false), "{saved}");
    assert_eq!(errs(&|who| !who.contains(' ')), Some(true), "{saved}");
}

#[test]
fn without_blocking_everything_is_reduced() {
    let (stage, run) = campaign(&["bvudiv"], "200", &["--blocking", "off"]);
    assert!(run.number("causes") > 0, "{}", run.summary());
    assert!(matched(&stage).is_empty() && run.events("matched").is_empty());
}

#[test]
fn a_cause_that_needs_an_option_is_known_by_the_option() {
    let stage = Stage::new("");
    stage.add_seeds(40);
    let profiles = stage.path("config/squall/solvers");
    fs::create_dir_all(&profiles).expect("a folder");
    let profile =
        "name = \"moody\"\n[[choice]]\noption = \"--mood={}\"\nvalues = [\"bad\", \"good\", \"fair\"]\nsound = true\n";
    fs::write(profiles.join("moody.toml"), profile).expect("a file");
    let text =
        solver(&["bvmul", "bvadd", "bvult", "bvsub", "bvudiv"]).replace("case \"$text\" in", "case \"$*$text\" in");
    let text = text.replace("*'(bv", "*--mood=bad*'(bv");
    let program = testing::executable(&stage.path("program"), &format!("#!/bin/sh\n{text}"));
    let seeds = stage.path("seeds").display().to_string();
    let fixed = ["--mutants", "240", "--jobs", "1", "--incremental", "off", "--reduce-share", "1", "--blocking", "off"];
    let words = [&fixed[..], &["--theory", "bv", &seeds]].concat();
    let mut command = stage.command(&format!("moody:{program}"), &words);
    let run = Run::of(command.env("XDG_CONFIG_HOME", stage.path("config")));
    assert!(run.number("causes") > 0, "{}", run.summary());
    let found = stage.findings();
    let label = record(&found[0])["solver"]["label"].as_str().expect("a name").to_string();
    let known = ReductionYield::default();
    known.know_all(&CampaignFindings::load(&stage.out()).expect("a campaign"));
    let (settings, operators) = (known.avoided_settings(&label), known.triggers(&label));
    assert!(settings.iter().any(|needed| **needed == ["--mood=bad".to_string()]), "{settings:?}");
    assert!(
        operators.iter().all(|names| names.is_empty()),
        "without the option no operator is to blame: {operators:?}"
    );
}
