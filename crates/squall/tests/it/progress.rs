//! Long commands show progress on a terminal, remove it at their end, and print none into a pipe; colours follow the same rule.

use crate::support::{ALWAYS, Stage, squall};
use std::fs;
use std::process::{Command, Stdio};

const SMALL: &str = "(declare-fun b () Bool)\n(declare-fun c () Bool)\n(assert b)\n(assert (not b))\n(check-sat)\n";

/// A stage with a small unsatisfiable script, and a model.
fn stage() -> Stage {
    let stage = Stage::new(ALWAYS);
    fs::write(stage.path("small.smt2"), SMALL).expect("a file");
    fs::write(stage.path("some.model"), "((define-fun b () Bool true) (define-fun c () Bool true))").expect("a file");
    finding(&stage);
    stage
}

/// A finding in `wrong`: the stand-in answers `sat` to the small script.
fn finding(stage: &Stage) {
    let record = serde_json::json!({
        "format": 1, "id": "wrong", "class": "B", "summary": "the stand-in says sat", "origin": "mutant",
        "trust": {"kind": "exhausted"},
        "solver": {"spec": stage.solver("sat"), "label": "sh", "version": null, "origin": "path", "purposes": [],
            "command": ["/bin/sh"], "timeout_s": 10.0, "memory_bytes": null},
        "check": 0, "mode": "plain", "expected": ["unsat"], "answers": ["sat"], "symptom": "sat",
        "repeats": {"shown": 2, "runs": 2}, "others": [],
        "seed": {"name": "a.smt2", "sha256": "", "check": 0, "status": null}, "mutator": null,
        "campaign": {"seed": 0, "unit": 1, "index": 2}, "mutant_sha256": "", "mutant_bytes": SMALL.len(), "found_at": 0,
        "run": {"wall_s": 0.1, "cpu_s": 0.1}, "environment": {"squall": "0.1.0", "os": "linux", "arch": "x86_64"}
    });
    fs::create_dir_all(stage.path("wrong")).expect("a folder");
    fs::write(stage.path("wrong/mutant.smt2"), SMALL).expect("a file");
    fs::write(stage.path("wrong/finding.json"), record.to_string()).expect("a file");
}

/// The long commands, each with the first words of its progress line.
fn long_commands(stage: &Stage) -> Vec<(Vec<String>, &'static str)> {
    let liar = stage.solver("sat").replace('"', "");
    let line = |text: &str| text.split(' ').map(|word| word.replace("LIAR", &liar)).collect::<Vec<String>>();
    vec![
        (line("validate small.smt2 some.model"), "judging models"),
        (line("solve --exhaust small.smt2"), "trying assignments"),
        (
            line("reduce small.smt2 --check grep@-q@assert --restart").iter().map(|w| w.replace('@', " ")).collect(),
            "reducing",
        ),
        (line("experiment conform --solver builtin:sat --theory Core --count 50"), "Core"),
        (line("bisect small.smt2 --solver LIAR --wrong sat"), "running versions"),
        (line("explain wrong"), "explaining"),
        (line("compare small.smt2 --solver search --timeout 1s --out compared"), "measuring"),
        (line("solver install LIAR"), "installing"),
        (line("doctor"), "testing solvers"),
    ]
}

/// Runs a command line on its own terminal, by `script`, and returns the terminal's input. `None` without that program.
fn on_terminal(stage: &Stage, words: &[String], environment: &[(&str, &str)]) -> Option<String> {
    let probe = Command::new("script").args(["-qec", "true", "/dev/null"]).stdin(Stdio::null()).output();
    testing::require("script", probe.ok().filter(|output| output.status.success()))?;
    let quoted: Vec<String> = words.iter().map(|word| format!("'{word}'")).collect();
    let line = format!("stty rows 24 cols 100; '{}' {}", env!("CARGO_BIN_EXE_squall"), quoted.join(" "));
    let mut command = Command::new("script");
    command.args(["-qec", &line, "/dev/null"]).current_dir(stage.root.path()).stdin(Stdio::null());
    command.env("TERM", "xterm").env_remove("NO_COLOR").env("SQUALL_CACHE", stage.path("cache"));
    command.env("XDG_CONFIG_HOME", crate::support::configuration());
    let output = command.envs(environment.iter().copied()).output().expect("it runs");
    Some(String::from_utf8_lossy(&output.stdout).into_owned())
}

#[test]
fn a_terminal_shows_progress_and_removes_it() {
    let stage = stage();
    for (words, expect) in long_commands(&stage) {
        let Some(text) = on_terminal(&stage, &words, &[]) else { return };
        assert!(text.contains(expect), "{words:?}: {text:?}");
        // The final state of the terminal: every line after it was last cleared.
        let left = text.rsplit("\u{1b}[2K").next().unwrap_or_default();
        assert!(!left.contains('\u{2591}'), "{words:?}: no bar is left: {text:?}");
    }
}

#[test]
fn a_pipe_sees_no_progress() {
    let stage = stage();
    for (words, line) in long_commands(&stage) {
        let mut command = squall();
        command.args(&words).current_dir(stage.root.path()).env("SQUALL_CACHE", stage.path("cache"));
        let output = command.stdin(Stdio::null()).output().expect("it runs");
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!said.contains(['\u{1b}', '\r', '\u{2588}', '\u{2591}']), "{words:?}: {said:?}");
        assert!(line == "Core" || !said.contains(line), "{words:?}: {said:?}");
        assert!(!String::from_utf8_lossy(&output.stdout).contains('\u{1b}'), "{words:?}");
    }
}

/// `--color never` and `NO_COLOR` disable colours; `--color always` overrides the latter.
#[test]
fn colours_follow_the_options() {
    let stage = stage();
    let check = |line: &str, environment: &[(&str, &str)], expect: bool| {
        let words: Vec<String> = line.split(' ').map(str::to_string).collect();
        let Some(text) = on_terminal(&stage, &words, environment) else { return };
        assert_eq!(text.contains("\u{1b}["), expect, "{line} {environment:?}: {text:?}");
    };
    let no_color = [("NO_COLOR", "1")];
    for mistaken in ["solver which nosuch", "solver witch nosuch", "--help"] {
        check(mistaken, &[], true);
        check(mistaken, &no_color, false);
        check(mistaken, &[("NO_COLOR", "")], true);
        check(&format!("--color never {mistaken}"), &[], false);
        check(&format!("{mistaken} --color=never"), &[], false);
        check(&format!("--color always {mistaken}"), &no_color, true);
    }
    let piped = |choice: &str| {
        let output = squall().args(["solver", "which", "nosuch", "--color", choice]).output().expect("it runs");
        String::from_utf8_lossy(&output.stderr).contains("\u{1b}[")
    };
    assert_eq!(["auto", "always", "never"].map(piped), [false, true, false]);
}
