//! Unit tests of `src/leftovers.rs`.

use super::*;
use std::process::{Command, Stdio};

/// Processes with the variable of a dead owner are killed, including children; those of a living owner and of another are not.
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
        // Neither of the two ends with the other, whichever is found first: pids are reused, and a shell that waited for its child
        // no longer existed when it was found.
        shell.args(["-c", "sleep 600 & exec sleep 600"]).env(OWNER, owner).stdin(Stdio::null()).stdout(Stdio::null());
        let mut shell = shell.spawn().expect("it runs");
        let children = format!("/proc/{0}/task/{0}/children", shell.id());
        while fs::read_to_string(&children).is_ok_and(|list| list.trim().is_empty()) {
            std::thread::yield_now();
        }
        let child = fs::read_to_string(&children).expect("it runs").trim().to_string();
        // While a process executes a new program, its variables cannot be read, so both must be past that.
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
