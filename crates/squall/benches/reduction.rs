//! Reductions of real files by the `squall` program.
//!
//! `cargo bench -p squall --bench reduction` reduces every file of the shared data's `known-bugs/` and prints sizes as in Table 4
//! of the STORM paper; an argument selects files by name. `texts` compares with ddSMT 2.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

/// The time limit of a reduction; the best result by then counts.
const LONGEST: Duration = Duration::from_secs(300);
/// Threads of each program.
const JOBS: &str = "2";

/// A file to reduce.
struct Case {
    name: String,
    path: PathBuf,
    /// How z3 4.8.7 errs on it.
    wrong: &'static str,
    options: String,
}

/// The result of a reduction.
struct Result {
    bytes: (usize, usize),
    assertions: (String, String),
    depth: (String, String),
    calls: u64,
    seconds: f64,
    truth: String,
    /// Whether the time limit was reached.
    stopped: bool,
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).filter(|a| !a.starts_with('-')).collect();
    let folder = tempfile::tempdir().expect("a temporary folder");
    let Some(cases) = known_bugs() else {
        println!("skipped: no shared data");
        return;
    };
    let wanted = |case: &Case| words.is_empty() || words.iter().any(|word| case.name.contains(word));
    all(cases.into_iter().filter(wanted), folder.path());
}

/// The files of the manifest.
fn known_bugs() -> Option<Vec<Case>> {
    let shared = std::env::var_os("SQUALL_SHARED")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared"), PathBuf::from);
    let folder = shared.join("known-bugs");
    let manifest = std::fs::read_to_string(folder.join("manifest.tsv")).ok()?;
    let case = |line: &str| {
        let mut columns = line.split('\t');
        let (name, _, options, behaviour) = (columns.next()?, columns.next()?, columns.next()?, columns.next()?);
        let wrong = match behaviour {
            "wrong-unsat" => "unsat",
            "wrong-sat" => "sat",
            "invalid-model" => "invalid-model",
            "crash" => "crash",
            _ => return None,
        };
        let options = if options == "-" { String::new() } else { format!(" {options}") };
        Some(Case { name: name.trim_end_matches(".smt2").to_string(), path: folder.join(name), wrong, options })
    };
    Some(manifest.lines().skip(1).filter_map(case).collect())
}

fn all(cases: impl Iterator<Item = Case>, folder: &Path) {
    println!("{:<34} {:>15} {:>9} {:>9} {:>7} {:>7}  truth", "file", "bytes", "asserts", "depth", "calls", "s");
    let (mut done, mut failed) = (Vec::new(), 0);
    for case in cases {
        let Some(result) = squall(&case, folder) else {
            println!("{:<34} not reduced", case.name);
            failed += 1;
            continue;
        };
        let is_verified = verified(&case, folder);
        failed += usize::from(!is_verified);
        let stopped = if result.stopped { ", stopped" } else { "" };
        let stands = if is_verified { "" } else { "  NOT VERIFIED" };
        println!(
            "{:<34} {:>8} {:>6} {:>5} {:>3} {:>5} {:>3} {:>7} {:>7.1}  {}{stopped}{stands}",
            case.name,
            result.bytes.0,
            result.bytes.1,
            result.assertions.0,
            result.assertions.1,
            result.depth.0,
            result.depth.1,
            result.calls,
            result.seconds,
            result.truth
        );
        done.push((case.name.starts_with("storm-"), result));
    }
    for (what, storm) in [("all files", None), ("STORM mutants", Some(true))] {
        let some: Vec<&Result> =
            done.iter().filter(|(s, _)| storm.is_none_or(|wanted| *s == wanted)).map(|d| &d.1).collect();
        let percent = |r: &&Result| 100.0 - 100.0 * r.bytes.1 as f64 / (r.bytes.0 as f64).max(1.0);
        println!(
            "{what}: {} reduced; median reduction {:.1} %, result {:.0} bytes, {:.0} calls, {:.1} s",
            some.len(),
            median(some.iter().map(percent)),
            median(some.iter().map(|r| r.bytes.1 as f64)),
            median(some.iter().map(|r| r.calls as f64)),
            median(some.iter().map(|r| r.seconds)),
        );
    }
    println!("{failed} failed");
}

fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}

fn result_path(case: &Case, folder: &Path) -> PathBuf {
    folder.join(format!("{}.reduced.smt2", case.name))
}

fn squall(case: &Case, folder: &Path) -> Option<Result> {
    let output = result_path(case, folder);
    let started = Instant::now();
    let mut command = Command::new(env!("CARGO_BIN_EXE_squall"));
    command.arg("reduce").arg(&case.path).args([
        "--solver",
        &format!("z3@4.8.7{}", case.options),
        "--wrong",
        case.wrong,
    ]);
    command.args(["--trust", "z3@4.15.4", "cvc5", "--jobs", JOBS, "--restart", "--quiet"]);
    command.args(["--for", &format!("{}s", LONGEST.as_secs())]).arg("-o").arg(&output);
    let run = command.output().ok()?;
    let seconds = started.elapsed().as_secs_f64();
    let said = String::from_utf8_lossy(&run.stdout).into_owned();
    let row = |name: &str| -> Option<(String, String)> {
        let mut words = said.lines().find_map(|l| l.strip_prefix(name))?.split_whitespace();
        Some((words.next()?.to_string(), words.next()?.to_string()))
    };
    let Some(bytes) = row("bytes") else {
        println!("    {}", String::from_utf8_lossy(&run.stderr).trim());
        return None;
    };
    let calls = said.lines().find(|l| l.contains(" solver calls in "))?.split(' ').next()?.parse().ok()?;
    let truth = said.lines().find_map(|l| l.strip_prefix("truth "))?.split(':').next()?.to_string();
    Some(Result {
        bytes: (bytes.0.parse().ok()?, bytes.1.parse().ok()?),
        assertions: row("assertions")?,
        depth: row("max depth")?,
        calls,
        seconds,
        truth,
        stopped: said.contains("not finished"),
    })
}

/// Whether the result, read from its file, still shows the error and has its truth.
fn verified(case: &Case, folder: &Path) -> bool {
    let output = result_path(case, folder);
    let mut command = Command::new(env!("CARGO_BIN_EXE_squall"));
    command.arg("reduce").arg(&output).args(["--solver", &format!("z3@4.8.7{}", case.options), "--wrong", case.wrong]);
    command.args(["--trust", "z3@4.15.4", "cvc5", "--for", "1ms", "--restart", "--quiet"]);
    command.arg("-o").arg(folder.join("again.smt2"));
    // A timeout or the end: both follow after the error was shown.
    command.output().is_ok_and(|run| matches!(run.status.code(), Some(0 | 3)))
}
