//! Libraries run by our launchers: started by the interpreter itself, also in installations of earlier versions.

use solver::cache::SolverCache;
use solver::install::{Fleet, InstalledSolver};
use solver::process::ProcessLimits;
use solver::profiles::Profiles;
use solver::series::ScriptSeries;
use solver::session::SessionNeeds;
use solver::sources::path::SearchPath;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

/// Makes a cache with a solver as left by an earlier version of the program, started by the Python at `python`.
fn cache(name: &str, python: &Path) -> tempfile::TempDir {
    let cache = tempfile::tempdir().unwrap();
    let folder = folder(cache.path(), name);
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("launcher.py"), "an old launcher").unwrap();
    let python = python.display();
    let manifest = format!(
        "name = '{name}'\nversion = '1.4.2'\norigin = 'a test'\ncommand = ['{python}', '-I', '-S', 'launcher.py', 'lib']\n\
         sha256 = ''\n"
    );
    fs::write(folder.join("install.toml"), manifest).unwrap();
    cache
}

fn folder(cache: &Path, name: &str) -> PathBuf {
    cache.join("solvers").join(format!("{name}@1.4.2"))
}

fn resolved(cache: &Path, name: &str) -> InstalledSolver {
    let fleet = Fleet::new(Profiles::embedded(), SolverCache::at(cache), SearchPath::new(Vec::new()));
    fleet.resolve(&format!("{name}@1.4.2").parse().unwrap()).unwrap()
}

/// Makes a script in front of an interpreter, like those of version managers on the search path.
fn script(folder: &Path, body: &str) -> PathBuf {
    let path = folder.join("python3");
    testing::executable(&path, &format!("#!/bin/sh\n{body}\n"));
    path
}

/// A program that reports its path as `/bin/sh`, like an interpreter.
const SAYS_SH: &str = "case \"$*\" in '-I -S -c import sys; print(sys.executable)') echo /bin/sh;; *) exit 9;; esac";

#[test]
fn a_script_before_the_interpreter_is_found_out_once() {
    // Bitwuzla took 97 ms of CPU per call, 73 of them in the version manager's script.
    for name in ["cvc5", "bitwuzla"] {
        let bin = tempfile::tempdir().unwrap();
        let python = script(bin.path(), SAYS_SH);
        let cache = cache(name, &python);
        assert_eq!(resolved(cache.path(), name).command[0], "/bin/sh");
        // It is recorded: the script is not asked again.
        fs::remove_file(&python).unwrap();
        assert_eq!(resolved(cache.path(), name).command[0], "/bin/sh");
        let launcher = fs::read_to_string(folder(cache.path(), name).join("launcher.py")).unwrap();
        assert!(launcher.contains("import gc"), "the launcher is this version's: {launcher}");
    }
}

#[test]
fn what_does_not_say_where_it_is_stays() {
    for body in ["echo nowhere", "echo /no/such/program", "exit 1", "echo /bin/sh; exit 1", "echo \"$0\""] {
        let bin = tempfile::tempdir().unwrap();
        let python = script(bin.path(), body);
        let cache = cache("cvc5", &python);
        let before = fs::read(folder(cache.path(), "cvc5").join("install.toml")).unwrap();
        assert_eq!(resolved(cache.path(), "cvc5").command[0], python.as_os_str(), "{body}");
        assert_eq!(fs::read(folder(cache.path(), "cvc5").join("install.toml")).unwrap(), before, "{body}");
    }
}

#[test]
fn programs_have_no_launcher_to_be_renewed() {
    let bin = tempfile::tempdir().unwrap();
    let python = script(bin.path(), SAYS_SH);
    let cache = cache("z3", &python);
    assert_eq!(resolved(cache.path(), "z3").command[0], python.as_os_str());
    let launcher = fs::read_to_string(folder(cache.path(), "z3").join("launcher.py")).unwrap();
    assert_eq!(launcher, "an old launcher");
}

#[test]
fn a_command_line_of_a_library_is_told_as_that_of_the_solver() {
    let check = |command: &str, expect: &str| {
        let words: Vec<String> = command.split(' ').map(str::to_string).collect();
        assert_eq!(solver::launcher::without_launcher(&words, "cvc5").join(" "), expect);
    };
    check(
        "/usr/bin/python3 -I -S /cache/cvc5@1.4.2/launcher.py /cache/cvc5@1.4.2/lib --strings-exp",
        "cvc5 --strings-exp",
    );
    check("python3 -I -S launcher.py lib", "cvc5");
    check("/usr/bin/cvc5 --strings-exp", "/usr/bin/cvc5 --strings-exp");
}

/// A check of a script in several cost two seconds each: the launcher read to the end of its input before it answered.
#[test]
fn a_library_answers_before_its_script_ends() {
    let installed = |name: &str| {
        let fleet = Fleet::of_user().ok()?;
        Some(fleet.solver(fleet.resolve(&name.parse().ok()?).ok()?))
    };
    for name in ["cvc5-gpl@1.4.2", "bitwuzla@0.10.0"] {
        let Some(solver) = testing::require(name, installed(name)) else { continue };
        let limits = ProcessLimits { wall: Duration::from_secs(20), ..ProcessLimits::default() };
        let mut series = ScriptSeries::new(solver, SessionNeeds::MODELS, limits);
        for _ in 0..2 {
            let first = "(set-option :produce-models true)(set-logic QF_BV)\n(declare-const x Bool) ; one (\n(assert x)\n(check-sat)";
            assert_eq!(series.script(first).expect("an answer").trim(), "sat", "{name}");
            assert!(series.more("(get-value (x))").expect("a value").contains("true"), "{name}");
            assert_eq!(series.more("(assert (not x))(check-sat)").expect("an answer").trim(), "unsat", "{name}");
        }
    }
}

#[test]
fn a_script_is_cut_where_its_commands_end() {
    // Pieces as they are written, and the parts after which more is written.
    let check = |pieces: &[(&str, &str)], last: &str| {
        let folder = tempfile::tempdir().unwrap();
        let program = folder.path().join("cut.py");
        let cut = include_str!("../../launchers/parts.py");
        fs::write(&program, format!("{cut}for text, number in parts():\n    print(number, text, flush=True)\n"))
            .unwrap();
        let mut python = Command::new("python3");
        let python = python.arg(&program).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
        let Some(mut python) = testing::require("python3", python.ok()) else { return };
        let mut input = python.stdin.take().unwrap();
        let mut lines = BufReader::new(python.stdout.take().unwrap()).lines();
        for (piece, expect) in pieces {
            input.write_all(piece.as_bytes()).unwrap();
            if !expect.is_empty() {
                assert_eq!(lines.next().unwrap().unwrap(), *expect);
            }
        }
        drop(input);
        assert_eq!(lines.next().unwrap().unwrap(), last);
        assert!(lines.next().is_none() && python.wait().unwrap().success());
    };
    check(&[("(a)(b (c))\n", "2 b'(a)(b (c))'"), ("(d", ""), (")", r"1 b'\n(d)'")], "None b''");
    // Parentheses in strings, in quoted names and in comments, also where these are cut.
    check(
        &[("(a \"(\" |)(|) ; )\n(b \"", r#"1 b'(a "(" |)(|)'"#), (")\"\")", ""), ("\")", r#"1 b' ; )\n(b ")"")")'"#)],
        "None b''",
    );
    check(&[("(a) ;", "1 b'(a)'"), (" (b)\n", ""), ("(c)", r"1 b' ; (b)\n(c)'"), (" d", "")], "None b' d'");
    // One too many ends a command, too, so that the mistake is answered.
    check(&[("(a))", "2 b'(a))'"), ("(b)", "1 b'(b)'")], "None b''");
}
