//! Watching campaigns from outside: `squall status`, numbers for Prometheus, the live screen in a terminal.

use crate::support::{ALWAYS, Stage, squall};
use serde_json::Value;
use std::fs;
use std::io::{Read, Write};
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

/// The time limit of each wait.
const PATIENCE: Duration = Duration::from_secs(600);

fn status(out: &Path, more: &[&str]) -> Output {
    squall().arg("status").arg(out).args(more).output().expect("it runs")
}

fn json(out: &Path) -> Value {
    let output = status(out, &["--format", "json"]);
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{stderr}");
    serde_json::from_slice(&output.stdout).expect("an object")
}

/// Waits until a condition holds.
fn until<T>(what: &str, mut look: impl FnMut() -> Option<T>) -> T {
    let begun = Instant::now();
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(begun.elapsed() < PATIENCE, "{what}: it never came");
        std::thread::sleep(Duration::from_millis(50));
    }
}

struct Killed(Child);

impl Drop for Killed {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
fn running_and_finished_campaigns_report_their_status() {
    let stage = Stage::new(ALWAYS);
    let mut command = stage.command(&stage.solver("unsat"), &["--jobs", "1", "--reduce-share", "0"]);
    let mut running = Killed(command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("it runs"));
    let now = until("a finding of a running campaign", || {
        let ready = stage.out().join("campaign.db").exists() && stage.out().join("campaign.json").exists();
        ready
            .then(|| json(&stage.out()))
            .filter(|now| now["not_reduced"].as_u64() > Some(0) && now["units"].as_u64() > Some(0))
    });
    assert_eq!(now["running"], true);
    let pid = running.0.id().to_string();
    assert!(Command::new("kill").args(["-INT", &pid]).status().expect("kill").success());
    assert_eq!(running.0.wait().expect("it ends").code(), Some(10));

    let end = json(&stage.out());
    assert_eq!(
        (end["running"].as_bool(), end["seeds"].as_u64(), end["seeds_sent"].as_u64()),
        (Some(false), Some(1), Some(1))
    );
    for key in ["units", "mutants", "mutants_per_s", "recent_mutants_per_s", "wall_s", "cpu_s"] {
        assert!(end[key].as_f64() > Some(0.0), "{key} in {end}");
        assert!(key.ends_with("_per_s") || end[key].as_f64() >= now[key].as_f64(), "{key} grows");
    }
    assert!(end["findings"]["A"].as_u64() > Some(0), "{end}");
    let answered: u64 = end["answers"].as_object().expect("answers").values().filter_map(|s| s["unsat"].as_u64()).sum();
    assert_eq!(Some(answered), end["checks"]["unsat"].as_u64());
    let newest = end["newest"].as_array().expect("groups");
    assert!(newest.iter().all(|g| Path::new(g["folder"].as_str().unwrap_or_default()).is_dir()), "{end}");
    let text = String::from_utf8(status(&stage.out(), &[]).stdout).expect("text");
    assert!(text.contains(": not running\n") && text.contains("the most important first"), "{text}");
    // Sizes and folders once were those of other findings than in the list.
    let list = squall().args(["report", "--list"]).arg(stage.out()).output().expect("it runs").stdout;
    let list = String::from_utf8(list).expect("text");
    let rows = list.split("\n\n").next().expect("rows");
    assert!(rows.contains("/findings/") && text.contains(rows), "{text}\n{list}");
}

#[test]
fn other_folders_are_reported() {
    let stage = Stage::new(ALWAYS);
    let check = |path: &Path, expect: &str| {
        let output = status(path, &[]);
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{stderr}");
        assert!(stderr.contains(expect), "{stderr}");
    };
    check(stage.root.path(), "has no campaign");
    stage.fuzz("unsat", &["--mutants", "8", "--jobs", "1"]);
    fs::write(stage.out().join("campaign.db"), "this was a database once, and is none any more".repeat(99))
        .expect("a file");
    let _ = fs::remove_file(stage.out().join("campaign.db-wal"));
    check(&stage.out(), "--resume");
    fs::write(stage.out().join("campaign.json"), "{").expect("a file");
    check(&stage.out(), "campaign.json");
}

/// After its terminal was closed, the screen once kept reading, used a whole processor, and the campaign did not end.
#[test]
fn a_campaign_ends_when_its_terminal_is_closed() {
    let stage = Stage::new(ALWAYS);
    let Some(mut child) = in_terminal(&stage, "--for 600s --reduce-share 0") else { return };
    until("a finding", || (!stage.findings().is_empty()).then_some(()));
    child.kill().expect("it is running");
    child.wait().expect("it ends");
    until("the end of the campaign", || (json(&stage.out())["running"] == false).then_some(()));
}

/// The value of a sample without labels, or with the labels as written.
fn sample(page: &str, name: &str) -> Option<f64> {
    page.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' ')?.parse().ok())
}

#[test]
fn numbers_are_in_a_file() {
    let stage = Stage::new(ALWAYS);
    let file = stage.path("squall.prom");
    let run = stage.fuzz("unsat", &["--mutants", "40", "--jobs", "1", "--metrics", &file.display().to_string()]);
    let page = fs::read_to_string(&file).expect("a page");
    assert_eq!(sample(&page, "squall_mutants_total"), Some(run.number("mutants") as f64), "{page}");
    assert_eq!(sample(&page, "squall_unsat_total"), Some(run.number("unsat") as f64));
    let findings = run.summary()["findings"]["A"].as_f64();
    assert_eq!(sample(&page, "squall_findings_total{class=\"A\",origin=\"mutant\"}"), findings);
    assert_eq!(sample(&page, "squall_running"), Some(0.0));
    for (name, key) in [("squall_causes", "causes"), ("squall_not_reduced", "not_reduced")] {
        assert_eq!(sample(&page, name), run.summary()[key].as_f64(), "{name}");
    }
    let refused =
        squall().args(["fuzz", "--solver", "builtin:sat", "--metrics", "127.0.0.1:9464"]).output().expect("it runs");
    assert_eq!(refused.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&refused.stderr).contains("name a file"));
}

/// A campaign in its own terminal, by `script`. `None` without that program.
fn in_terminal(stage: &Stage, more: &str) -> Option<Child> {
    let probe = Command::new("script").args(["-qec", "true", "/dev/null"]).stdin(Stdio::null()).output();
    testing::require("script", probe.ok().filter(|output| output.status.success()))?;
    let solver = stage.solver("unsat").replace('"', "");
    let line = format!(
        "stty rows 24 cols 80; '{}' fuzz '{}' --solver '{solver}' --out '{}' --jobs 2 {more}; echo ended with $?; stty -a",
        env!("CARGO_BIN_EXE_squall"),
        stage.path("seed.smt2").display(),
        stage.out().display()
    );
    // The test runner may ignore the signal of a closed terminal (nohup), and its children inherit that.
    let mut command = Command::new("env");
    command
        .args(["--default-signal=HUP", "script", "-qec", &line, "/dev/null"])
        .env("TERM", "xterm")
        .env("XDG_CONFIG_HOME", crate::support::configuration())
        .env("XDG_CACHE_HOME", stage.path("cache"));
    Some(command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().expect("it runs"))
}

#[test]
fn the_terminal_is_used_and_restored() {
    let stage = Stage::new(ALWAYS);
    let Some(child) = in_terminal(&stage, "--for 60s") else { return };
    let mut child = Killed(child);
    let mut stdin = child.0.stdin.take().expect("a pipe");
    let mut stdout = child.0.stdout.take().expect("a pipe");
    until("a finding", || (!stage.findings().is_empty()).then_some(()));
    // Pause, resume, the list of keys and back, open a finding, close it, the workers, and quit.
    for key in [&b"p"[..], b"p", b"?", b"?", b"\r", b"\x1b[B", b"\x1b", b"\t", b"q"] {
        std::thread::sleep(Duration::from_millis(150));
        stdin.write_all(key).expect("a key");
    }
    let mut bytes = Vec::new();
    stdout.read_to_end(&mut bytes).expect("what it showed");
    let text = String::from_utf8_lossy(&bytes);
    let (_, shown) = text.split_once("\x1b[?1049h").expect("the screen was taken");
    let (screen, after) = shown.rsplit_once("\x1b[?1049l").expect("it was restored");
    assert!(screen.contains("squall") && screen.contains("mutants"), "{screen}");
    assert!(after.contains("Found:") && after.contains("ended with 10"), "{after}");
    assert!(after.contains(" icanon") && after.contains(" echo "), "the terminal is as it was: {after}");
}

#[test]
fn plain_lines_are_available_in_a_terminal() {
    let stage = Stage::new(ALWAYS);
    let Some(child) = in_terminal(&stage, "--mutants 8 --plain") else { return };
    let output = child.wait_with_output().expect("it ends");
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(
        !text.contains("\x1b[?1049h") && text.contains("FOUND class A") && text.contains("ended with 10"),
        "{text}"
    );
}
