//! Sessions that go on after an error: a solver that forgets something then is found, and one that goes on rightly is not.

use crate::support::{Run, Stage, record, squall};
use std::fs;

const PROFILE: &str = "name = \"going-on\"\nexecutables = [\"sh\"]\nreset-works = true\ncontinued-execution = true\n";

/// Prints an error for each marked command, at its line, and has our own solver answer the others. `$1` says what happens besides: the
/// command before a marked one is lost with it, or nothing.
const SOLVER: &str = r#"awk -v does="$1" '
    is_marked { is_marked = 0; print "(error \"line " NR " column 2: no\")"; fflush(); if (does == "forgets") line[last] = ""; next }
    /^\(set-info :squall-error / { is_marked = 1; next }
    /^\(assert/ { last = NR }
    { line[NR] = $0 }
    END { for (n = 1; n <= NR; n++) print line[n] | command; close(command) }
' command="$SQUALL solve - --own-engines""#;

#[test]
fn a_solver_that_forgets_an_assertion_after_an_error_is_found() {
    let check = |does: &str, expect: bool| {
        let stage = Stage::new(SOLVER);
        let profiles = stage.path("config/squall/solvers");
        fs::create_dir_all(&profiles).expect("a folder");
        fs::write(profiles.join("going-on.toml"), PROFILE).expect("a file");
        let more = [
            "--mutator",
            "finite",
            "--theory",
            "bv",
            "--mutants",
            "60",
            "--jobs",
            "1",
            "--reworded",
            "100",
            "--models",
            "0",
        ];
        let with = |command: &mut std::process::Command| {
            command.env("XDG_CONFIG_HOME", stage.path("config")).env("SQUALL", env!("CARGO_BIN_EXE_squall"));
        };
        let mut command = stage.command(&stage.solver(does), &more);
        with(&mut command);
        let run = Run::of(&mut command);
        assert_eq!(run.code, Some(if expect { 10 } else { 0 }), "{does}: {} {}", run.summary(), run.stderr);
        let mut by_errors = 0;
        for folder in stage.findings() {
            let finding = record(&folder);
            assert_eq!(finding["class"], "B", "{finding}");
            by_errors += u64::from(finding["mutator"]["parameters"]["reworded"] == "errors");
            let mut replay = squall();
            with(replay.arg("replay").arg(&folder));
            assert_eq!(replay.output().expect("it runs").status.code(), Some(10), "{finding}");
        }
        assert_eq!(by_errors, stage.findings().len() as u64, "{does}");
        let Some(folder) = stage.findings().into_iter().next() else { return };
        let mut reduce = squall();
        with(reduce.arg("reduce").arg(&folder).args(["--trust", "none", "--jobs", "1"]));
        assert_eq!(reduce.output().expect("it runs").status.code(), Some(0));
        let text = fs::read_to_string(folder.join("reduced.smt2")).expect("a file");
        assert_eq!(text.matches("(set-info :squall-error true)").count(), 1, "one error is enough: {text}");
    };
    check("forgets", true);
    check("goes-on", false);
}
