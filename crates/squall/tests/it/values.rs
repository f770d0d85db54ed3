//! Values that contradict the solver's own model, against a stand-in with given values: found, replayed, reduced, and non-findings.

use crate::support::{Run, Stage, record, squall};
use std::fs;

/// Every mutant of this script is true under every model.
const SEED: &str = "(declare-const p Bool)(declare-const x Int)(declare-const q Bool)\
    (assert (or p (not p) (= x x) (= (div x 0) (div x 0)) q))\n(check-sat)\n";

/// A solver that answers `sat`, gives a model, and on `(get-value …)` values of `p` and `(div x 0)`, and nonsense for other terms. Each line
/// holds one term, the last one with the two parentheses that end the command.
const SCRIPT: &str = r#"awk -v model="$1" -v p="$2" -v d="$3" '
/^\(check-sat/ { print "sat" }
/^\(get-model/ { print model }
/^\(get-value \(/ { asks = 1; printf "("; sub(/^\(get-value \(/, ""); if ($0 == "") next }
asks {
  term = $0; opens = gsub(/\(/, "("); closes = gsub(/\)/, ")")
  if (closes == opens + 2) { asks = 0; term = substr(term, 1, length(term) - 2) }
  printf "(%s %s)", term, (term == "p" ? p : term == "(div x 0)" ? d : "nonsense")
  if (!asks) print ")"
}'"#;

fn campaign(model: &str, p: &str, d: &str) -> (Stage, Run) {
    let stage = Stage::new(SCRIPT);
    let profiles = stage.path("config/squall/solvers");
    fs::create_dir_all(&profiles).expect("a folder");
    let profile = "name = \"stand-in\"\nexecutables = [\"sh\"]\ngives-models = \"*\"\n";
    fs::write(profiles.join("stand-in.toml"), profile).expect("a file");
    fs::write(stage.path("seed.smt2"), SEED).expect("a file");
    let fixed = ["--mutants", "40", "--jobs", "1", "--mutator", "storm", "--incremental", "off", "--reduce-share", "0"];
    let solver = stage.solver(&format!("'{model}' '{p}' '{d}'"));
    let mut command = stage.command(&solver, &[&fixed[..], &["--models", "100", "--tactics", "none"]].concat());
    let run = Run::of(command.env("XDG_CONFIG_HOME", stage.path("config")));
    (stage, run)
}

const MODEL: &str = "((define-fun p () Bool false) (define-fun x () Int 7))";

#[test]
fn a_value_that_contradicts_the_model_is_a_finding() {
    let (stage, run) = campaign(MODEL, "true", "5");
    assert_eq!(run.code, Some(10), "{}", run.summary());
    let folders = stage.findings();
    let folder = folders.first().expect("a finding");
    let finding = record(folder);
    assert_eq!((&finding["class"], &finding["trust"]["kind"]), (&"B".into(), &"certified".into()));
    assert_eq!(finding["symptom"], "its values contradict its model");
    let told = "p\n  false  is its value under (get-model)\n  true  says (get-value …)";
    assert_eq!(finding["false_assertion"], told);
    let text = fs::read_to_string(folder.join("mutant.smt2")).expect("a script");
    assert!(text.ends_with("(check-sat)\n(get-model)\n(get-value (\np))\n"), "only the one value is asked for: {text}");

    let run = |arguments: &[&str]| {
        let mut command = squall();
        command.args(arguments).arg(folder).env("XDG_CONFIG_HOME", stage.path("config"));
        let output = command.output().expect("it runs");
        (output.status.code(), String::from_utf8_lossy(&output.stdout).into_owned())
    };
    assert_eq!(run(&["replay"]).0, Some(10));
    assert_eq!(run(&["reduce", "--jobs", "1"]).0, Some(0));
    let reduced = fs::read_to_string(folder.join("reduced.smt2")).expect("a script");
    assert!(reduced.contains("(get-value (p))") && !reduced.contains("assert"), "{reduced}");
}

/// A solver that answers `sat` and gives each objective the same value, but an interval only where there are several.
const OPTIMIST: &str = r#"awk -v value="$1" '
/^\(check-sat/ { print "sat" }
/^\(get-model/ { print "()" }
/^\((max|min)imize/ { rows++ }
/^\(assert-soft/ { group = match($0, /:id g./) ? substr($0, RSTART, RLENGTH) : "none"; rows += !(group in seen); seen[group] }
/^\(get-objectives/ && (rows > 2 || value !~ /interval/) { printf "(objectives"; for (n = 0; n < rows; n++) printf "\n (x%d %s)", n, value; print "\n)" }
'"#;

#[test]
fn a_value_that_is_not_best_is_a_finding_and_an_interval_is_no_answer() {
    let check = |value: &str, class: &str, symptom: &str| {
        let stage = Stage::new(OPTIMIST);
        let profiles = stage.path("config/squall/solvers");
        fs::create_dir_all(&profiles).expect("a folder");
        let profile = "name = \"stand-in\"\nexecutables = [\"sh\"]\ngives-models = \"*\"\ncomplete = [\"ALL\"]\n";
        fs::write(profiles.join("stand-in.toml"), profile).expect("a file");
        let of_theme = ["--theory", "objectives", "--mutants", "30", "--jobs", "1", "--reduce-share", "0"];
        let rest = ["--models", "100", "--tactics", "none", "--incremental", "off", "--seed", "2"];
        let mut command = stage.command(&stage.solver(&format!("'{value}'")), &[&of_theme[..], &rest].concat());
        let run = Run::of(command.env("XDG_CONFIG_HOME", stage.path("config")));
        let folders = stage.findings();
        let is_it = |folder: &&std::path::PathBuf| record(folder)["symptom"] == symptom;
        let folder = folders.iter().find(is_it).unwrap_or_else(|| panic!("{value}: {}", run.summary()));
        assert_eq!(record(folder)["class"], class, "{value}");
        let mut replay = squall();
        let output = replay.arg("replay").arg(folder).env("XDG_CONFIG_HOME", stage.path("config")).output();
        assert_eq!(output.expect("it runs").status.code(), Some(10), "{value}");
    };
    check("77777", "B", "it misses an optimum");
    check("(interval 0 77777)", "C", "unknown");
}

#[test]
fn values_without_a_contradiction_are_not_findings() {
    let check = |model: &str, p: &str, d: &str| {
        let (stage, run) = campaign(model, p, d);
        // If the model leaves a symbol out, a value for it may still make the model wrong.
        let wrong = |folder: &std::path::PathBuf| record(folder)["symptom"] == "its values contradict its model";
        assert!(!stage.findings().iter().any(wrong), "{model} {p} {d}: {}", run.stderr);
        assert!(run.number("sat") > 0, "{}", run.summary());
    };
    // The same value, and a value left open by the standard.
    check(MODEL, "false", "5");
    check(MODEL, "(not true)", "(- 5)");
    // A term that is not a value, or has another sort.
    check(MODEL, "nonsense", "5");
    check(MODEL, "12", "true");
    // The model leaves the symbol out.
    check("((define-fun x () Int 7))", "true", "5");
}
