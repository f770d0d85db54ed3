//! Texts reduced by a command: compares `squall reduce --check` with ddSMT 2, by the same command and with one job.
//!
//! `DDSMT=ddsmt cargo bench -p squall --bench texts` reduces the files of `texts/files.tsv` from the shared data and prints one row per file.
//! An argument selects files by name. Without `DDSMT` only `squall` runs.

use experiment::process_group::{self, GroupEnd, GroupLimits};
use smtlib::sexpr::Sexprs;
use solver::process::CancelToken;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

const LIMITS: GroupLimits =
    GroupLimits { cpu: Duration::from_secs(120), wall: Duration::from_secs(900), grace: Duration::from_secs(10) };

/// The result of a reduction.
struct Reduced {
    bytes: usize,
    tokens: usize,
    cpu: f64,
    checks: usize,
    stopped: bool,
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).filter(|a| !a.starts_with('-')).collect();
    let shared = std::env::var_os("SQUALL_SHARED")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared"), PathBuf::from);
    if !shared.is_dir() {
        println!("skipped: no shared data");
        return;
    }
    let ddsmt = std::env::var("DDSMT").ok();
    let folder = tempfile::tempdir().expect("a temporary folder");
    println!(
        "| file | before: bytes, tokens | ours: bytes, tokens, checks, CPU s | ddSMT: bytes, tokens, checks, CPU s |"
    );
    println!("|---|---|---|---|");
    let (mut larger, mut slower, mut compared) = (0, 0, 0);
    for line in include_str!("texts/files.tsv").lines() {
        let Some((path, check)) = line.split_once('\t') else { continue };
        if !words.is_empty() && !words.iter().any(|word| path.contains(word.as_str())) {
            continue;
        }
        let (path, name) = (shared.join(path), path.rsplit('/').next().unwrap_or(path).trim_end_matches(".smt2"));
        let name = name.rsplit("__").next().unwrap_or(name);
        let Ok(text) = std::fs::read(&path) else {
            println!("| {name} | not there |");
            continue;
        };
        let Some(check) = with_programs(check) else {
            println!("| {name} | skipped: no solver |");
            continue;
        };
        let ours = reduced(&path, &check, folder.path(), name, None);
        let other = ddsmt.as_ref().map(|ddsmt| reduced(&path, &check, folder.path(), name, Some(ddsmt)));
        let (bytes, tokens) = size(&String::from_utf8_lossy(&text));
        let other_row = other.as_ref().map_or(String::new(), row);
        println!("| {name} | {bytes}, {tokens} | {} | {other_row} |", row(&ours));
        if let Some(other) = other {
            compared += 1;
            larger += usize::from(ours.bytes > other.bytes);
            slower += usize::from(ours.cpu * 3.0 > other.cpu);
        }
    }
    println!("\nOf {compared}, ours is larger for {larger} and takes more than a third of the time for {slower}.");
}

fn row(reduced: &Reduced) -> String {
    let Reduced { bytes, tokens, cpu, checks, stopped } = reduced;
    format!("{bytes}, {tokens}, {checks}, {cpu:.1}{}", if *stopped { ", stopped" } else { "" })
}

/// The check with the paths of its solvers.
fn with_programs(check: &str) -> Option<String> {
    let mut words = Vec::new();
    for word in check.split(' ') {
        if !word.contains('@') || word.contains('\'') || word.contains('|') {
            words.push(word.to_string());
            continue;
        }
        let run = Command::new(env!("CARGO_BIN_EXE_squall")).args(["solver", "which", word]).output().ok()?;
        words.push(String::from_utf8(run.stdout).ok().filter(|_| run.status.success())?.trim().to_string());
    }
    Some(words.join(" "))
}

fn reduced(path: &Path, check: &str, folder: &Path, name: &str, ddsmt: Option<&String>) -> Reduced {
    let folder = folder.join(format!("{name}{}", if ddsmt.is_some() { "-ddsmt" } else { "" }));
    std::fs::create_dir_all(&folder).expect("a folder");
    let [calls, script, result, log] = ["calls", "check.sh", "result.smt2", "log"].map(|file| folder.join(file));
    let text = format!("#!/bin/sh\necho >> {}\n{}\n{check} \"$1\"\n", calls.display(), include_str!("texts/check.sh"));
    std::fs::write(&script, text).expect("written");
    let [path, script, out] = [path, &script, &result].map(|p| p.display().to_string());
    let words = |words: &[&str]| words.iter().map(|word| (*word).to_string()).collect::<Vec<_>>();
    let command = match ddsmt {
        Some(ddsmt) => {
            words(&[ddsmt, "--ignore-output", "-j", "1", "--timeout", "20", &path, &out, "/bin/sh", &script])
        }
        None => {
            let check = format!("exec /bin/sh {script}");
            words(&[
                env!("CARGO_BIN_EXE_squall"),
                "reduce",
                &path,
                "--check",
                &check,
                "-j",
                "1",
                "--restart",
                "-o",
                &out,
            ])
        }
    };
    let (end, cpu) = process_group::run(&command, &folder, &log, LIMITS, &CancelToken::new()).expect("started");
    let text = std::fs::read(&result).or_else(|_| std::fs::read(path)).unwrap_or_default();
    let (bytes, tokens) = size(&String::from_utf8_lossy(&text));
    if std::env::var_os("SHOW").is_some() {
        println!("{}", String::from_utf8_lossy(&text));
    }
    let checks = std::fs::read(&calls).unwrap_or_default().len();
    Reduced { bytes, tokens, cpu: cpu.as_secs_f64(), checks, stopped: end != GroupEnd::Ended }
}

/// Counts bytes without blanks that separate no words, and tokens: words and parentheses.
fn size(text: &str) -> (usize, usize) {
    let all = Sexprs::read(text);
    let lists = all.nodes().filter(|&node| all.is_list(node)).count();
    let atoms: Vec<_> = all.atoms().collect();
    let between = |pair: &[std::ops::Range<usize>]| &text[pair[0].end..pair[1].start];
    let blanks = atoms.windows(2).filter(|pair| !between(pair).contains(['(', ')'])).count();
    let words: usize = atoms.iter().map(|atom| atom.len()).sum();
    (words + 2 * lists + blanks, atoms.len() + 2 * lists)
}
