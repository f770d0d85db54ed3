//! The costs of theory mutators, and the seeds that they cannot use: whole campaigns with the stand-in solver.
//!
//! `cargo bench -p squall --bench mutators` prints both for each mutator: mutants per second of CPU time on QF_LRA, including reading seeds,
//! certifying and printing, and the seeds of six logics that give no mutant in eight visits. Arguments name other logics.

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;

const MUTATORS: [&str; 4] = ["storm", "operator", "generative", "fusion"];
const FAST: &str = "QF_LRA";
const LOGICS: [&str; 6] = ["QF_BV", "QF_FP", "BV", "FP", "QF_ABVFP", "AUFLIA"];
/// The time for measuring the throughput.
const SECONDS: u32 = 10;
/// Visits per seed: more than a seed without mutants gets.
const VISITS: usize = 8;

fn main() {
    let words: Vec<String> = std::env::args().skip(1).filter(|a| !a.starts_with('-')).collect();
    let logics: Vec<&str> = if words.is_empty() { LOGICS.to_vec() } else { words.iter().map(String::as_str).collect() };
    let shared = std::env::var_os("SQUALL_SHARED")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared"), PathBuf::from);
    if !shared.join("seeds").is_dir() {
        println!("skipped: no shared data");
        return;
    }
    println!("{:<11} {:<9} {:>8} {:>10} {:>6} {:>9}", "mutator", "logic", "mutants", "/CPU s", "seeds", "rejected");
    for mutator in MUTATORS {
        campaign(mutator, FAST, &shared, &["--for".to_string(), format!("{SECONDS}s")]);
        for logic in &logics {
            let seeds = corpus::seed::collect(&[shared.join("seeds").join(logic)]).map_or(0, |seeds| seeds.len());
            campaign(mutator, logic, &shared, &["--units".to_string(), (seeds * VISITS).to_string()]);
        }
    }
}

fn campaign(mutator: &str, logic: &str, shared: &Path, length: &[String]) {
    let out = std::env::temp_dir().join(format!("squall-bench-{}", std::process::id()));
    let mut command = Command::new(env!("CARGO_BIN_EXE_squall"));
    command.args(["fuzz", "--jobs", "1", "--format", "json", "--solver", "builtin:sat", "--schedule", "uniform"]);
    command.args(["--mutator", mutator]).args(length).arg("--out").arg(&out).arg(shared.join("seeds").join(logic));
    let Ok(output) = command.output() else {
        println!("{mutator:<11} the program does not start");
        return;
    };
    let text = String::from_utf8_lossy(&output.stdout);
    let events: Vec<Value> = text.lines().filter_map(|l| serde_json::from_str(l).ok()).collect();
    let last = |name: &str| events.iter().rev().find(|e| e["event"] == name).cloned().unwrap_or_default();
    let (started, summary) = (last("started"), last("summary"));
    let (mutants, cpu) = (summary["mutants"].as_f64().unwrap_or(0.0), summary["cpu_s"].as_f64().unwrap_or(0.0));
    println!(
        "{mutator:<11} {logic:<9} {mutants:>8} {:>10.0} {:>6} {:>9}",
        mutants / cpu.max(1e-9),
        started["seeds"],
        summary["skipped"],
    );
    for skipped in events.iter().filter(|e| e["event"] == "skipped_seed") {
        println!("    {}: {}", skipped["seed"], skipped["reason"]);
    }
    // A failure to remove the benchmark's own folder does no harm.
    let _ = std::fs::remove_dir_all(&out);
}
