//! Whole campaigns by the `squall` program: their findings and costs.
//!
//! `cargo bench -p squall --bench campaigns` runs all of them, each with one worker; an argument selects some:
//! `cargo bench -p squall --bench campaigns -- own-cost`, `fse`, `embedded`, `deep`. Rates are per second of CPU time, which hardly depends
//! on the machine's load; times to a finding are wall-clock time and depend on it.

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

/// A campaign and its columns.
struct Campaign<'a> {
    name: &'a str,
    /// A seed in `seeds/fse/` of the shared data, or `None` for the embedded seeds.
    seed: Option<&'a str>,
    solver: &'a str,
    seconds: u32,
}

const CAMPAIGNS: &[Campaign<'_>] = &[
    Campaign { name: "own-cost", seed: Some("bug3.smt2"), solver: "builtin:sat", seconds: 10 },
    Campaign { name: "fse", seed: Some("bug3.smt2"), solver: "z3@4.8.7", seconds: 60 },
    Campaign { name: "fse", seed: Some("bug7.smt2"), solver: "z3@4.8.7", seconds: 60 },
    Campaign { name: "fse", seed: Some("bug9.smt2"), solver: "z3@4.8.7", seconds: 60 },
    Campaign { name: "embedded", seed: None, solver: "z3@4.8.7", seconds: 60 },
];

fn main() {
    let words: Vec<String> = std::env::args().skip(1).filter(|a| !a.starts_with('-')).collect();
    let wanted = |name: &str| words.is_empty() || words.iter().any(|w| w == name);
    println!(
        "{:<10} {:<10} {:<12} {:>8} {:>9} {:>8}  class A after (s)",
        "campaign", "seed", "solver", "mutants", "/CPU s", "share"
    );
    for campaign in CAMPAIGNS.iter().filter(|c| wanted(c.name)) {
        run(campaign);
    }
    if wanted("deep") {
        deep();
    }
}

fn run(campaign: &Campaign<'_>) {
    let shared = std::env::var_os("SQUALL_SHARED")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared"), PathBuf::from);
    let out = std::env::temp_dir().join(format!("squall-bench-{}", std::process::id()));
    let mut command = Command::new(env!("CARGO_BIN_EXE_squall"));
    command.args(["fuzz", "--jobs", "1", "--format", "json", "--solver", campaign.solver, "--mutator", "storm"]);
    command.args(["--for", &format!("{}s", campaign.seconds)]).arg("--out").arg(&out);
    if let Some(seed) = campaign.seed {
        let path = shared.join("seeds/fse").join(seed);
        if !path.exists() {
            println!("{:<10} {seed:<10} skipped: no shared data", campaign.name);
            return;
        }
        command.arg(path);
    }
    let started = now();
    let output = command.output();
    let Ok(output) = output else {
        println!("{:<10} the program does not start", campaign.name);
        return;
    };
    let text = String::from_utf8_lossy(&output.stdout);
    let events: Vec<Value> = text.lines().filter_map(|l| serde_json::from_str(l).ok()).collect();
    let summary = events.iter().rev().find(|e| e["event"] == "summary").cloned().unwrap_or_default();
    let (mutants, cpu) = (summary["mutants"].as_f64().unwrap_or(0.0), summary["cpu_s"].as_f64().unwrap_or(0.0));
    let share = summary["solver_cpu_s"].as_f64().unwrap_or(0.0) / cpu.max(1e-9);
    let mut found: Vec<u64> = Vec::new();
    for entry in std::fs::read_dir(out.join("findings")).into_iter().flatten().flatten() {
        let text = std::fs::read_to_string(entry.path().join("finding.json")).unwrap_or_default();
        let finding: Value = serde_json::from_str(&text).unwrap_or_default();
        if finding["class"] == "A" && finding["origin"] == "mutant" {
            found.push(finding["found_at"].as_u64().unwrap_or(0).saturating_sub(started));
        }
    }
    found.sort_unstable();
    println!(
        "{:<10} {:<10} {:<12} {mutants:>8} {:>9.0} {:>7.0}%  {found:?}",
        campaign.name,
        campaign.seed.unwrap_or("embedded"),
        campaign.solver,
        mutants / cpu.max(1e-9),
        share * 100.0,
    );
    // A failure to remove the benchmark's own folder does no harm.
    let _ = std::fs::remove_dir_all(&out);
}

fn now() -> u64 {
    std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).map_or(0, |d| d.as_secs())
}

/// Reads, evaluates and prints a term nested 1,000,000 deep.
fn deep() {
    const DEPTH: usize = 1_000_000;
    let text = format!(
        "(declare-const p Bool)\n(declare-const q Bool)\n(assert {}p{})\n(check-sat)\n",
        "(not (and q ".repeat(DEPTH / 2),
        "))".repeat(DEPTH / 2)
    );
    let start = Instant::now();
    let mut store = smtlib::Store::new();
    let parsed = smtlib::parse(&mut store, &text);
    let read = start.elapsed();
    let instance = parsed.script.instances().into_iter().next().unwrap_or_default();
    let mut model = semantics::Model::new();
    for command in &instance.declarations {
        if let smtlib::Command::DeclareFun(f) = command {
            // A constant of sort Bool accepts a Boolean, so this cannot fail.
            let _ = model.assign(&store, *f, semantics::Value::Bool(true));
        }
    }
    let start = Instant::now();
    let mut evaluator = semantics::Evaluator::new(model, semantics::EvalLimits::default());
    let truth = instance.assertions.first().and_then(|&t| evaluator.truth(&store, t));
    let evaluated = start.elapsed();
    let start = Instant::now();
    let printed = store.script_text(&parsed.script);
    println!(
        "deep       1,000,000 levels: read {:.2} s, evaluated {:.2} s (value {truth:?}), printed {:.2} s ({} bytes)",
        read.as_secs_f64(),
        evaluated.as_secs_f64(),
        start.elapsed().as_secs_f64(),
        printed.len()
    );
}
