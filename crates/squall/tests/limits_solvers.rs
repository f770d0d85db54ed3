//! Solvers that ignore limits: their cost, and their processes after we are killed. Judged by the CPU time and the memory of `squall` itself
//! and by the existing processes, never by wall-clock time.
//!
//! A separate binary, because the recorded peak memory of a child is never less than that of its parent, which must stay small.

#[path = "it/support/mod.rs"]
mod support;

use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};
use solver::proc_stat::Stat;
use std::fs;
use std::io::Read;
use std::os::unix::process::CommandExt;
use std::process::{Command, Stdio};
use std::time::Duration;
use support::{SEED, Stage};

/// The time limit of every check.
const LIMIT: Duration = Duration::from_secs(1);
/// The use allowed in addition to the limit, and the factor by which the limit may be exceeded. Both are generous, since unlimited work
/// never ends here: a busy machine decides nothing.
const SLACK: Duration = Duration::from_secs(1);
const TIMES: u32 = 2;
/// The same for reading endless output: two floods have two threads, and a loaded processor takes twice the time.
const READING: u32 = 6;
/// The memory of `squall` with a problem and no solver, in bytes, including all that it may keep of an output: far below the size of an
/// unlimited output.
const MEMORY: u64 = 256 << 20;

/// The result of a process.
struct Used {
    code: i32,
    stdout: String,
    stderr: String,
    cpu: Duration,
    peak: u64,
}

/// Runs `squall` and measures its own usage, without that of its children.
#[allow(clippy::zombie_processes, reason = "wait4 reaps it")]
fn run(command: &mut Command) -> Used {
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("squall runs");
    let mut stderr = child.stderr.take().expect("it is piped");
    let errors = std::thread::spawn(move || {
        let mut text = String::new();
        stderr.read_to_string(&mut text).map(|_| text)
    });
    let mut stdout = String::new();
    child.stdout.take().expect("it is piped").read_to_string(&mut stdout).expect("it is text");
    let pid = child.id();
    // Its own time, before it is reaped: wait4 includes the solvers that it waited for.
    let stays = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT;
    waitid(WaitId::Pid(Pid::from_child(&child)), stays).expect("it is ours");
    let own = cpu(pid);
    let (mut status, mut usage) = (0, unsafe { std::mem::zeroed::<libc::rusage>() });
    // SAFETY: the pid is our child, and both structures are valid.
    unsafe { libc::wait4(pid as libc::pid_t, &mut status, 0, &mut usage) };
    Used {
        code: libc::WEXITSTATUS(status),
        stdout,
        stderr: errors.join().expect("no panic").expect("it is text"),
        cpu: own,
        // The maximum over single processes: its own, unless a solver of a test had more.
        peak: u64::try_from(usage.ru_maxrss).expect("a size") << 10,
    }
}

/// Several kinds of endless output.
const FLOODS: [(&str, &str); 5] = [
    ("lines", "echo sat; exec yes flood"),
    ("answers", "exec yes sat"),
    ("responses", "echo sat; exec yes '()'"),
    ("one line", "echo sat; exec cat /dev/zero"),
    ("on both", "echo sat; yes a >&2 & exec yes b"),
];

#[test]
fn endless_output_is_not_an_answer_to_solve() {
    for (name, script) in FLOODS {
        let stage = Stage::new(script);
        let strategy = format!("(solver \"/bin/sh {}\")", stage.path("solver.sh").display());
        let mut command = support::squall();
        command.arg("solve").arg(stage.path("seed.smt2")).args(["-t", "1", "--strategy", &strategy]);
        let used = run(&mut command);
        assert_eq!((used.code, used.stdout.trim()), (11, "unknown"), "{name}: {}", used.stderr);
        check_usage(name, &used, LIMIT);
    }
}

#[test]
fn endless_output_finds_nothing_in_fuzz() {
    nothing_is_found(&FLOODS[..2]);
}

#[test]
fn endless_responses_find_nothing_in_fuzz() {
    nothing_is_found(&FLOODS[2..3]);
}

#[test]
fn endless_lines_find_nothing_in_fuzz() {
    nothing_is_found(&FLOODS[3..]);
}

fn nothing_is_found(floods: &[(&str, &str)]) {
    for (name, script) in floods {
        let ready = r#"t=$(cat); case "$t" in *'(declare-fun q () Bool)'*) echo sat; exit;; esac"#;
        let stage = Stage::new(&format!("{ready}; {script}"));
        let mut command = stage.command(&stage.solver(""), &["--timeout", "1s", "--units", "1", "--mutants", "2"]);
        command.args(["--jobs", "1", "--models", "0", "--mutator", "storm"]);
        let used = run(&mut command);
        let summary = used.stdout.lines().last().unwrap_or_default();
        assert_eq!(stage.findings(), Vec::<std::path::PathBuf>::new(), "{name}: {summary}");
        assert!(summary.contains("\"summary\""), "{name}: {} {}", used.stdout, used.stderr);
        // Some mutants, each run twice at most, in addition to starting a campaign.
        check_usage(name, &used, LIMIT * 4);
    }
}

fn check_usage(name: &str, used: &Used, limit: Duration) {
    let most = limit * READING + SLACK;
    assert!(used.cpu <= most, "{name}: {:?} of CPU time, at most {most:?}", used.cpu);
    assert!(used.peak <= MEMORY, "{name}: {} MiB", used.peak >> 20);
}

/// Hangs or prints without end on `--version`, and answers everything else.
const VERSIONS: [(&str, &str); 4] = [
    ("hangs", "sleep 600"),
    ("hangs in a child", "sleep 600 & wait"),
    ("prints without end", "yes 1.2.3"),
    ("allocates without end", "tail /dev/zero"),
];

#[test]
fn a_missing_version_delays_nothing() {
    for (name, version) in VERSIONS {
        let script = format!("#!/bin/sh\nif [ \"$1\" = --version ]; then {version}; else echo sat; fi\n");
        let stage = Stage::new(&script);
        let program = testing::executable(&stage.path("program"), &script);
        let mut command = support::squall();
        command.arg("solve").arg(stage.path("seed.smt2")).args(["-t", "1", "--strategy"]);
        command.arg(format!("(solver {program:?})"));
        let begun = std::time::Instant::now();
        let used = run(&mut command);
        assert_eq!((used.code, used.stdout.trim()), (0, "sat"), "{name}: {}", used.stderr);
        // A program that keeps printing has no version.
        assert!(!used.stderr.contains("1.2.3"), "{name}: {}", used.stderr);
        assert!(used.cpu <= LIMIT * TIMES + SLACK, "{name}: {:?}", used.cpu);
        // The hanging ones would hang for 600 seconds, which is distinguished even on a slow machine.
        assert!(begun.elapsed() < Duration::from_secs(300), "{name}");
    }
}

/// Spins for ever and prints its pid: as the program itself, as a child of a script, and outside of its process group.
const SPINS: [(&str, &str); 4] = [
    ("itself", "echo $$ >> $PIDS; while :; do :; done"),
    ("a child", "sh -c 'echo $$ >> $PIDS; while :; do :; done'; true"),
    ("a child behind", "sh -c 'echo $$ >> $PIDS; while :; do :; done' & wait"),
    ("out of its group", "setsid sh -c 'echo $$ >> $PIDS; while :; do :; done'; true"),
];

/// A campaign whose solver spins, killed once the solver does, and the solver's pid.
fn killed_campaign(spin: &str, timeout: &str) -> (Stage, u32) {
    // Queries before a campaign's first seed have their own limits.
    let ready =
        r#"t=$(cat); case "$t" in *'(declare-fun q () Bool)'*) echo sat; exit;; *distinct*) ;; *) exit 0;; esac"#;
    let stage = Stage::new(&format!("{ready}; {spin}"));
    fs::write(stage.path("seed.smt2"), SEED).expect("a file");
    let pids = stage.path("pids");
    let mut command = stage.command(&stage.solver(""), &["--timeout", timeout, "--jobs", "1", "--models", "0"]);
    command.env("PIDS", &pids).stdout(Stdio::null()).stderr(Stdio::null()).process_group(0);
    let mut campaign = command.spawn().expect("squall runs");
    // The first pid may be that of a version query; only complete lines count.
    let pid = loop {
        let text = fs::read_to_string(&pids).unwrap_or_default();
        let last = text.lines().last().filter(|_| text.ends_with('\n')).and_then(|line| line.parse::<u32>().ok());
        match last {
            Some(pid) if is_running(pid) && has_owner(pid) => break pid,
            _ => std::thread::sleep(Duration::from_millis(5)),
        }
        assert!(campaign.try_wait().expect("ours").is_none(), "the campaign ended");
    };
    campaign.kill().expect("ours");
    campaign.wait().expect("ours");
    (stage, pid)
}

/// Whether it was started as a solver of a campaign.
fn has_owner(pid: u32) -> bool {
    let environment = fs::read(format!("/proc/{pid}/environ")).unwrap_or_default();
    environment.split(|byte| *byte == 0).any(|entry| entry.starts_with(b"SQUALL_OWNER="))
}

fn is_running(pid: u32) -> bool {
    Stat::of(pid).is_some_and(|stat| !stat.state().starts_with(['Z', 'X']))
}

fn cpu(pid: u32) -> Duration {
    Stat::of(pid).map_or(Duration::ZERO, |stat| stat.cpu())
}

/// Returns its current CPU limit, or `None` if it is gone. No limit is the largest value.
fn cpu_limit(pid: u32) -> Option<Duration> {
    let limits = fs::read_to_string(format!("/proc/{pid}/limits")).ok()?;
    let soft = limits.lines().find_map(|line| line.strip_prefix("Max cpu time"))?.split_whitespace().next()?;
    Some(soft.parse().map_or(Duration::MAX, Duration::from_secs))
}

/// The largest factor on the limit for a query of a campaign.
const PATIENCE: u32 = 4;

#[test]
fn no_solver_outlives_its_killed_campaign_by_more_than_its_limit() {
    for (name, spin) in SPINS {
        let (_stage, pid) = killed_campaign(spin, "1s");
        // Some queries have several times the limit. The kernel counts in seconds: one more may start.
        let limit = cpu_limit(pid).unwrap_or_default();
        assert!(limit <= cpu(pid) + LIMIT * PATIENCE + Duration::from_secs(1), "{name}: {limit:?}");
        let most = limit * TIMES + SLACK;
        let mut seen = Duration::ZERO;
        while is_running(pid) {
            seen = seen.max(cpu(pid));
            assert!(seen <= most, "{name}: {seen:?} of CPU time, at most {most:?}");
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}

#[test]
fn resuming_ends_the_solvers_of_the_killed_campaign() {
    for (name, spin) in SPINS.into_iter().skip(1) {
        // The limit is so long that only the resumption can end it in time.
        let (stage, pid) = killed_campaign(spin, "1h");
        assert!(is_running(pid), "{name}: a child of a script does not end with the campaign by itself");
        let mut command = support::squall();
        command.args(["fuzz", "--resume"]).arg(stage.out()).args(["--for", "100ms", "--format", "json"]);
        command.env("PIDS", stage.path("pids of the second"));
        let used = run(&mut command);
        assert!(used.stdout.contains("\"summary\""), "{name}: {} {}", used.stdout, used.stderr);
        while is_running(pid) {
            assert!(cpu(pid) < Duration::from_secs(5), "{name}: it spins on");
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}
