//! Finds and kills processes left behind by a killed owner, such as a campaign: solvers and their descendants.
//!
//! While the owner lives, it is the parent of all processes that its solvers leave behind ([`Adoption`]). After its death, a process is
//! recognized by an environment variable, which its descendants inherit, even if they left its process group. A record of pids would miss
//! those, and a pid could belong to another process by now.

use crate::orphan_processes::kill_if;
use crate::proc_stat::{self, Stat};
use crate::process::OWNER;
use rustix::process::{Pid, WaitOptions, waitpid};
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread::JoinHandle;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// Time between checks for leftover processes.
const TICK: Duration = Duration::from_secs(1);
/// The number of kill rounds at the end: each round may reveal further descendants.
const ROUNDS: usize = 100;
/// The time that killed processes have to vanish, per round.
const VANISHING: Duration = Duration::from_millis(5);

/// Returns a unique name for this process as an owner: from the time, the pid, and the start time of the process.
pub fn new_owner() -> String {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_nanos());
    let pid = std::process::id();
    format!("{now}-{pid}-{}", start_time(pid).unwrap_or_default())
}

/// Kills every process of this user that runs on behalf of `owner`, as named by [`new_owner`]; returns their number. None are killed
/// while the owner lives.
///
/// Invariant: no other process is killed, even if pids are reused meanwhile: the variable is checked again when the process is pinned.
pub fn end(owner: &str) -> usize {
    if is_alive(owner) {
        return 0;
    }
    let variable = format!("{OWNER}={owner}");
    let Ok(processes) = fs::read_dir("/proc") else { return 0 };
    let found = processes.flatten().filter(|entry| {
        let pid = entry.file_name().to_str().and_then(|name| name.parse::<u32>().ok());
        pid.is_some_and(|pid| {
            pid != std::process::id() && has(&entry.path(), &variable) && kill_if(pid, || has(&entry.path(), &variable))
        })
    });
    found.count()
}

/// While this lives, orphaned descendants of solvers become our children instead of the system's, even if they left their session and
/// cleared their environment. All are killed: daemons within seconds, others on drop.
///
/// Invariant: earlier children of ours, and those that we started and wait for, are left alone.
#[derive(Debug)]
pub struct Adoption {
    before: BTreeSet<u32>,
    stop: mpsc::Sender<()>,
    watch: Option<JoinHandle<()>>,
}

impl Adoption {
    /// Starts adoption. Without system support, nothing is adopted.
    pub fn begin() -> Adoption {
        let before: BTreeSet<u32> = proc_stat::children(std::process::id()).into_iter().collect();
        set_subreaper(true);
        let (stop, stopped) = mpsc::channel::<()>();
        let known = before.clone();
        let watch = std::thread::spawn(move || {
            while let Err(RecvTimeoutError::Timeout) = stopped.recv_timeout(TICK) {
                end_children(&known, is_daemon);
            }
        });
        Adoption { before, stop, watch: Some(watch) }
    }
}

impl Drop for Adoption {
    fn drop(&mut self) {
        let _ = self.stop.send(());
        let _ = self.watch.take().map(JoinHandle::join);
        for _ in 0..ROUNDS {
            if end_children(&self.before, |_, _| true) == 0 {
                break;
            }
            std::thread::sleep(VANISHING);
        }
        set_subreaper(false);
    }
}

fn set_subreaper(is_on: bool) {
    let _ = rustix::process::set_child_subreaper(is_on.then(rustix::process::getpid));
}

/// Whether a child was adopted: it left our session, or it is dead and in a group
/// that is neither its own (as for processes that we start) nor ours (as for those of the standard library).
fn is_daemon(own: &Stat, child: &Stat) -> bool {
    let is_dead_member = || child.state() == "Z" && child.group() != child.pid() && child.group() != own.group();
    child.session() != own.session() || is_dead_member()
}

/// Kills and reaps the selected children of ours; returns their number.
fn end_children(before: &BTreeSet<u32>, is_meant: impl Fn(&Stat, &Stat) -> bool) -> usize {
    let own = std::process::id();
    let Some(own_stat) = Stat::of(own) else { return 0 };
    let is_meant =
        |pid: u32| Stat::of(pid).is_some_and(|stat| stat.parent() == Some(own) && is_meant(&own_stat, &stat));
    let meant = proc_stat::children(own).into_iter().filter(|pid| !before.contains(pid) && is_meant(*pid));
    let end = |pid: u32| {
        kill_if(pid, || is_meant(pid));
        // A child that nobody waits for; its status is not needed.
        let Some(pid) = pid.try_into().ok().and_then(Pid::from_raw) else { return };
        let _ = waitpid(Some(pid), WaitOptions::NOHANG);
    };
    meant.map(end).count()
}

/// Whether the owner with this name still runs. An invalid name counts as alive.
fn is_alive(owner: &str) -> bool {
    let mut numbers = owner.rsplit('-').map(str::parse::<u64>);
    let (Some(Ok(start)), Some(Ok(pid))) = (numbers.next(), numbers.next()) else { return true };
    u32::try_from(pid).is_ok_and(|pid| start_time(pid) == Some(start))
}

/// Returns the start time of a process; `None` if it is gone.
fn start_time(pid: u32) -> Option<u64> {
    Stat::of(pid)?.start_time()
}

/// Whether a process was started with this variable; processes of other users cannot be read.
fn has(process: &Path, variable: &str) -> bool {
    let environment = fs::read(process.join("environ")).unwrap_or_default();
    environment.split(|byte| *byte == 0).any(|entry| entry == variable.as_bytes())
}

#[cfg(test)]
#[path = "../tests/unit/leftovers.rs"]
mod tests;
