//! The schedule by yield against the uniform one: groups of findings that both bring for equal CPU time.
//!
//! `cargo bench -p squall --bench schedule` compares them on the shared seeds with z3 4.8.7: 300 s of CPU time a campaign (solvers
//! included), one worker, campaign seeds 1 to 10. `-- CPU-SECONDS SEED…` takes another time and other seeds; `SQUALL_SEEDS`
//! names another folder of seeds, `SQUALL_SOLVER` another solver, `SQUALL_BENCH_OUT` a folder in which the campaigns are kept,
//! `SQUALL_PROGRAM` another build of the program. Both campaigns of a seed run at once, so that what else the machine does
//! slows them alike; neither reduces anything. Then all findings are reduced outside of the time measured, and counted once more
//! as `squall findings` groups them.

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

/// The schedules compared.
const KINDS: [&str; 2] = ["yield", "uniform"];
/// How much wall-clock time a campaign may take, should it get next to no CPU time.
const WALL: &str = "2h";

/// How much time the reductions of one campaign may take.
const REDUCING: &str = "60s";

fn main() {
    let words: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with('-')).collect();
    let numbers: Vec<u64> = words.iter().filter_map(|word| word.parse().ok()).collect();
    let cpu = numbers.first().copied().unwrap_or(300);
    let seeds: Vec<u64> = if numbers.len() > 1 { numbers[1..].to_vec() } else { (1..=10).collect() };
    let shared = std::env::var_os("SQUALL_SHARED")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared"), PathBuf::from);
    let folder = std::env::var_os("SQUALL_SEEDS").map_or_else(|| shared.join("seeds"), PathBuf::from);
    if !folder.exists() {
        return println!("skipped: no shared data");
    }
    let kept = std::env::var_os("SQUALL_BENCH_OUT").map(PathBuf::from);
    let root =
        kept.clone().unwrap_or_else(|| std::env::temp_dir().join(format!("squall-schedule-{}", std::process::id())));
    let outs = |seed: &u64| KINDS.map(|kind| root.join(format!("{kind}-{seed}")));
    println!("seed  by       groups  units  mutants  limits    CPU s");
    let mut groups: [Vec<f64>; 2] = [Vec::new(), Vec::new()];
    for seed in &seeds {
        let places = outs(seed);
        let running: Vec<Option<Child>> =
            KINDS.iter().zip(&places).map(|(kind, out)| campaign(kind, *seed, cpu, &folder, out)).collect();
        for (n, summary) in running.into_iter().map(summary).enumerate() {
            let count = |name: &str| summary[name].as_f64().unwrap_or(0.0);
            let [found, units, mutants, limits] = ["signatures", "units", "mutants", "timeouts"].map(count);
            println!(
                "{seed:>4}  {:<8} {found:>6} {units:>6} {mutants:>8} {limits:>7} {:>8.1}",
                KINDS[n],
                count("cpu_s")
            );
            groups[n].push(found);
        }
    }
    tell("groups", &groups);
    println!("reduced, and grouped by `squall findings`:");
    let mut causes: [Vec<f64>; 2] = [Vec::new(), Vec::new()];
    for seed in &seeds {
        let places = outs(seed);
        let reducing: Vec<Option<Child>> = places.iter().map(|out| reduce(out)).collect();
        reducing.into_iter().flatten().for_each(|mut child| drop(child.wait()));
        for (n, out) in places.iter().enumerate() {
            let found = grouped(out);
            println!("{seed:>4}  {:<8} {found:>6}", KINDS[n]);
            causes[n].push(found as f64);
            if kept.is_none() {
                // The folder is this benchmark's own; a failure to remove it harms nothing.
                let _ = std::fs::remove_dir_all(out);
            }
        }
    }
    tell("groups after reduction", &causes);
}

fn program() -> PathBuf {
    std::env::var_os("SQUALL_PROGRAM").map_or_else(|| PathBuf::from(env!("CARGO_BIN_EXE_squall")), PathBuf::from)
}

fn campaign(kind: &str, seed: u64, cpu: u64, seeds: &Path, out: &Path) -> Option<Child> {
    let solver = std::env::var("SQUALL_SOLVER").unwrap_or_else(|_| "z3@4.8.7".to_string());
    let mut command = Command::new(program());
    command.arg("fuzz").arg(seeds).args(["--solver", &solver, "--schedule", kind, "--seed", &seed.to_string()]);
    command.args(["--jobs", "1", "--reduce-share", "0", "--for-cpu", &format!("{cpu}s"), "--for", WALL]);
    command.args(["--format", "json", "--out"]).arg(out).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().ok()
}

/// The last event of a campaign; null if it did not come to its end.
fn summary(running: Option<Child>) -> Value {
    let output = running.and_then(|child| child.wait_with_output().ok());
    let text = output.map(|output| String::from_utf8_lossy(&output.stdout).into_owned()).unwrap_or_default();
    let mut events = text.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    events.rfind(|event| event["event"] == "summary").unwrap_or_default()
}

fn reduce(out: &Path) -> Option<Child> {
    let mut command = Command::new(program());
    command.arg("reduce").arg(out).args(["--jobs", "1", "--for", REDUCING, "--quiet"]);
    command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().ok()
}

/// How many groups `squall findings` makes of what was found.
fn grouped(out: &Path) -> usize {
    let output = Command::new(program()).arg("findings").arg(out).args(["--format", "json"]).output();
    output.map_or(0, |output| String::from_utf8_lossy(&output.stdout).lines().count())
}

fn tell(what: &str, all: &[Vec<f64>; 2]) {
    let [by_yield, uniform] = all.each_ref().map(|values| median(values.clone()));
    println!("{what}: median {by_yield} by yield, {uniform} uniform, {:.2} times", by_yield / uniform.max(1e-9));
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    let middle = values.len() / 2;
    match values.len() {
        0 => 0.0,
        n if n % 2 == 1 => values[middle],
        _ => (values[middle - 1] + values[middle]) / 2.0,
    }
}
