//! Proofs of mutants: holes where complete proofs are promised, the solver's own check, and holes that are only counted.

use crate::support::{Run, Stage, record, squall};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};

/// A profile with a mode that promises proofs.
pub const PROFILE: &str = "name = \"prover\"\n\
    [options]\nproofs = [\"--prove\"]\ncheck-proofs = [\"--check\"]\n\
    [[mode]]\ngrade = \"safe\"\noptions = [\"--safe\"]\nversions = \"*\"\npromises-proofs = true\n\
    [[mode]]\ngrade = \"stable\"\noptions = [\"--stable\"]\nversions = \">=9\"\n\
    [proof]\nholes = [\"trust\"]\n\
    [[crash]]\ntext = \"The proof was incomplete\"\nkind = \"proof\"\n";

/// Prints a proof of each `unsat`, after the first of which it says what `$proof` is.
fn answering(proof: &str, check: &str) -> String {
    format!(
        "text=$(cat)\ncase \"$*\" in *--check*) {check};; esac\n\
         printf '%s\\n' \"$text\" | while read -r line; do case \"$line\" in\n\
         *'(check-sat)'*) echo unsat;;\n*'(get-proof)'*) {proof};;\nesac; done"
    )
}

const HOLE: &str = "printf '(\\n(define @t1 () (str.<= a a))\\n; trust TRUST_THEORY_REWRITE\\n(step @p3 (= @t1 true) :rule trust :premises () :args ((= @t1 true)))\\n)\\n'";
const WHOLE: &str = "printf '((step @p1 (= true true) :rule refl :args (true)))\\n'";
/// No rule gives `false` without premises.
const WRONG: &str = "printf '((step @p1 false :rule refl :args (a)))\\n'";
const ERROR: &str = "echo '(error \"no proof of step 17\")'";
const FINE: &str = ":";
const ABORTS: &str = "echo 'Fatal failure within check at p.cpp:3' >&2; echo 'Internal error: The proof was incomplete due to step 12.' >&2; kill -ABRT $$";

fn campaign(program: &str, more: &[&str]) -> (Stage, Run) {
    let stage = Stage::new("");
    let profiles = stage.path("config/squall/solvers");
    fs::create_dir_all(&profiles).expect("a folder");
    fs::write(profiles.join("prover.toml"), PROFILE).expect("a file");
    let fixed = ["--theory", "ints,bv", "--mutants", "60", "--jobs", "1", "--incremental", "off"];
    let words = [&fixed[..], more].concat();
    let program = testing::executable(&stage.path("program"), &format!("#!/bin/sh\n{program}\n"));
    let mut command = stage.command(&format!("prover:{program}"), &words);
    let run = Run::of(command.env("XDG_CONFIG_HOME", stage.path("config")));
    (stage, run)
}

/// The findings of class P: the stand-in is wrong about satisfiable problems.
fn broken(stage: &Stage) -> Vec<PathBuf> {
    stage.findings().into_iter().filter(|folder| record(folder)["class"] == "P").collect()
}

fn asked(stage: &Stage, words: &[&str], place: &Path) -> String {
    let mut command = squall();
    command.args(words).arg(place).env("XDG_CONFIG_HOME", stage.path("config"));
    String::from_utf8_lossy(&command.output().expect("squall runs").stdout).into_owned()
}

#[test]
fn a_broken_proof_is_a_finding_where_complete_ones_are_promised() {
    let check = |proof: &str, check: &str, words: &[&str], expect: Option<&str>| {
        let asked: &[&str] = if words.contains(&"--proofs") { &[] } else { &["--proofs", "on"] };
        let (stage, run) = campaign(&answering(proof, check), &[asked, words].concat());
        let symptoms: Vec<String> = broken(&stage)
            .iter()
            .map(|folder| record(folder)["symptom"].as_str().expect("words").to_string())
            .collect();
        assert!(symptoms.iter().all(|symptom| Some(symptom.as_str()) == expect), "{symptoms:?}");
        assert_eq!(symptoms.is_empty(), expect.is_none(), "{}", run.summary());
        (stage, run)
    };
    let safe = &["--grade", "safe"][..];
    let hole = "trust TRUST_THEORY_REWRITE: (= (str.<= …) true)";
    let (stage, _) = check(HOLE, FINE, safe, Some(hole));
    check(WHOLE, FINE, safe, None);
    check(ERROR, FINE, safe, Some("error: no proof of step #"));
    let aborted = "The proof was incomplete due to step #";
    check(WHOLE, ABORTS, safe, Some(aborted));
    check(HOLE, ABORTS, safe, Some(hole));
    // Without a promise, holes are only counted, but the solver's own check always applies.
    let (_, run) = check(HOLE, FINE, &[], None);
    assert!(run.number("proof_holes") > 0 && run.number("proofs") > 0, "{}", run.summary());
    check(ERROR, FINE, &[], None);
    let (refuted, _) = check(WRONG, FINE, &[], Some("refuted refl: false"));
    check(WHOLE, ABORTS, &[], Some(aborted));
    let (_, run) = check(HOLE, ABORTS, &["--proofs", "off"], None);
    assert_eq!(run.number("proofs"), 0);

    let found = broken(&stage)[0].clone();
    let finding: Value = record(&found);
    assert_eq!(finding["solver"]["mode"]["grade"], "safe", "{finding}");
    assert!(finding["solver"]["command"].to_string().contains("--prove"), "{finding}");
    let replayed = asked(&stage, &["replay"], &found);
    assert!(replayed.contains("=> reproduces") && replayed.contains(hole), "{replayed}");
    let rows = asked(&stage, &["report", "--list", "--format", "json"], &stage.out());
    assert!(rows.contains("\"grade\":\"safe\""), "{rows}");
    let text = issues(&stage, &found);
    assert!(text.contains("--safe") && text.contains("--prove") && text.contains("(get-proof)"), "{text}");
    assert!(text.contains("The step:\n\n```\n(step @p3 (= @t1 true) :rule trust"), "{text}");
    let text = issues(&refuted, &broken(&refuted)[0]);
    assert!(text.contains("The step:\n\n```\nstep `@p1` by the rule refl\n  conclusion  false"), "{text}");
}

/// The issue texts of a campaign after one of its findings is reduced.
fn issues(stage: &Stage, found: &Path) -> String {
    asked(stage, &["reduce", "--jobs", "1"], found);
    asked(stage, &["report"], &stage.out());
    let issues = fs::read_dir(stage.out().join("issues")).expect("issues").flatten();
    issues.map(|file| fs::read_to_string(file.path()).expect("a text")).collect()
}

#[test]
fn an_unknown_mode_is_rejected_with_a_message() {
    let check = |words: &[&str], expect: &str| {
        let (_, run) = campaign(&answering(WHOLE, FINE), words);
        assert_eq!(run.code, Some(2), "{}", run.stderr);
        assert!(run.stderr.contains(expect), "{}", run.stderr);
    };
    check(&["--grade", "stable"], "this version has no mode that is stable; its profile knows --stable (versions >=9)");
    check(&["--grade", "safe", "--options", "random"], "cannot be used with");
}
