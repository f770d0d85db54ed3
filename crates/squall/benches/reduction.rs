//! Reductions of real files by the `squall` program, and by ddSMT beside it.
//!
//! `cargo bench -p squall --bench reduction` reduces every file of the shared data's `known-bugs/` and prints sizes as the STORM
//! paper's Table 4 does; a word picks files by their names. `-- ddsmt` reduces the STORM mutants among them, and the mutants of the
//! findings in the folders named after it, with ddSMT 2.0.6 too (`pip install ddsmt==2.0.6`; the program is named by the
//! environment variable DDSMT), file by file in turn, so that both meet the same machine. Its check is a script that asks the
//! solver under test and z3 4.15.4, which is what the truth costs there. What takes longer than 60 s is stopped.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// How long ddSMT may take for one file.
const PATIENCE: Duration = Duration::from_secs(60);
/// How long a reduction may take; the best so far counts.
const LONGEST: Duration = Duration::from_secs(300);
/// Threads that each program may use.
const JOBS: &str = "2";

/// A file to be reduced.
struct Case {
    name: String,
    path: PathBuf,
    /// How z3 4.8.7 errs on it.
    wrong: &'static str,
    options: String,
}

/// What came of a reduction.
struct Result {
    bytes: (usize, usize),
    assertions: (String, String),
    depth: (String, String),
    calls: u64,
    seconds: f64,
    truth: String,
    /// Out of time.
    stopped: bool,
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).filter(|a| !a.starts_with('-')).collect();
    let folder = tempfile::tempdir().expect("a temporary folder");
    let Some(cases) = known_bugs() else {
        println!("skipped: no shared data");
        return;
    };
    match words.split_first() {
        Some((first, folders)) if first == "ddsmt" => {
            let mut some: Vec<Case> = cases.into_iter().filter(|c| c.name.starts_with("storm-")).collect();
            some.extend(folders.iter().flat_map(|folder| findings(Path::new(folder))));
            beside_ddsmt(&some, folder.path());
        }
        _ => all(
            cases.into_iter().filter(|c| words.is_empty() || words.iter().any(|w| c.name.contains(w))),
            folder.path(),
        ),
    }
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

/// The class A mutants in a campaign's folder.
fn findings(out: &Path) -> Vec<Case> {
    let mut list = Vec::new();
    for entry in std::fs::read_dir(out.join("findings")).into_iter().flatten().flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let record = std::fs::read_to_string(entry.path().join("finding.json")).unwrap_or_default();
        let record: serde_json::Value = serde_json::from_str(&record).unwrap_or_default();
        if record["class"] == "A" && record["solver"]["version"] == "4.8.7" {
            let spec = record["solver"]["spec"].as_str().unwrap_or_default().to_string();
            let options = spec.strip_prefix("z3@4.8.7").unwrap_or_default().to_string();
            list.push(Case { name, path: entry.path().join("mutant.smt2"), wrong: "unsat", options });
        }
    }
    list.sort_by(|a, b| a.name.cmp(&b.name));
    list
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

/// Whether the result, read from its file, shows the error and has its truth still.
fn verified(case: &Case, folder: &Path) -> bool {
    let output = result_path(case, folder);
    let mut command = Command::new(env!("CARGO_BIN_EXE_squall"));
    command.arg("reduce").arg(&output).args(["--solver", &format!("z3@4.8.7{}", case.options), "--wrong", case.wrong]);
    command.args(["--trust", "z3@4.15.4", "cvc5", "--for", "1ms", "--restart", "--quiet"]);
    command.arg("-o").arg(folder.join("again.smt2"));
    // Out of time, or finished: both come after it was shown.
    command.output().is_ok_and(|run| matches!(run.status.code(), Some(0 | 3)))
}

fn beside_ddsmt(cases: &[Case], folder: &Path) {
    let ddsmt = std::env::var("DDSMT").unwrap_or_else(|_| "ddsmt".to_string());
    println!(
        "{:<44} {:>7} | {:>6} {:>6} {:>6} | {:>6} {:>6} {:>6}",
        "file", "bytes", "ours", "calls", "s", "ddSMT", "calls", "s"
    );
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    for case in cases {
        let (Some(mine), Some(other)) = (squall(case, folder), by_ddsmt(&ddsmt, case, folder)) else {
            println!("{:<44} not reduced by both", case.name);
            continue;
        };
        let stopped = if other.stopped { " stopped" } else { "" };
        println!(
            "{:<44} {:>7} | {:>6} {:>6} {:>6.1} | {:>6} {:>6} {:>6.1}{stopped}",
            case.name, mine.bytes.0, mine.bytes.1, mine.calls, mine.seconds, other.bytes.1, other.calls, other.seconds
        );
        ours.push(mine);
        theirs.push(other);
    }
    let ratio = median(ours.iter().zip(&theirs).map(|(a, b)| b.seconds / a.seconds.max(1e-3)));
    for (who, all) in [("ours", &ours), ("ddSMT", &theirs)] {
        println!(
            "{who}: median {:.0} bytes, {:.0} calls, {:.1} s",
            median(all.iter().map(|r| r.bytes.1 as f64)),
            median(all.iter().map(|r| r.calls as f64)),
            median(all.iter().map(|r| r.seconds))
        );
    }
    println!("ddSMT takes {ratio:.1} times as long, in the median of {} files", ours.len());
}

/// The program of an installed z3.
fn z3(version: &str) -> Option<PathBuf> {
    let from = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let cache = from("SQUALL_CACHE")
        .or_else(|| Some(from("XDG_CACHE_HOME")?.join("squall")))
        .or_else(|| Some(from("HOME")?.join(".cache").join("squall")))?;
    Some(cache.join("solvers").join(format!("z3@{version}")).join("z3")).filter(|p| p.exists())
}

fn by_ddsmt(ddsmt: &str, case: &Case, folder: &Path) -> Option<Result> {
    let (target, trusted) = (z3("4.8.7")?, z3("4.15.4")?);
    let calls = folder.join("calls");
    // Whoever runs it may have run it before.
    let _ = std::fs::remove_file(&calls);
    let check = folder.join("check.sh");
    // A call of the script asks two solvers; it counts as one, as a call of ours does. The truth is asked of the plain checks.
    let script = format!(
        "#!/bin/sh\necho x >> {}\na=$({} -smt2{} \"$1\" 2>&1)\ncase \"$a\" in *error*) exit 1;; esac\n\
         n=0; for w in $a; do n=$((n+1)); [ \"$w\" = unsat ] && break; done\n[ \"$w\" = unsat ] || exit 1\n\
         b=$(sed 's/(check-sat-using .*)$/(check-sat)/' \"$1\" | timeout 10 {} -in 2>&1 | sed -n \"${{n}}p\")\n\
         [ \"$b\" = sat ] || exit 1\nexit 0\n",
        calls.display(),
        target.display(),
        case.options,
        trusted.display()
    );
    std::fs::write(&check, script).ok()?;
    let output = folder.join("ddsmt.smt2");
    let _ = std::fs::remove_file(&output);
    let started = Instant::now();
    let mut command = Command::new("timeout");
    command.args(["-s", "INT", "-k", "5", &PATIENCE.as_secs().to_string(), ddsmt, "-j", JOBS, "--timeout", "10"]);
    command.arg(&case.path).arg(&output).arg("/bin/sh").arg(&check).stdout(Stdio::null()).stderr(Stdio::null());
    command.env("TMPDIR", folder).status().ok()?;
    let seconds = started.elapsed().as_secs_f64();
    end_leftovers(folder);
    let before = std::fs::metadata(&case.path).ok()?.len() as usize;
    let after = std::fs::metadata(&output).map_or(before, |data| data.len() as usize);
    let calls = std::fs::read_to_string(&calls).map_or(0, |text| text.lines().count() as u64);
    let unknown = || (String::new(), String::new());
    Some(Result {
        bytes: (before, after),
        assertions: unknown(),
        depth: unknown(),
        calls,
        seconds,
        truth: String::new(),
        stopped: seconds >= PATIENCE.as_secs_f64(),
    })
}

/// Ends the solvers that ddSMT leaves running when it is stopped, or the next file is measured beside them. They are known by the
/// folder in which their input lies.
fn end_leftovers(folder: &Path) {
    let folder = folder.display().to_string();
    for process in std::fs::read_dir("/proc").into_iter().flatten().flatten() {
        let command = std::fs::read(process.path().join("cmdline")).unwrap_or_default();
        if String::from_utf8_lossy(&command).contains(&folder) {
            // One that has ended meanwhile is no loss.
            let _ = Command::new("kill").arg("-9").arg(process.file_name()).stderr(Stdio::null()).status();
        }
    }
}
