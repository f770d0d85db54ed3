//! Commands whose output has no reader, or no space.

use std::fs::File;
use std::process::Stdio;

/// A pipe whose reader is closed.
fn broken_pipe() -> Stdio {
    let (_reader, writer) = std::io::pipe().expect("a pipe can be made");
    writer.into()
}

fn full_disk() -> Stdio {
    let full = File::options().write(true).open("/dev/full");
    full.expect("the device that is always full can be opened").into()
}

/// Runs `squall` with its two streams and checks its exit code. Returns standard error.
fn check(args: &[&str], stdout: Stdio, stderr: Stdio, expect: i32) -> String {
    let mut command = crate::support::program();
    let output = command.args(args).stdin(Stdio::null()).stdout(stdout).stderr(stderr).spawn();
    let output = output.and_then(std::process::Child::wait_with_output).expect("squall can be run");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(expect), "{args:?}: {said}");
    said
}

#[test]
fn a_closed_reader_changes_no_exit_code() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out").display().to_string();
    let bad = folder.path().join("bad.smt2");
    std::fs::write(&bad, "(assert x)").unwrap();
    let bad = bad.display().to_string();
    let campaign = ["fuzz", "--solver", "builtin:sat", "--jobs", "1", "--mutants", "20", "--out", &out];
    check(&campaign, Stdio::null(), broken_pipe(), 0);
    check(&campaign, broken_pipe(), broken_pipe(), 0);
    check(&["fuzz", "--solver", "builtin:sat", "--mutants", "0", "--out", &out], Stdio::null(), broken_pipe(), 2);
    check(&["check", &bad], Stdio::null(), broken_pipe(), 10);
    check(&["solver", "which", "nosuch"], Stdio::null(), broken_pipe(), 2);
}

#[test]
fn a_full_disk_is_reported() {
    let said = check(&["solver", "which", "builtin:sat"], full_disk(), Stdio::piped(), 1);
    assert!(said.contains("No space left on device"), "{said}");
}

#[test]
fn a_cause_is_reported_once() {
    let said = check(
        &["ci", "--solver", "builtin:sat", "--baseline", "builtin:sat", "--", "nosuch.smt2"],
        Stdio::null(),
        Stdio::piped(),
        2,
    );
    assert_eq!(said.matches("No such file or directory").count(), 1, "{said}");
}
