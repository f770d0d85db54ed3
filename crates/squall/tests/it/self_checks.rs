//! Campaigns and a solver's own messages: that its model is wrong, that it does not support something, and values printed approximately.

use crate::support::{Run, Stage, after_preflight, record, squall};
use serde_json::Value;
use std::fs;

/// A stage with a solver that answers `sat` and prints `message` with it, and prints `model` on request. Its profile has these lines.
fn stage(seed: &str, message: &str, model: &str, lines: &str) -> Stage {
    let script = format!(
        r#"awk '/^\(check-sat/ {{ print "sat"; {} }} /^\(get-model/ {{ print "{model}" }}'"#,
        if message.is_empty() { String::new() } else { format!("print {message:?}") }
    );
    let stage = Stage::new(&after_preflight(&script));
    let profiles = stage.path("config/squall/solvers");
    fs::create_dir_all(&profiles).expect("a folder");
    let profile = format!("name = \"stand-in\"\nexecutables = [\"sh\"]\ngives-models = \"*\"\n{lines}\n");
    fs::write(profiles.join("stand-in.toml"), profile).expect("a file");
    fs::write(stage.path("seed.smt2"), seed).expect("a file");
    stage
}

fn fuzz(stage: &Stage, more: &[&str]) -> Run {
    let fixed =
        ["--mutants", "120", "--jobs", "1", "--mutator", "storm", "--incremental", "off", "--reduce-share", "0"];
    let mut command = stage.command(&stage.solver(""), &[&fixed[..], more].concat());
    Run::of(command.env("XDG_CONFIG_HOME", stage.path("config")))
}

/// Every mutant of this one is true under every model.
const ALWAYS_TRUE: &str = "(declare-const x Int)(assert (or (= x x) (= (+ x 1) (+ 1 x))))\n(check-sat)\n";
/// The model `x = 0` satisfies neither this one nor most of its mutants.
const NEVER_ZERO: &str = "(declare-const x Int)(assert (or (= x 5) (and (> x 3) (< x 9)) (< x (- 2))))\n(check-sat)\n";

#[test]
fn a_self_check_of_a_model_is_judged_by_the_model() {
    const WORD: &str = "(error \\\"line 1 column 1: an invalid model was generated\\\")";
    const PATTERN: &str = "[[self-check]]\ntext = \"an invalid model was generated\"\nclass = \"B\"";
    let check = |seed: &str, model: &str, class: &str, trust: &str| {
        let stage = stage(seed, &WORD.replace('\\', ""), model, PATTERN);
        let run = fuzz(&stage, &["--models", "0"]);
        assert_eq!(run.code, Some(10), "{model}: {}", run.summary());
        let findings: Vec<Value> = stage.findings().iter().map(|folder| record(folder)).collect();
        assert!(!findings.is_empty(), "{model}");
        let is_so = |finding: &&Value| {
            (finding["class"].as_str(), finding["trust"]["kind"].as_str()) == (Some(class), Some(trust))
        };
        assert!(findings.iter().any(|finding| is_so(&finding)), "{model}: {findings:?}");
        for finding in &findings {
            // A mutant may be true under a model that refutes the others or does not cover them.
            assert!(is_so(&finding) || finding["class"] == "E", "{model}: {finding}");
            let is_refuted = finding["class"] == "B" && trust == "certified";
            assert_eq!(finding.get("false_assertion").is_some(), is_refuted, "{finding}");
        }
        let mut replay = squall();
        replay.arg("replay").arg(stage.out()).env("XDG_CONFIG_HOME", stage.path("config"));
        assert_eq!(replay.output().expect("it runs").status.code(), Some(10), "{model}");
    };
    check(ALWAYS_TRUE, "((define-fun x () Int 7))", "E", "certified");
    check(NEVER_ZERO, "((define-fun x () Int 0))", "B", "certified");
    check(ALWAYS_TRUE, "((define-fun x () Int (nonsense 7)))", "B", "observed");
}

#[test]
fn a_known_false_self_check_is_only_counted() {
    const PATTERN: &str = "[[self-check]]\ntext = \"an invalid model was generated\"\nclass = \"B\"";
    let word = "(error \"line 1 column 1: an invalid model was generated\")";
    let stage = stage(ALWAYS_TRUE, word, "((define-fun x () Int 7))", PATTERN);
    let run = fuzz(&stage, &["--models", "0"]);
    assert_eq!(run.number("signatures"), 1, "{}", run.summary());
    assert!(run.number("repeats") > 60, "{}", run.summary());
    assert!(stage.findings().len() <= 4, "{:?}", stage.findings());
}

#[test]
fn unsupported_features_are_not_findings() {
    let check = |feature: &str, seed: &str, expect: usize| {
        let pattern = format!("[[unsupported]]\ntext = \"not yet supported\"{feature}");
        let stage = stage(seed, "integers are not yet supported", "((define-fun x () Int 0))", &pattern);
        fs::write(stage.path("second.smt2"), seed).expect("a file");
        let second = stage.path("second.smt2").display().to_string();
        let run = fuzz(&stage, &["--models", "100", &second]);
        assert!(stage.findings().is_empty(), "{feature}: {}", run.summary());
        assert_eq!(run.number("models_invalid"), 0, "{feature}: {}", run.summary());
        assert_eq!(run.number("seeds"), expect as u64, "{feature}: {}", run.summary());
        // No check was answered.
        assert_eq!(run.code, Some(1), "{feature}: {}", run.summary());
    };
    // Seeds without the feature are tried once; those with it are not.
    check("", NEVER_ZERO, 2);
    check("\nfeature = \"integers\"", NEVER_ZERO, 1);
    check("\nfeature = \"strings\"", NEVER_ZERO, 2);
}

/// CVC4 without its library for floats once got floats again and again.
#[test]
fn generated_problems_leave_out_unsupported_features() {
    let mutants = |feature: &str| {
        let pattern = format!("[[unsupported]]\ntext = \"not yet supported\"\nfeature = \"{feature}\"");
        let stage = stage(ALWAYS_TRUE, "floats are not yet supported", "", &pattern);
        let made = ["--mutator", "finite", "--set", "theory=fp", "--set", "mutants=64"];
        let bounds = ["--units", "6", "--jobs", "1", "--reduce-share", "0"];
        let asked = [&made[..], &bounds[..]].concat();
        let run = Run::of(stage.command(&stage.solver(""), &asked).env("XDG_CONFIG_HOME", stage.path("config")));
        run.number("mutants")
    };
    assert!(mutants("strings") > 64);
    assert_eq!(mutants("floats"), 64);
}

/// z3 keeps the reason for `unknown` only until its next command; after the last `pop`, it printed none.
#[test]
fn the_reason_for_unknown_is_asked_for_at_its_check() {
    let check = |lines: &str, expect: Option<&str>| {
        let script = r#"awk '/^\(check-sat/ { print "unknown"; why = "too wide, not supported" }
            /^\((pop|assert|push)/ { why = "not known any more" }
            /^\(get-info :reason/ { print "(:reason-unknown \"" why "\")" }'"#;
        let stage = Stage::new(script);
        let profiles = stage.path("config/squall/solvers");
        fs::create_dir_all(&profiles).expect("a folder");
        let profile = format!("name = \"stand-in\"\nexecutables = [\"sh\"]\ncomplete = [\"QF_LIA\"]\n{lines}\n");
        fs::write(profiles.join("stand-in.toml"), profile).expect("a file");
        let bounds = ["--mutants", "60", "--jobs", "1", "--reduce-share", "0"];
        let levels = ["--mutator", "storm", "--incremental", "on"];
        let mut command = stage.command(&stage.solver(""), &[&bounds[..], &levels[..]].concat());
        let run = Run::of(command.env("XDG_CONFIG_HOME", stage.path("config")));
        let reasons: Vec<Value> =
            stage.findings().iter().map(|folder| record(folder)["reason_unknown"].clone()).collect();
        match expect {
            Some(reason) => assert!(!reasons.is_empty() && reasons.iter().all(|r| r == reason), "{reasons:?}"),
            None => assert!(reasons.is_empty(), "{lines}: {}", run.summary()),
        }
    };
    check("", Some("too wide, not supported"));
    check("[[unsupported]]\ntext = \"too wide\"", None);
}

#[test]
fn an_approximate_value_refutes_no_model() {
    const ROOT: &str = "(declare-const x Real)(assert (= (* x x) 2.0))(check-sat)\n";
    let check = |lines: &str, expect: bool| {
        let stage = stage(ROOT, "", "((define-fun x () Real 1.414214))", lines);
        let run = fuzz(&stage, &["--models", "100"]);
        assert_eq!(run.summary()["seed_findings"]["B"].as_u64() > Some(0), expect, "{lines}: {}", run.summary());
    };
    check("[[dialect]]\nversions = \"*\"\nmiswrites = [\"cut-decimal\"]", false);
    check("", true);
}

/// Campaigns did not judge such a model; `validate` called it wrong.
#[test]
fn validate_judges_no_approximate_value() {
    const ROOT: &str = "(declare-const x Real)(assert (= (* x x) 2.0))(check-sat)\n";
    for (lines, code, says) in [
        ("[[dialect]]\nversions = \"*\"\nmiswrites = [\"cut-decimal\"]", 11, "misprints some values (cut-decimal)"),
        ("", 10, "invalid"),
    ] {
        let stage = stage(ROOT, "", "((define-fun x () Real 1.414214))", lines);
        let mut command = squall();
        command.arg("validate").arg(stage.path("seed.smt2")).args(["--solver", &stage.solver("")]);
        let output = command.env("XDG_CONFIG_HOME", stage.path("config")).output().expect("it runs");
        let text = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
        assert!(output.status.code() == Some(code) && text.contains(says), "{lines}: {:?} {text}", output.status);
    }
}
