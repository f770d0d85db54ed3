//! Finds and kills descendants that left a killed process group but still hold its output pipes.

use std::fs::{self, File};
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd, RawFd};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// Kills every process, except our own, that has one of the pipes open.
///
/// A process that calls `setsid` leaves its group, and no signal to the group reaches it. It can still be told by
/// the pipe it inherited. This reads all of `/proc`, so it is done only when a pipe stays open after its group died.
pub(crate) fn kill_holders_of_pipes(pipes: &[&File]) {
    let targets: Vec<PathBuf> = pipes
        .iter()
        .filter_map(|pipe| Some(PathBuf::from(format!("pipe:[{}]", pipe.metadata().ok()?.ino()))))
        .collect();
    let Ok(processes) = fs::read_dir("/proc") else { return };
    for entry in processes.flatten() {
        let Some(pid) = entry.file_name().to_str().and_then(|name| name.parse::<u32>().ok()) else { continue };
        if pid == std::process::id() || !holds_any(&entry.path(), &targets) {
            continue;
        }
        kill_if(pid, || holds_any(&entry.path(), &targets));
    }
}

fn holds_any(process: &Path, targets: &[PathBuf]) -> bool {
    let Ok(descriptors) = fs::read_dir(process.join("fd")) else { return false };
    descriptors.flatten().any(|fd| fs::read_link(fd.path()).is_ok_and(|link| targets.contains(&link)))
}

/// Kills the process if the condition still holds once its identity is pinned by a pidfd: a pid alone may have been
/// given to another process since it was read.
fn kill_if(pid: u32, still: impl Fn() -> bool) {
    // SAFETY: the system calls take integers and a null pointer where one is allowed; the descriptor is new and ours.
    unsafe {
        let fd = libc::syscall(libc::SYS_pidfd_open, pid as libc::pid_t, 0);
        if fd < 0 {
            return;
        }
        let pidfd = OwnedFd::from_raw_fd(fd as RawFd);
        if still() {
            let no_info = std::ptr::null::<libc::siginfo_t>();
            libc::syscall(libc::SYS_pidfd_send_signal, pidfd.as_raw_fd(), libc::SIGKILL, no_info, 0);
        }
    }
}
