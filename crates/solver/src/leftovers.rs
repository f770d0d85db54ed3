//! Finds and ends what a killed owner, such as a campaign, left behind: solvers and whatever these had started.
//!
//! A process is told by a variable of its environment, which its descendants inherit, also those that left its process group.
//! A record of pids would miss those, and could name a pid that belongs to another process by now.

use crate::orphan_processes::kill_if;
use crate::proc_stat::Stat;
use crate::process::OWNER;
use std::fs;
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

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
