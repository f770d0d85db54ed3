//! Changes planted in the source of a solver: how soon a campaign finds them, with and without the focus on the changed line.
//!
//! `SOURCE=bitwuzla BUILD='ninja -C build' PROGRAM=build/src/main/bitwuzla BASE=before/bitwuzla MAP=bitwuzla.map cargo bench -p squall
//! --bench changes` plants each change of `changes/bitwuzla-0.8.0.tsv` in turn, in a copy of the sources that SOURCE names, builds it by
//! BUILD, which runs in the current folder, and fuzzes PROGRAM with one worker until the first finding that BASE, a build without changes,
//! does not have, or for CPU SECONDS (600). Each change is taken back. Arguments select changes by number. A change is a line, a column, and
//! what stands there before and after; the code itself is not in this repository.

use serde_json::Value;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

/// A planted change.
struct Planted<'t> {
    file: &'t str,
    line: usize,
    column: usize,
    from: &'t str,
    to: &'t str,
}

fn main() {
    let variable = |name: &str| std::env::var(name).ok();
    let (Some(source), Some(build), Some(program), Some(base), Some(map)) =
        (variable("SOURCE"), variable("BUILD"), variable("PROGRAM"), variable("BASE"), variable("MAP"))
    else {
        println!("skipped: SOURCE, BUILD, PROGRAM, BASE and MAP say what is changed and built");
        return;
    };
    let seconds = variable("SECONDS").unwrap_or_else(|| "600".to_string());
    let numbers: Vec<usize> = std::env::args().skip(1).filter_map(|word| word.parse().ok()).collect();
    let mut found: Vec<[Option<f64>; 2]> = Vec::new();
    println!("| change | place | without focus, CPU s | with focus, CPU s |\n|---|---|---:|---:|");
    for (number, line) in (1..).zip(include_str!("changes/bitwuzla-0.8.0.tsv").lines()) {
        let Some(planted) = planted(line).filter(|_| numbers.is_empty() || numbers.contains(&number)) else { continue };
        let path = Path::new(&source).join(planted.file);
        let Ok(before) = std::fs::read_to_string(&path) else {
            println!("| {number} | {} | not there | |", planted.file);
            continue;
        };
        let Some(after) = with(&before, &planted) else {
            println!("| {number} | {} | the text is another | |", planted.file);
            continue;
        };
        std::fs::write(&path, after).expect("the source can be written");
        let is_built =
            Command::new("sh").args(["-c", &build]).stdout(Stdio::null()).status().is_ok_and(|s| s.success());
        // Its name says which solver it is.
        let folder = PathBuf::from(format!("changed-{number}"));
        let copy = folder.join(Path::new(&program).file_name().unwrap_or_default());
        let is_built = is_built && std::fs::create_dir_all(&folder).is_ok() && std::fs::copy(&program, &copy).is_ok();
        std::fs::write(&path, before).expect("the source can be written");
        let place = format!("{}:{}", planted.file, planted.line);
        if !is_built {
            println!("| {number} | {place} | does not build | |");
            continue;
        }
        let one = [None, Some(&*place)]
            .map(|focus| seconds_to_a_hit(&copy, &base, &seconds, focus.map(|place| (&*map, place))));
        let shown = one.map(|seconds| seconds.map_or("–".to_string(), |seconds| format!("{seconds:.1}")));
        println!("| {number} | {place}: `{}` to `{}` | {} | {} |", planted.from, planted.to, shown[0], shown[1]);
        found.push(one);
    }
    found.retain(|one| one.iter().any(Option::is_some));
    let limit: f64 = seconds.parse().unwrap_or(600.0);
    let [without, with] = [0, 1].map(|arm| median(found.iter().map(|one| one[arm].unwrap_or(limit)).collect()));
    println!(
        "\nFound by either: {}. Median CPU s to the first hit: {without:.1} without, {with:.1} with focus.",
        found.len()
    );
}

fn planted(line: &str) -> Option<Planted<'_>> {
    let parts: Vec<&str> = line.split('\t').collect();
    let &[file, line, column, from, to] = &parts[..] else { return None };
    Some(Planted { file, line: line.parse().ok()?, column: column.parse().ok()?, from, to })
}

/// The text with a change; `None` if something else stands at its place.
fn with(text: &str, planted: &Planted<'_>) -> Option<String> {
    let before: usize = text.split_inclusive('\n').take(planted.line - 1).map(str::len).sum();
    let at = before + planted.column;
    text.get(at..)?
        .starts_with(planted.from)
        .then(|| [&text[..at], planted.to, &text[at + planted.from.len()..]].concat())
}

/// The CPU time of a campaign until its first finding that the build without the change does not have, where it is stopped; `None` without
/// one.
fn seconds_to_a_hit(program: &Path, base: &str, seconds: &str, focus: Option<(&str, &str)>) -> Option<f64> {
    let out = tempfile::tempdir().expect("a folder");
    let mut command = Command::new(env!("CARGO_BIN_EXE_squall"));
    command.args(["fuzz", "--solver", &format!("./{}", program.display()), "--jobs", "1"]);
    command.args(["--for-cpu", &format!("{seconds}s"), "--reduce-share", "0", "--quiet"]);
    command.args(focus.iter().flat_map(|(map, place)| ["--map", map, "--focus", place]));
    let run = out.path().join("run");
    let mut campaign = command.arg("--out").arg(&run).stdout(Stdio::null()).stderr(Stdio::null()).spawn().ok()?;
    let mut seen = BTreeSet::new();
    loop {
        let is_over = campaign.try_wait().ok()?.is_some();
        let hit = new_findings(&run.join("findings"), &mut seen).into_iter().find(|(_, folder)| !has(base, folder));
        if hit.is_some() || is_over {
            let _ = campaign.kill();
            let _ = campaign.wait();
            return hit.map(|(cpu, _)| cpu);
        }
        std::thread::sleep(Duration::from_millis(500));
    }
}

/// The findings that were not seen before, with the CPU time that the campaign had used, the earliest first.
fn new_findings(folder: &Path, seen: &mut BTreeSet<PathBuf>) -> Vec<(f64, PathBuf)> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let Ok(text) = std::fs::read(entry.path().join("finding.json")) else { continue };
        let Ok(finding) = serde_json::from_slice::<Value>(&text) else { continue };
        let Some(cpu) = finding["effort"]["cpu_s"].as_f64() else { continue };
        if seen.insert(entry.path()) {
            found.push((cpu, entry.path()));
        }
    }
    found.sort_by(|a, b| a.0.total_cmp(&b.0));
    found
}

/// Whether the build without the change has a finding, too: it crashes, or its answers are not the expected ones.
fn has(base: &str, folder: &Path) -> bool {
    let Ok(output) = Command::new(base).arg(folder.join("mutant.smt2")).output() else { return true };
    let Ok(text) = std::fs::read(folder.join("finding.json")) else { return true };
    let finding: Value = serde_json::from_slice(&text).unwrap_or_default();
    let expected = finding["expected"].as_array().into_iter().flatten().filter_map(Value::as_str);
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    let answers = printed.lines().filter(|line| ["sat", "unsat"].contains(line));
    output.status.code().is_none() || !answers.eq(expected)
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}
