//! Judges the models that solvers give for real problems; skipped without the problems or the solvers.
//!
//! `SQUALL_SHARED` names the folder with `seeds` and `known-bugs`; `SQUALL_VALIDATE_ALL` takes every satisfiable
//! quantifier-free seed instead of one in twelve. The figures are in docs/measurements/2026-11-semantics.md.

use std::path::{Path, PathBuf};
use std::process::Command;

/// Whether the solver is installed.
fn at_hand(solver: &str) -> bool {
    let which = Command::new(env!("CARGO_BIN_EXE_squall")).args(["solver", "which", solver]).output();
    testing::require(solver, which.ok().filter(|output| output.status.success())).is_some()
}

/// The satisfiable seeds of quantifier-free logics, sorted.
fn seeds(shared: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for logic in std::fs::read_dir(shared.join("seeds")).into_iter().flatten().flatten() {
        if logic.file_name().to_string_lossy().starts_with("QF_")
            && let Ok(sat) = std::fs::read_dir(logic.path().join("sat"))
        {
            files.extend(sat.flatten().map(|f| f.path()).filter(|p| p.extension().is_some_and(|e| e == "smt2")));
        }
    }
    files.sort();
    let stride = if std::env::var_os("SQUALL_VALIDATE_ALL").is_some() { 1 } else { 20 };
    files.into_iter().step_by(stride).collect()
}

/// The verdict on each file that has a model: its line of JSON.
fn verdicts(solver: &str, files: &[PathBuf]) -> Vec<serde_json::Value> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_squall"));
    command.args(["validate", "--format", "json", "--timeout", "5", "--solver", solver]).args(files);
    let output = command.output().expect("the program runs");
    let text = String::from_utf8_lossy(&output.stdout);
    let lines = text.lines().filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok());
    let no_model = |line: &serde_json::Value| line["checks"][0]["why"].as_str().is_some_and(|w| w.contains("no model"));
    lines.filter(|line| line["file"].is_string() && !no_model(line)).collect()
}

fn count(lines: &[serde_json::Value], verdict: &str) -> usize {
    lines.iter().filter(|line| line["verdict"] == verdict).count()
}

#[test]
fn models_of_seeds_get_a_verdict() {
    let Some(shared) = testing::shared("seeds") else { return };
    let files = seeds(&shared);
    for solver in ["z3@4.15.4", "cvc5@1.0.3"] {
        if !at_hand(solver) {
            continue;
        }
        let lines = verdicts(solver, &files);
        let (valid, invalid, unknown) = (count(&lines, "valid"), count(&lines, "invalid"), count(&lines, "unknown"));
        println!("{solver}: {valid} valid, {invalid} invalid, {unknown} unknown");
        for line in lines.iter().filter(|line| line["verdict"] != "valid") {
            println!("  {} {}: {}", line["verdict"], line["file"], line["checks"][0]["why"]);
        }
        assert!((valid + invalid) * 100 >= lines.len() * 90, "{solver}: too many unknown");
        assert!(invalid * 50 <= lines.len(), "{solver}: too many invalid to be true");
    }
}

#[test]
fn wrong_models_of_z3_are_found_out() {
    let Some(shared) = testing::shared("known-bugs") else { return };
    if !at_hand("z3@4.8.7") {
        return;
    }
    let folder = shared.join("known-bugs");
    let manifest = std::fs::read_to_string(folder.join("manifest.tsv")).expect("the manifest is next to the files");
    let files: Vec<PathBuf> = manifest
        .lines()
        .map(|line| line.split('\t').collect::<Vec<_>>())
        .filter(|fields| fields.get(3) == Some(&"invalid-model"))
        .map(|fields| folder.join(fields[0]))
        .collect();
    let lines = verdicts("z3@4.8.7", &files);
    let invalid = count(&lines, "invalid");
    println!("z3@4.8.7: {invalid} of {} found invalid", files.len());
    assert!(invalid * 10 >= files.len() * 6, "only {invalid} of {}", files.len());
}
