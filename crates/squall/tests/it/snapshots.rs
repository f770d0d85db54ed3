//! Output for people and programs, word for word: help, a small campaign's events, summary, findings, issues and reductions.
//!
//! The campaign is the same on every machine: its solver is a script that answers by its input, there is one worker, and nothing depends
//! on time. Changes that only move code must not change these files. `INSTA_UPDATE=always cargo test -p squall --test it snapshots::`
//! accepts the current texts.

use crate::support::{ANSWER, READ};
use insta::assert_snapshot;
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Answers `unsat` if it reads `(< y`, crashes if it reads `distinct x y 4`, and answers `sat` otherwise. It keeps its input in the
/// folder of its first argument.
const SOLVER: &str = r#"printf '%s; end of script\n' "$t" >> "$1/log"
case "$t" in *'(distinct x y 4)'*) kill -SEGV $$;; esac
a=sat
case "$t" in *'(< y'*) a=unsat;; esac
"#;

/// A folder with seeds and a solver. Its path is removed from all texts.
struct Stage {
    root: tempfile::TempDir,
}

impl Stage {
    fn new() -> Stage {
        let root = tempfile::tempdir().expect("a folder");
        let stage = Stage { root };
        fs::create_dir(stage.path("seeds")).expect("a folder");
        for n in 0..6 {
            let text = format!(
                "(set-logic QF_LIA)(declare-const x Int)(declare-const y Int)\
                 (assert (or (> x {n}) (< y (+ x {n}))))(assert (distinct x y {n}))(check-sat)"
            );
            fs::write(stage.path(&format!("seeds/s{n}.smt2")), text).expect("a file");
        }
        fs::write(stage.path("solver.sh"), format!("{READ}{SOLVER}{ANSWER}")).expect("a file");
        stage
    }

    fn path(&self, name: &str) -> PathBuf {
        self.root.path().join(name)
    }

    fn solver(&self) -> String {
        format!("/bin/sh {} {}", self.path("solver.sh").display(), self.root.path().display())
    }

    /// Runs `squall` in the folder. Returns its exit code and both streams.
    fn run(&self, args: &[&str]) -> (i32, String, String) {
        let mut command = squall();
        command.args(args).current_dir(self.root.path()).env("SQUALL_CACHE", self.path("cache"));
        let output = command.output().expect("squall runs");
        let text = |bytes: &[u8]| self.steady(&String::from_utf8_lossy(bytes));
        (output.status.code().unwrap_or(-1), text(&output.stdout), text(&output.stderr))
    }

    /// One small campaign in the folder `out`.
    fn campaign(&self, more: &[&str]) -> (i32, String, String) {
        let solver = self.solver();
        let args = [
            "fuzz",
            "seeds",
            "--solver",
            &solver,
            "--out",
            "out",
            "--units",
            "36",
            "--jobs",
            "1",
            "--seed",
            "7",
            "--relations",
            "off",
        ];
        let fixed = ["--reduce-share", "0", "--timeout", "60s"];
        self.run(&args.iter().chain(&fixed).chain(more).copied().collect::<Vec<_>>())
    }

    /// Returns the text without parts that differ between runs: the folder's path, times, and the version.
    fn steady(&self, text: &str) -> String {
        let text = text.replace(&self.root.path().display().to_string(), "[ROOT]");
        // The build and the solver's program differ, too.
        let builds = ["\"commit\": ", "\"dirty\": ", "\"program_sha256\": "];
        let text = match option_env!("SQUALL_BUILD") {
            Some(build) => text.replace(build, "[VERSION]"),
            None => text,
        };
        let same = |line: &&str| !builds.iter().any(|name| line.trim_start().starts_with(name));
        let text: String = text.split_inclusive('\n').filter(same).collect();
        text.replace(env!("CARGO_PKG_VERSION"), "[VERSION]")
    }

    fn read(&self, name: &str) -> String {
        self.steady(&fs::read_to_string(self.path(name)).unwrap_or_else(|e| panic!("{name}: {e}")))
    }

    /// The folders of findings, by name.
    fn findings(&self) -> Vec<String> {
        let entries = fs::read_dir(self.path("out/findings")).expect("findings").flatten();
        let mut names: Vec<String> = entries.map(|e| e.file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }
}

fn squall() -> Command {
    let mut command = crate::support::program();
    command.env("PATH", crate::support::path_without_solvers());
    command.stdin(Stdio::null()).env("COLUMNS", "100").env_remove("NO_COLOR");
    command
}

/// Returns the value without members that hold times.
fn timeless(value: &Value) -> Value {
    const TIMES: [&str; 16] = [
        "wall_s",
        "cpu_s",
        "own_cpu_s",
        "solver_cpu_s",
        "found_at",
        "seconds",
        "mutants_per_s",
        "rate",
        "started_at",
        "elapsed_s",
        "solver_cpu_ns",
        "confirm_cpu_ns",
        "known_cpu_ns",
        "extra_cpu_ns",
        "limit_cpu_ns",
        "at",
    ];
    match value {
        Value::Object(members) => members
            .iter()
            .map(|(key, v)| match TIMES.contains(&key.as_str()) && v.is_number() {
                true => (key.clone(), Value::from("[TIME]")),
                false => (key.clone(), timeless(v)),
            })
            .collect(),
        Value::Array(items) => items.iter().map(timeless).collect(),
        other => other.clone(),
    }
}

/// Returns JSON objects, one per line, without those that depend on the clock.
fn events(stdout: &str) -> String {
    let mut text = String::new();
    for line in stdout.lines() {
        let event: Value = serde_json::from_str(line).unwrap_or_else(|e| panic!("{e}: {line}"));
        if !matches!(event["event"].as_str(), Some("progress" | "detail")) {
            writeln!(text, "{}", timeless(&event)).expect("a string");
        }
    }
    text
}

/// Returns the text without times, rates and shares: `in 8.1s`, `35.8/s`, `97 %`.
fn without_times(text: &str) -> String {
    let mut lines = Vec::new();
    // Progress is shown by the clock: one more time on a slow machine.
    for line in text.lines().filter(|line| !(line.contains(" mutants (") && line.contains("% of CPU"))) {
        let words: Vec<&str> = line.split(' ').collect();
        let mut out: Vec<String> = Vec::new();
        for (n, word) in words.iter().enumerate() {
            let bare = word.trim_start_matches('(').trim_end_matches([',', ';', '.', ')']);
            let letters = bare.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
            let is_number = letters.len() < bare.len();
            let next = words.get(n + 1).map(|w| w.trim_end_matches([',', ';', '.'])).unwrap_or_default();
            match is_number && (matches!(letters, "ms" | "s" | "m" | "h" | "d") || next == "%" || word.contains("/s")) {
                true => out.push("[N]".to_string()),
                false => out.push(word.to_string()),
            }
        }
        lines.push(out.join(" "));
    }
    lines.join("\n")
}

fn digest(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The subcommands that `squall … --help` lists.
pub fn subcommands(path: &[String]) -> Vec<String> {
    listed(&help(path)).into_iter().map(str::to_string).collect()
}

/// The subcommands that a help text lists, under one heading or several.
pub fn listed(help: &str) -> Vec<&str> {
    let lines = help.lines().take_while(|line| *line != "Options:");
    // A deeper line continues the previous one; arguments start with a bracket.
    let names = lines.filter_map(|line| line.strip_prefix("  ")?.split(' ').next());
    names.filter(|name| name.starts_with(|c: char| c.is_ascii_lowercase()) && *name != "help").collect()
}

fn help(path: &[String]) -> String {
    let output = squall().args(path).arg("--help").output().expect("squall runs");
    assert!(output.status.success(), "{path:?}");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[test]
fn help_of_every_subcommand() {
    let mut open = vec![Vec::new()];
    while let Some(path) = open.pop() {
        let name = if path.is_empty() { "squall".to_string() } else { path.join("-") };
        assert_snapshot!(format!("help-{name}"), help(&path));
        open.extend(subcommands(&path).into_iter().map(|name| [path.clone(), vec![name]].concat()));
    }
}

/// The golden campaign: the same mutants, findings and events, byte for byte, under either schedule.
#[test]
fn golden_campaign() {
    for schedule in ["yield", "uniform"] {
        let stage = Stage::new();
        let (code, stdout, stderr) = stage.campaign(&["--schedule", schedule, "--format", "json"]);
        assert_eq!((code, stderr.as_str()), (10, ""), "{schedule}");
        assert_snapshot!(format!("golden-{schedule}-events"), events(&stdout));
        let log = fs::read(stage.path("log")).expect("what the solver read");
        let scripts = String::from_utf8_lossy(&log).matches("; end of script").count();
        let mut text = format!("{scripts} scripts, {} bytes, SHA-256 {}\n", log.len(), digest(&log));
        for id in stage.findings() {
            writeln!(text, "{id}").expect("a string");
            let mut files: BTreeMap<String, String> = BTreeMap::new();
            for file in fs::read_dir(stage.path(&format!("out/findings/{id}"))).expect("a finding").flatten() {
                let name = file.file_name().to_string_lossy().into_owned();
                let content = stage.read(&format!("out/findings/{id}/{name}"));
                let content = match name.ends_with(".json") {
                    true => timeless(&serde_json::from_str(&content).expect("JSON")).to_string(),
                    false => content,
                };
                files.insert(name, digest(without_times(&content).as_bytes()));
            }
            for (name, digest) in files {
                writeln!(text, "  {name} {}", &digest[..16]).expect("a string");
            }
        }
        assert_snapshot!(format!("golden-{schedule}-files"), text);
    }
}

/// One campaign through every command that reports it to people.
#[test]
fn from_campaign_to_issue() {
    let stage = Stage::new();
    let (code, stdout, stderr) = stage.campaign(&["--plain"]);
    assert_eq!(code, 10, "{stderr}");
    // Progress depends on the clock and shows on a busy machine.
    let stderr: String = stderr.split_inclusive('\n').filter(|line| !line.contains("% of CPU")).collect();
    assert_snapshot!("fuzz-text", without_times(&format!("{stdout}--- standard error\n{stderr}")));
    let ids = stage.findings();
    let first = format!("out/findings/{}", ids[0]);
    let record: Value = serde_json::from_str(&stage.read(&format!("{first}/finding.json"))).expect("JSON");
    assert_snapshot!("finding-json", serde_json::to_string_pretty(&timeless(&record)).expect("JSON"));
    assert_snapshot!("finding-witness", stage.read(&format!("{first}/witness.smt2")));
    let text = |args: &[&str]| {
        let (code, stdout, stderr) = stage.run(args);
        without_times(&format!("{stdout}--- standard error\n{stderr}--- exit code {code}\n"))
    };
    assert_snapshot!("replay", text(&["replay", &first]));
    assert_snapshot!("findings-text", text(&["report", "--list", "out"]));
    assert_snapshot!("reduce-text", text(&["reduce", &first]));
    assert_snapshot!("reduced-script", stage.read(&format!("{first}/reduced.smt2")));
    assert_snapshot!("findings-after-reduction", text(&["report", "--list", "out"]));
    assert_snapshot!("findings-json", text(&["report", "--list", "out", "--format", "json"]));
    // The order within a class depends on seconds.
    let status = text(&["status", "out"]);
    // How much is on disk depends on what the store has written so far.
    let lines = status.split("groups of findings, the").next().unwrap_or_default().split_inclusive('\n');
    let lines: String = lines.filter(|line| !line.contains("  on disk ")).collect();
    assert_snapshot!("status", lines);
    // Unreduced findings have no issue text.
    let found = fs::read_dir(stage.path("out/findings")).expect("findings").flatten();
    let mut crashes: Vec<String> = found.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    crashes.retain(|name| name.starts_with("D-"));
    crashes.sort();
    text(&["reduce", &format!("out/findings/{}", crashes.first().expect("a crash"))]);
    assert_snapshot!("report-text", text(&["report", "out"]));
    let mut issues: Vec<PathBuf> =
        fs::read_dir(stage.path("out/issues")).expect("issues").flatten().map(|e| e.path()).collect();
    issues.sort();
    let issue = |path: &Path| stage.steady(&fs::read_to_string(path).expect("an issue"));
    assert_snapshot!("issue-wrong-answer", issue(&issues[0]));
    assert_snapshot!("issue-crash", issue(issues.last().expect("an issue")));
}
