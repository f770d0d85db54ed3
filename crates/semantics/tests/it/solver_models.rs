//! Models that solvers give for real problems must be judged valid; skipped without the shared data or without z3.
//!
//! `SQUALL_MODEL_STRIDE=1` takes every file instead of every 25th, `SQUALL_MODEL_LOGIC=QF_NRA` those of one logic; `SQUALL_Z3` and `SQUALL_CVC5` name executables.

use semantics::{Verdict, read_model, validate};
use smtlib::Store;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::{Command, Stdio};

fn sat_files() -> Option<Vec<PathBuf>> {
    let shared = testing::shared("seeds")?;
    let mut files = Vec::new();
    let only = std::env::var_os("SQUALL_MODEL_LOGIC");
    for logic in std::fs::read_dir(shared.join("seeds")).ok()?.flatten() {
        if only.as_ref().is_some_and(|only| *only != logic.file_name()) {
            continue;
        }
        let Ok(sat) = std::fs::read_dir(logic.path().join("sat")) else { continue };
        files.extend(sat.flatten().map(|f| f.path()).filter(|p| p.extension().is_some_and(|e| e == "smt2")));
    }
    files.sort();
    Some(files)
}

/// The program that the environment names, else the one on the path.
fn program(solver: &str) -> String {
    std::env::var(format!("SQUALL_{}", solver.to_uppercase())).unwrap_or_else(|_| solver.to_string())
}

/// The solver's model of a script's only check, or none if it does not say sat.
fn model_of(solver: &str, options: &[&str], text: &str) -> Option<String> {
    let path = std::env::temp_dir().join(format!("squall-model-{solver}-{}.smt2", std::process::id()));
    let script = format!("(set-option :produce-models true)\n{}\n(get-model)\n", text.replace("(exit)", ""));
    std::fs::write(&path, script).ok()?;
    let output = Command::new(program(solver)).args(options).arg(&path).stdin(Stdio::null()).output().ok()?;
    let _ = std::fs::remove_file(&path);
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    text.strip_prefix("sat").map(str::to_string)
}

fn judge(solver: &str, options: &[&str]) {
    let Some(files) = sat_files() else { return };
    let found = Command::new(program(solver)).arg("--version").output().ok();
    if testing::require(solver, found).is_none() {
        return;
    }
    let stride = testing::amount("SQUALL_MODEL_STRIDE", 25usize);
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    let mut invalid = Vec::new();
    for path in files.iter().step_by(stride.max(1)) {
        let Ok(text) = std::fs::read_to_string(path) else { continue };
        let mut store = Store::new();
        let parsed = smtlib::parse(&mut store, &text);
        let instances = parsed.script.instances();
        let [instance] = &instances[..] else { continue };
        if !parsed.errors.is_empty() || instance.incomplete {
            *counts.entry("not read".into()).or_default() += 1;
            continue;
        }
        let Some(response) = model_of(solver, options, &text) else {
            *counts.entry("no model".into()).or_default() += 1;
            continue;
        };
        let started = std::time::Instant::now();
        let verdict = match read_model(&mut store, instance, &response) {
            Err(error) => format!("error: {}", error.to_string().chars().take(60).collect::<String>()),
            Ok(model) if !model.unreadable().is_empty() => format!("unreadable: {}", model.unreadable()[0].1),
            Ok(model) => match validate(&store, &instance.assertions, model) {
                Verdict::Valid => "valid".to_string(),
                Verdict::Invalid { .. } => {
                    invalid.push(path.clone());
                    "invalid".to_string()
                }
                Verdict::Unknown { reason, .. } => format!("unknown: {reason}"),
            },
        };
        if verdict != "valid" || started.elapsed().as_millis() > 500 {
            println!("{} {verdict} {:?}", path.display(), started.elapsed());
        }
        *counts.entry(verdict).or_default() += 1;
    }
    println!("{solver}: {counts:?}");
    assert!(invalid.is_empty(), "models judged invalid: {invalid:?}");
}

#[test]
fn models_of_z3_are_valid() {
    judge("z3", &["-T:5"]);
}

#[test]
fn models_of_cvc5_are_valid() {
    judge("cvc5", &["--tlimit=5000"]);
}
