//! Finds and ends what a killed owner, such as a campaign, left behind: solvers and whatever these had started.
//!
//! While the owner lives, it is the parent of all that its solvers leave behind ([`Adoption`]). After its death, a process is told by a variable of its environment, which its descendants inherit, also those that left its process group.
//! A record of pids would miss those, and could name a pid that belongs to another process by now.

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

/// How often it is looked whether a solver left anything behind.
const TICK: Duration = Duration::from_secs(1);
/// How often what is left at the end is killed: each time may bring forth what the killed ones had started.
const ROUNDS: usize = 100;
/// How long the killed ones have to vanish, each time.
const VANISHING: Duration = Duration::from_millis(5);

/// A name for this process as an owner, which no other gets, nor this one a second time: the moment, the pid, and when the
/// process was started.
pub fn new_owner() -> String {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_nanos());
    let pid = std::process::id();
    format!("{now}-{pid}-{}", start_time(pid).unwrap_or_default())
}

/// Kills every process of this user that runs on behalf of `owner`, as [`new_owner`] named it; how many there were. None are
/// killed while the owner lives.
///
/// Invariant: no other process is killed, even if pids are given anew meanwhile: the variable is looked at once more when the
/// process is pinned.
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

/// As long as this lives, processes that solvers leave behind become children of ours in the place of the system's, also those that left
/// their session and cleared their environment, and are killed: daemons within seconds, all others when it is dropped.
///
/// Invariant: what was a child of ours before, and what we started and wait for ourselves, is left alone.
#[derive(Debug)]
pub struct Adoption {
    before: BTreeSet<u32>,
    stop: mpsc::Sender<()>,
    watch: Option<JoinHandle<()>>,
}

impl Adoption {
    /// Begins it for this process. Where the system has no such thing, nothing is adopted.
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

/// Whether a child of ours was adopted, by our own process and its: it left our session, or it is dead and in a group that is neither its
/// own, as what we start ourselves, nor ours, as what the standard library starts.
fn is_daemon(own: &Stat, child: &Stat) -> bool {
    let is_dead_member = || child.state() == "Z" && child.group() != child.pid() && child.group() != own.group();
    child.session() != own.session() || is_dead_member()
}

/// Kills and reaps the children of ours that are meant; how many there were.
fn end_children(before: &BTreeSet<u32>, is_meant: impl Fn(&Stat, &Stat) -> bool) -> usize {
    let own = std::process::id();
    let Some(own_stat) = Stat::of(own) else { return 0 };
    let is_meant =
        |pid: u32| Stat::of(pid).is_some_and(|stat| stat.parent() == Some(own) && is_meant(&own_stat, &stat));
    let meant = proc_stat::children(own).into_iter().filter(|pid| !before.contains(pid) && is_meant(*pid));
    let end = |pid: u32| {
        kill_if(pid, || is_meant(pid));
        // A child of ours that nobody waits for; no status is wanted.
        let Some(pid) = pid.try_into().ok().and_then(Pid::from_raw) else { return };
        let _ = waitpid(Some(pid), WaitOptions::NOHANG);
    };
    meant.map(end).count()
}

/// Whether the process that is named so still runs. What is no such name is taken for alive.
fn is_alive(owner: &str) -> bool {
    let mut numbers = owner.rsplit('-').map(str::parse::<u64>);
    let (Some(Ok(start)), Some(Ok(pid))) = (numbers.next(), numbers.next()) else { return true };
    u32::try_from(pid).is_ok_and(|pid| start_time(pid) == Some(start))
}

/// When a process was started; none if it is gone.
fn start_time(pid: u32) -> Option<u64> {
    Stat::of(pid)?.start_time()
}

/// Whether a process was started with this variable; those of other users do not tell.
fn has(process: &Path, variable: &str) -> bool {
    let environment = fs::read(process.join("environ")).unwrap_or_default();
    environment.split(|byte| *byte == 0).any(|entry| entry == variable.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::{Command, Stdio};

    /// Who has the variable of a dead owner is killed, its children too; those of a living owner and of another are not.
    #[test]
    fn only_what_a_dead_owner_left_is_ended() {
        let dead = {
            let mut owner = Command::new("true").spawn().expect("it runs");
            let name = format!("1-{}-{}", owner.id(), start_time(owner.id()).expect("it is not reaped"));
            owner.wait().expect("it is ours");
            name
        };
        let check = |owner: &str, asked: &str, expect: usize| {
            let mut shell = Command::new("sh");
            // Neither of the two ends with the other, whichever is found first: numbers of processes begin again now and then, and a
            // shell that waited for its child was gone before it was found.
            shell
                .args(["-c", "sleep 600 & exec sleep 600"])
                .env(OWNER, owner)
                .stdin(Stdio::null())
                .stdout(Stdio::null());
            let mut shell = shell.spawn().expect("it runs");
            let children = format!("/proc/{0}/task/{0}/children", shell.id());
            while fs::read_to_string(&children).is_ok_and(|list| list.trim().is_empty()) {
                std::thread::yield_now();
            }
            let child = fs::read_to_string(&children).expect("it runs").trim().to_string();
            // While a process replaces its program, its variables cannot be read, so that both have to be over it.
            for process in [child.clone(), shell.id().to_string()] {
                let place = format!("/proc/{process}");
                let sleeps = || fs::read_to_string(format!("{place}/comm")).is_ok_and(|name| name.trim() == "sleep");
                while !(sleeps() && has(Path::new(&place), &format!("{OWNER}={owner}"))) {
                    std::thread::yield_now();
                }
            }
            assert_eq!(end(asked), expect, "{owner} {asked}");
            shell.kill().expect("it is ours");
            shell.wait().expect("it is ours");
            let _ = Command::new("kill").args(["-9", &child]).stderr(Stdio::null()).status();
        };
        check(&dead, &dead, 2);
        check(&dead, &format!("2{dead}"), 0);
        let alive = new_owner();
        check(&alive, &alive, 0);
        check("", "", 0);
    }
}
