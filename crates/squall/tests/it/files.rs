//! Which files subcommands open, and what they leave if nothing can be written.

use crate::support::squall;
use std::fs;
use std::io::Write;
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;
use std::process::{Command, Stdio};

const PROBLEM: &str = "(set-logic QF_LIA)(declare-const x Int)(assert (or (> x 1) (< x 9)))(check-sat)";

/// A folder with one script and a pipe that has a script's name.
fn folder_with_pipe() -> tempfile::TempDir {
    let root = tempfile::tempdir().expect("a folder");
    fs::create_dir(root.path().join("d")).expect("a folder");
    fs::write(root.path().join("d/a.smt2"), PROBLEM).expect("a file");
    let made = Command::new("mkfifo").arg(root.path().join("d/pipe.smt2")).status().expect("mkfifo runs");
    assert!(made.success());
    root
}

/// Runs `squall` while a thread waits for a reader of the pipe and writes a mistake to it: a command that opens the pipe reports the mistake.
fn run(root: &Path, args: &[&str]) -> (Option<i32>, String) {
    let pipe = root.join("d/pipe.smt2");
    let writer = {
        let pipe = pipe.clone();
        std::thread::spawn(move || {
            let opened = fs::OpenOptions::new().write(true).open(pipe);
            let _ = opened.and_then(|mut file| file.write_all(b"(assert (frobnicate"));
        })
    };
    let output = squall().args(args).current_dir(root).stdin(Stdio::null()).output().expect("squall runs");
    // The reader for which the thread may still be waiting.
    let _reader = fs::OpenOptions::new().read(true).custom_flags(libc::O_NONBLOCK).open(&pipe).expect("a pipe");
    writer.join().expect("the writer ends");
    let said = format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    (output.status.code(), said)
}

#[test]
fn a_pipe_in_a_folder_is_not_opened() {
    // Every one of them once opened it, and waited for ever for a writer.
    let root = folder_with_pipe();
    let always = root.path().join("solver.sh");
    fs::write(&always, "grep -c check-sat >/dev/null; echo sat; echo '((define-fun x () Int 5))'").expect("a file");
    let solver = format!("/bin/sh {}", always.display());
    let check = |args: &[&str], code: i32, words: &str| {
        let (ended, said) = run(root.path(), args);
        assert_eq!(ended, Some(code), "{args:?}: {said}");
        assert!(said.contains(words), "'{words}' of {args:?} in: {said}");
        assert!(!said.contains("frobnicate") && !said.contains("pipe.smt2"), "{args:?}: {said}");
    };
    check(&["check", "d"], 0, "1 file without errors, 0 with errors");
    check(&["solve", "d"], 0, "sat");
    check(&["mutate", "-n", "1", "d"], 0, "(check-sat)");
    check(&["validate", "--solver", &solver, "d"], 0, "valid");
    check(&["fuzz", "d", "--solver", &solver, "--mutator", "storm", "--units", "2", "--out", "out"], 0, "1 seed");
    let bench = ["compare", "d", "--solver", "strategy:sat", "--timeout", "1", "--out", "compared"];
    check(&bench, 0, "compared");
}

#[test]
fn a_pipe_that_is_named_is_read_once_and_to_its_end() {
    let root = folder_with_pipe();
    let pipe = root.path().join("d/pipe.smt2");
    for args in
        [&["check"][..], &["solve"], &["mutate", "-n", "1"], &["fuzz", "--solver", "builtin:sat", "--units", "4"]]
    {
        let pipe_of_writer = pipe.clone();
        let writer = std::thread::spawn(move || fs::write(pipe_of_writer, PROBLEM));
        let mut command = squall();
        command.args(args).arg(&pipe).current_dir(root.path()).stdin(Stdio::null());
        let output = command.output().expect("squall runs");
        assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
        writer.join().expect("the writer ends").expect("a reader");
    }
}

#[test]
fn a_full_disk_leaves_no_empty_script() {
    // A limit on file sizes simulates the full disk: nothing can be written.
    let root = folder_with_pipe();
    let program = env!("CARGO_BIN_EXE_squall");
    let check = |line: &str, folder: &str| {
        let line = format!("trap '' XFSZ; ulimit -f 0; exec {program} {line}");
        let output = Command::new("sh")
            .args(["-c", &line])
            .env("XDG_CONFIG_HOME", crate::support::configuration())
            .current_dir(root.path())
            .output()
            .expect("sh runs");
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{line}: {said}");
        assert!(said.contains("cannot write"), "{line}: {said}");
        let left: Vec<_> = fs::read_dir(root.path().join(folder)).expect("a folder").flatten().collect();
        assert!(left.is_empty(), "{line} left {left:?}");
    };
    check("mutate -n 3 --out mutants d/a.smt2", "mutants");
    check("strategy apply simplify d/a.smt2 -o goals", "goals");
}
