//! Slowness as a finding, with stand-ins that use CPU time on a word: found, replayed, reduced, and non-findings.

use super::stage::Stage;
use crate::support::READ;
use serde_json::{Value, json};
use std::fs;
use std::path::PathBuf;

/// A seed whose mutants have operators that it lacks: a product or a difference.
const SEED: &str = "(set-logic QF_NIA)\n(declare-fun x () Int)\n(declare-fun y () Int)\n(declare-fun z () Int)\n\
    (assert (or (> (+ x y) 3) (< (+ y z) (+ z x))))\n(assert (distinct (+ x 1) (+ y 2) (+ z x)))\n(check-sat)\n";

/// A script on which the stand-ins are slow.
const WORD: &str = "case \"$t\" in *'(* '*|*'(- '*) true;; *) false;; esac";

/// A stand-in that answers `sat` to every check, and never answers a script for which the shell's condition holds.
fn slow_if(condition: &str) -> String {
    format!(
        "{READ}if {condition}; then while :; do :; done; fi\n\
         case \"$t\" in *'(check-sat)'*) echo sat;; esac\n"
    )
}

/// Runs a campaign on the newer of two releases until it finds one. Returns the findings and the stage.
fn found(newer: &str, older: Option<&str>, more: &[&str]) -> (Stage, Vec<PathBuf>) {
    found_within("2s", newer, older, &[more, &["--until-found", "S"]].concat())
}

/// The same to the end, with this time limit.
fn found_within(limit: &str, newer: &str, older: Option<&str>, more: &[&str]) -> (Stage, Vec<PathBuf>) {
    let stage = Stage::new();
    stage.write("seed.smt2", SEED);
    stage.version("4.15.4", &slow_if(newer));
    let mut args = vec!["fuzz", "seed.smt2", "--solver", "z3@4.15.4", "--out", "out", "--units", "1", "--jobs", "1"];
    args.extend(["--mutator", "operator", "--assignment", "random", "--models", "0", "--reduce-share", "0"]);
    // A run that is slow uses up its whole limit, by default 5 seconds.
    args.extend(["--incremental", "off", "--tactics", "none", "--format", "json", "--timeout", limit]);
    if let Some(older) = older {
        stage.version("4.8.7", &slow_if(older));
        args.extend(["--reference", "z3@4.8.7"]);
    }
    args.extend(more);
    let ran = stage.run(&args);
    let folders = fs::read_dir(stage.path("out/findings")).into_iter().flatten().flatten().map(|entry| entry.path());
    let folders: Vec<PathBuf> = folders.filter(|path| path.join("finding.json").is_file()).collect();
    assert_eq!(ran.code == Some(10), !folders.is_empty(), "{}{}", ran.out, ran.err);
    (stage, folders)
}

fn record(folder: &std::path::Path) -> Value {
    let record = serde_json::from_str(&fs::read_to_string(folder.join("finding.json")).expect("a record"));
    let record = record.expect("JSON");
    crate::support::schema::Schema::Finding.check(&record);
    record
}

#[test]
fn a_mutant_that_is_slow_in_one_release_is_a_finding() {
    for more in [&["--slow"][..], &["--slow", "--no-batch"]] {
        let (_stage, folders) = found(WORD, Some("false"), more);
        let finding = record(folders.first().expect("a finding"));
        let number = |name: &str| finding["slowness"][name].as_f64().expect("seconds");
        assert_eq!((finding["class"].as_str(), finding["trust"]["kind"].as_str()), (Some("S"), Some("observed")));
        assert_eq!((finding["slowness"]["than"].as_str(), &finding["repeats"]["shown"]), (Some("z3@4.8.7"), &2.into()));
        assert_eq!(finding["summary"], "z3@4.15.4 is 100 times slower than z3@4.8.7 (plain)");
        assert!(number("cpu_s") >= 0.5 && number("cpu_s") >= 100.0 * number("other_cpu_s"), "{finding}");
    }
}

#[test]
fn a_slow_finding_is_replayed_and_reduced_with_its_ratio() {
    const SCRIPT: &str = "(declare-fun x () Int)\n(assert (> (* 2 x) 3))\n(assert (< x 9))\n(check-sat)\n";
    // Under every option it is fast, so that the search for the option that helps is, too.
    let slow = slow_if(&format!("{WORD} && case \"$*\" in *=*) false;; esac"));
    let stage = Stage::new();
    stage.write("out/campaign.json", "{\"format\": 1}\n");
    stage.version("4.15.4", &slow);
    stage.version("4.8.7", &slow_if("false"));
    stage.finding("out/findings/S-0", "S", SCRIPT, "z3@4.15.4");
    let slowness = json!({"than": "z3@4.8.7", "spec": "z3@4.8.7", "cpu_s": 0.5, "other_cpu_s": 0.004});
    let solver = json!({"label": "z3@4.15.4", "version": "4.15.4", "timeout_s": 2.0});
    let trust = json!({"kind": "observed"});
    stage.amend(
        "out/findings/S-0",
        json!({"symptom": "slower than z3@4.8.7", "trust": trust, "solver": solver, "slowness": slowness}),
    );
    let run = |args: &[&str]| stage.run(&[args, &["out/findings/S-0"]].concat());
    let check = |args: &[&str], code: i32, words: &str| {
        let ran = run(args);
        assert_eq!(ran.code, Some(code), "{args:?}: {}{}", ran.out, ran.err);
        assert!(ran.out.contains(words) || ran.err.contains(words), "{args:?}: {}{}", ran.out, ran.err);
    };
    check(&["replay"], 10, "reproduces");
    // Each candidate that stays slow takes half a second.
    check(&["reduce", "--jobs", "1"], 0, "measured by CPU time");
    let text = stage.read("out/findings/S-0/reduced.smt2");
    assert!(text.contains("(* ") && text.matches("assert").count() == 1, "{text}");
    let issue = stage.run(&["report", "out", "--next", "1"]);
    let texts = fs::read_dir(stage.path("out/issues")).into_iter().flatten().flatten();
    let texts: String = texts.filter_map(|entry| fs::read_to_string(entry.path()).ok()).collect();
    assert!(texts.contains("z3@4.8.7 answers in 0.004 s"), "{texts}{}{}", issue.out, issue.err);
    // The releases run again if their programs have changed.
    stage.version("4.15.4", &slow_if("false"));
    check(&["replay"], 0, "does not reproduce");
    check(&["reduce", "--restart"], 1, "does not show");
    stage.version("4.15.4", &slow);
    stage.version("4.8.7", &slow);
    check(&["replay"], 0, "does not reproduce");
    fs::remove_dir_all(stage.path("cache/solvers/z3@4.8.7")).expect("a release");
    check(&["replay"], 1, "'z3@4.8.7'");
}

#[test]
fn a_mutant_that_is_slow_in_one_mode_is_a_finding() {
    let (_stage, folders) = found(&format!("{WORD} && case \"$*\" in *solver=2*) false;; esac"), None, &["--slow"]);
    let than = folders.first().map(|folder| record(folder)["slowness"]["than"].clone());
    assert_eq!(than, Some("z3@4.15.4 smt.arith.solver=2".into()));
}

#[test]
fn slowness_everywhere_or_always_is_not_a_finding() {
    let check = |newer: &str, older: &str, more: &[&str]| {
        let (_stage, folders) = found_within("500ms", newer, Some(older), &[more, &["--mutants", "1"]].concat());
        assert!(folders.is_empty(), "{newer}, {older}, {more:?}: {folders:?}");
    };
    check(WORD, WORD, &["--slow"]);
    check("true", "false", &["--slow"]);
    check(WORD, "false", &[]);
}
