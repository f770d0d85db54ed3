//! Unit tests of `src/orphan_processes.rs`.

use super::*;
use std::os::fd::OwnedFd;
use std::process::{Command, Stdio};

/// With two hundred parallel solvers some were killed between their creation and their `exec`, because of the descriptors that they
/// shared with us until then; that looks like a crash of theirs.
#[test]
fn who_is_just_being_started_is_left_alone() {
    let (reader, writer) = std::io::pipe().expect("a pipe");
    // SAFETY: the child only waits for its end.
    let starting = unsafe {
        match libc::fork() {
            0 => loop {
                libc::pause();
            },
            pid => pid,
        }
    };
    let mut holder = Command::new("sleep");
    holder.arg("600").stdin(Stdio::null()).stdout(writer).stderr(Stdio::null());
    let mut holder = holder.spawn().expect("it runs");
    kill_holders_of_pipes(&[&File::from(OwnedFd::from(reader))]);
    assert_eq!(holder.wait().expect("it is ours").code(), None, "killed");
    let mut status = 0;
    // SAFETY: the pid is our unreaped child, and waitpid writes one number.
    unsafe {
        assert_eq!(libc::waitpid(starting, &mut status, libc::WNOHANG), 0, "left alone");
        libc::kill(starting, libc::SIGKILL);
        libc::waitpid(starting, &mut status, 0);
    }
}
