//! Runs a program until its process group has used the given CPU time.

use anyhow::{Context, Result};
use rustix::process::{Pid, Signal, kill_process, kill_process_group};
use solver::proc_stat::{Stat, cpu_of_group};
use solver::process::CancelToken;
use std::fs::OpenOptions;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// The polling interval. The program may exceed its CPU time by this much on each processor.
const POLL: Duration = Duration::from_millis(100);

/// Why a run of a program ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GroupEnd {
    /// The program ended by itself.
    Ended,
    /// The program was interrupted or killed at its CPU or wall-clock limit.
    Limit,
    /// The program was killed because the experiment was stopped.
    Cancelled,
}

/// The limits of a run.
#[derive(Clone, Copy, Debug)]
pub struct GroupLimits {
    /// CPU time of the program and all of its process group.
    pub cpu: Duration,
    /// Wall-clock time, which ends a program that only waits.
    pub wall: Duration,
    /// The time between interrupting it at its limit and killing it; if zero, it is killed at once.
    pub grace: Duration,
}

/// Runs a program in a folder and appends its output to `log`. Returns why the program ended, and the CPU time of the program and its
/// children, to a hundredth of a second. If the program was killed, the time is that of the last poll.
/// Errors: the program cannot be started, or the log cannot be written.
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
        // Until the program is waited for, its number is not reused for another group.
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
                    // Only the program itself gets the signal, since it ends its children. It may have ended already.
                    let _ = kill_process(leader, Signal::INT);
                }
            }
            _ => {}
        }
        std::thread::sleep(POLL);
    };
    if let Some(group) = i32::try_from(pid).ok().and_then(Pid::from_raw) {
        // The whole group may have ended already.
        let _ = kill_process_group(group, Signal::KILL);
    }
    child.wait().context("cannot wait for the program")?;
    Ok((end, used))
}
