//! A program that runs until it and all that it starts have used so much CPU time.

use anyhow::{Context, Result};
use rustix::process::{Pid, Signal, kill_process, kill_process_group};
use solver::proc_stat::{Stat, cpu_of_group};
use solver::process::CancelToken;
use std::fs::OpenOptions;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// How often it is looked at. It may use this much more than it is given, on each processor.
const POLL: Duration = Duration::from_millis(100);

/// Why a run of a program is over.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GroupEnd {
    /// It ended by itself.
    Ended,
    /// It was interrupted or killed at its limit of CPU time, or of wall-clock time.
    Limit,
    /// It was killed, since the experiment was stopped.
    Cancelled,
}

/// What a run may use.
#[derive(Clone, Copy, Debug)]
pub struct GroupLimits {
    /// CPU time of the program and all of its process group.
    pub cpu: Duration,
    /// Wall-clock time, for a program that only waits.
    pub wall: Duration,
    /// How long it may go on at its limit after it is interrupted; without any it is killed at once.
    pub grace: Duration,
}

/// Runs a program in a folder; what it prints is added to `log`. Tells why it ended, and how much CPU time it and its children used, to
/// a hundredth of a second; when it is killed, as the last look at it knows.
///
/// # Errors
/// It cannot be started, or the log cannot be written.
pub fn run(
    command: &[String],
    folder: &Path,
    log: &Path,
    limits: GroupLimits,
    cancel: &CancelToken,
) -> Result<(GroupEnd, Duration)> {
    let (program, words) = command.split_first().context("the command is empty")?;
    let log = OpenOptions::new().create(true).append(true).open(log);
    let log = log.with_context(|| format!("cannot write in {}", folder.display()))?;
    let errors = log.try_clone().context("cannot write the log")?;
    let mut process = Command::new(program);
    process.args(words).current_dir(folder).stdin(Stdio::null()).stdout(log).stderr(errors).process_group(0);
    let mut child = process.spawn().with_context(|| format!("cannot start '{program}'"))?;
    let (pid, begun) = (child.id(), Instant::now());
    let mut used = Duration::ZERO;
    let mut interrupted: Option<Instant> = None;
    let end = loop {
        used = used.max(cpu_of_group(pid));
        // As long as it is not waited for, its number is not given to another group.
        if Stat::of(pid).is_none_or(|stat| stat.state() == "Z") {
            used = used.max(cpu_of_group(pid));
            break if interrupted.is_some() { GroupEnd::Limit } else { GroupEnd::Ended };
        }
        if cancel.is_cancelled() {
            break GroupEnd::Cancelled;
        }
        let is_over = used >= limits.cpu || begun.elapsed() >= limits.wall;
        match interrupted {
            Some(since) if since.elapsed() >= limits.grace => break GroupEnd::Limit,
            None if is_over && limits.grace == Duration::ZERO => break GroupEnd::Limit,
            None if is_over => {
                interrupted = Some(Instant::now());
                if let Some(leader) = i32::try_from(pid).ok().and_then(Pid::from_raw) {
                    // Not its children: it ends them itself. It may have ended meanwhile.
                    let _ = kill_process(leader, Signal::INT);
                }
            }
            _ => {}
        }
        std::thread::sleep(POLL);
    };
    if let Some(group) = i32::try_from(pid).ok().and_then(Pid::from_raw) {
        // There may be nothing left of it.
        let _ = kill_process_group(group, Signal::KILL);
    }
    child.wait().context("cannot wait for the program")?;
    Ok((end, used))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn children_count_and_end_with_it() {
        let root = tempfile::tempdir().expect("a folder");
        let check = |script: &str, cpu: u64, wall: u64, expect: GroupEnd, used: std::ops::Range<u64>| {
            let command = ["/bin/sh", "-c", script].map(String::from);
            let (cpu, wall) = (Duration::from_millis(cpu), Duration::from_secs(wall));
            let limits = GroupLimits { cpu, wall, grace: Duration::ZERO };
            let log = root.path().join("log");
            let (end, cpu) = run(&command, root.path(), &log, limits, &CancelToken::new()).expect("it runs");
            assert_eq!(end, expect, "{script}");
            assert!(used.contains(&(cpu.as_millis() as u64)), "{script}: {cpu:?}");
        };
        check("echo said", 1000, 60, GroupEnd::Ended, 0..200);
        let busy = "sh -c 'while :; do :; done'";
        // A child, one in the background, and one that was waited for.
        check(&format!("{busy}; true"), 300, 60, GroupEnd::Limit, 300..3000);
        check(&format!("{busy} & wait"), 300, 60, GroupEnd::Limit, 300..3000);
        check(
            "sh -c 'i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done'; sleep 0.3",
            60_000,
            60,
            GroupEnd::Ended,
            10..9000,
        );
        check("sleep 600", 1000, 0, GroupEnd::Limit, 0..200);
        assert_eq!(std::fs::read_to_string(root.path().join("log")).expect("a file"), "said\n");
        // One that is interrupted may write what it has; one that does not end is killed.
        // What runs in the background of a shell script ignores interrupts, and so do its children, unless they are told otherwise; this
        // program's commands handle interrupts, so that their children do not ignore them.
        let interrupted = |script: &str, grace: Duration| {
            let command = ["env", "--default-signal=INT", "/bin/sh", "-c", script].map(String::from);
            let limits = GroupLimits { cpu: Duration::MAX, wall: Duration::from_millis(300), grace };
            let log = root.path().join("interrupted");
            let (end, _) = run(&command, root.path(), &log, limits, &CancelToken::new()).expect("it runs");
            assert_eq!(end, GroupEnd::Limit, "{script}");
            std::fs::read_to_string(log).expect("a file")
        };
        let waits = "trap 'echo last; exit' INT; while :; do sleep 0.1; done";
        assert_eq!(interrupted(waits, Duration::from_secs(60)), "last\n");
        assert_eq!(interrupted("trap '' INT; sleep 600", Duration::from_millis(200)), "last\n");
        let cancelled = CancelToken::new();
        cancelled.cancel();
        let limits = GroupLimits { cpu: Duration::MAX, wall: Duration::MAX, grace: Duration::ZERO };
        let command = ["sleep".to_string(), "600".to_string()];
        let (end, _) = run(&command, root.path(), &root.path().join("log"), limits, &cancelled).expect("it runs");
        assert_eq!(end, GroupEnd::Cancelled);
        assert!(
            run(&["/no/such/program".to_string()], root.path(), &root.path().join("log"), limits, &cancelled).is_err()
        );
    }
}
