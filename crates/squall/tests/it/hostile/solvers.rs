//! Solvers that do more than solving.

use super::{Place, Trap};
use crate::support::printed;
use std::fs;

/// A daemon that left its session, cleared its environment and holds no pipe of ours carries no mark by which we could find it.
#[test]
fn daemons_of_a_solver_end_with_the_campaign() {
    let folders = std::env::var_os("PATH").unwrap_or_default();
    let setsid = std::env::split_paths(&folders).map(|folder| folder.join("setsid")).find(|path| path.is_file());
    let Some(setsid) = testing::require("setsid", setsid) else { return };
    let trap = Trap::new();
    let pid = trap.path("pid");
    let script = format!(
        "#!/bin/sh\nPATH=/usr/bin:/bin\n{} env -i /bin/sh -c 'echo $$ > {pid}; exec sleep 600' </dev/null >/dev/null 2>&1 &\n\
         while [ ! -s {pid} ]; do :; done\nwhile IFS= read -r l; do case $l in '(check-sat'*) echo sat;; esac; done\n",
        setsid.display(),
        pid = pid.display()
    );
    let solver = testing::executable(&trap.path("solver"), &script);
    let args =
        ["fuzz", "--solver", &solver, "--units", "1", "--jobs", "1", "--reduce-share", "0", "--out", "{root}/out"];
    let (code, _, stderr) = printed(&mut trap.command(&args, Place::Above));
    assert!(code.is_some_and(|code| code != 1), "{stderr}");
    let pid = fs::read_to_string(pid).expect("the daemon was started");
    let command = fs::read_to_string(format!("/proc/{}/cmdline", pid.trim())).unwrap_or_default();
    assert!(!command.contains("sleep"), "the daemon {pid} lives on");
}
