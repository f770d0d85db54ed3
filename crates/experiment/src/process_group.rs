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
