//! Finds and kills descendants that left a killed process group but still hold its output pipes.

use crate::proc_stat::Stat;
use rustix::process::{Pid, PidfdFlags, Signal, pidfd_open, pidfd_send_signal};
use std::fs::{self, File};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// Kills every process, except our own, that has one of the pipes open.
///
/// A process that calls `setsid` leaves its group, and no signal to the group reaches it. It can still be recognized by the inherited
/// pipe. This reads all of `/proc`, so it is done only if a pipe stays open after its group died.
///
/// Between its creation and its `exec`, a program started by another thread has all our descriptors. Such a program is not killed.
pub(crate) fn kill_holders_of_pipes(pipes: &[&File]) {
    let targets: Vec<PathBuf> = pipes
        .iter()
        .filter_map(|pipe| Some(PathBuf::from(format!("pipe:[{}]", pipe.metadata().ok()?.ino()))))
        .collect();
    let Ok(processes) = fs::read_dir("/proc") else { return };
    for entry in processes.flatten() {
        let Some(pid) = entry.file_name().to_str().and_then(|name| name.parse::<u32>().ok()) else { continue };
        if pid == std::process::id() || !holds_any(pid, &entry.path(), &targets) {
            continue;
        }
        kill_if(pid, || holds_any(pid, &entry.path(), &targets));
    }
}

fn holds_any(pid: u32, process: &Path, targets: &[PathBuf]) -> bool {
    let Ok(descriptors) = fs::read_dir(process.join("fd")) else { return false };
    let holds = descriptors.flatten().any(|fd| fs::read_link(fd.path()).is_ok_and(|link| targets.contains(&link)));
    holds && !is_starting(pid, process)
}

/// Whether this is a child of ours before its `exec`: it still runs our own program.
fn is_starting(pid: u32, process: &Path) -> bool {
    let program = |process: &Path| fs::read_link(process.join("exe")).ok();
    let parent = Stat::of(pid).and_then(|stat| stat.parent());
    parent == Some(std::process::id()) && program(process) == program(Path::new("/proc/self"))
}

/// Opens a pidfd, checks the condition again, then kills the process: a pid alone could already refer to another process. Returns whether
/// it was killed.
pub(crate) fn kill_if(pid: u32, still: impl Fn() -> bool) -> bool {
    let pid = pid.try_into().ok().and_then(Pid::from_raw);
    let pidfd = pid.and_then(|pid| pidfd_open(pid, PidfdFlags::empty()).ok());
    pidfd.is_some_and(|pidfd| still() && pidfd_send_signal(pidfd, Signal::KILL).is_ok())
}

#[cfg(test)]
#[path = "../tests/unit/orphan_processes.rs"]
mod tests;
