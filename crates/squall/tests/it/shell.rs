//! Completions for shells, manual pages, and the diagnosis by `squall doctor`.

use crate::support::squall;
use serde_json::Value;
use std::fs;
use std::process::{Command, Stdio};

#[test]
fn every_shell_gets_completions() {
    let check = |shell: &str, expect: &str| {
        let output = squall().args(["setup", "completions", shell]).output().expect("it runs");
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        assert_eq!(output.status.code(), Some(0), "{shell}");
        assert!(text.contains(expect) && text.contains("doctor"), "{shell}: {text}");
        text
    };
    let bash = check("bash", "complete -F _squall");
    check("zsh", "#compdef squall");
    check("fish", "complete -c squall");
    check("elvish", "edit:completion");
    check("powershell", "Register-ArgumentCompleter");
    let folder = tempfile::tempdir().expect("a folder");
    let script = folder.path().join("squall.bash");
    fs::write(
        &script,
        format!(
            "{bash}\nCOMP_WORDS=(squall doc); COMP_CWORD=1; _squall squall doc squall; echo \"${{COMPREPLY[@]}}\"\n"
        ),
    )
    .expect("a file");
    let ran = Command::new("bash").arg(&script).stdin(Stdio::null()).output().ok();
    let Some(ran) = testing::require("bash", ran.filter(|output| output.status.success())) else { return };
    assert_eq!(String::from_utf8_lossy(&ran.stdout).trim(), "doctor");
    assert_eq!(squall().args(["setup", "completions", "sh"]).output().expect("it runs").status.code(), Some(2));
}

#[test]
fn every_subcommand_has_a_manual_page() {
    let output = squall().args(["setup", "man"]).output().expect("it runs");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(text.contains(".TH squall 1") && text.contains("squall\\-doctor(1)"), "{text}");
    let folder = tempfile::tempdir().expect("a folder");
    let pages = folder.path().join("man").join("man1");
    let output = squall().args(["setup", "man", "--out"]).arg(&pages).output().expect("it runs");
    assert_eq!(output.status.code(), Some(0));
    for (name, expect) in [
        ("squall.1", "Exit codes"),
        ("squall-fuzz.1", "\\-\\-solver"),
        ("squall-solver-install.1", "squall solver install"),
        ("squall-experiment-cover.1", "\\-\\-map"),
    ] {
        let text = fs::read_to_string(pages.join(name)).expect(name);
        assert!(text.contains(".TH") && text.contains(expect), "{name}: {text}");
    }
    let listed = String::from_utf8_lossy(&output.stdout).lines().count();
    assert_eq!(listed, fs::read_dir(&pages).expect("a folder").count());
    assert_eq!(
        squall().args(["setup", "man", "--out", "/dev/null/man"]).output().expect("it runs").status.code(),
        Some(1)
    );
}

/// Nothing is installed and nothing can be: the output says what to do, and the exit code is that of a finding.
#[test]
fn the_doctor_says_whether_a_campaign_can_start() {
    let root = tempfile::tempdir().expect("a folder");
    let doctor = |arguments: &[&str], cache: &str| {
        let mut command = squall();
        command.arg("doctor").args(arguments).env("PATH", root.path()).env("SQUALL_CACHE", root.path().join(cache));
        let output = command.current_dir(root.path()).stdin(Stdio::null()).output().expect("it runs");
        (output.status.code(), String::from_utf8_lossy(&output.stdout).into_owned())
    };
    let (code, text) = doctor(&[], "empty");
    assert_eq!(code, Some(10), "{text}");
    for expect in
        ["NO    solver", "note  pip", "Python is missing", "squall solver install z3@latest", "A campaign cannot start"]
    {
        assert!(text.contains(expect), "{expect} in {text}");
    }
    // A broken solver, and one with an unreadable manifest.
    for (name, manifest) in [
        ("z3@4.8.7", "name = 'z3'\nversion = '4.8.7'\norigin = 'a test'\ncommand = ['gone']\nsha256 = ''\n"),
        ("z3@4.8.8", "name = "),
    ] {
        let folder = root.path().join("broken").join("solvers").join(name);
        fs::create_dir_all(&folder).expect("a folder");
        fs::write(folder.join("install.toml"), manifest).expect("a file");
    }
    let (code, text) = doctor(&["--format", "json"], "broken");
    let report: Value = serde_json::from_str(&text).expect("an object");
    assert_eq!((code, report["can_start"].as_bool()), (Some(10), Some(false)), "{text}");
    let lines = report["lines"].as_array().expect("lines");
    let solver = |name: &str| {
        let is_of = |line: &&Value| line["found"].as_str().is_some_and(|found| found.starts_with(name));
        lines.iter().find(is_of).unwrap_or_else(|| panic!("{name} in {text}"))
    };
    for name in ["z3@4.8.7", "z3@4.8.8"] {
        let line = solver(&format!("{name} does not work"));
        assert_eq!(line["severity"], "note", "{line}");
        let again = format!("squall solver remove {name} && squall solver install {name}");
        assert_eq!(line["remedy"], Value::from(again));
    }
}
