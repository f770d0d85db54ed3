//! Defaults of `squall fuzz` in `squall.toml`: which file counts, what it may hold, and how the command line overrides it.

use crate::support::{Run, SEED, squall};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};

/// A folder with a seed, at which a search upwards ends.
fn folder() -> tempfile::TempDir {
    let root = tempfile::tempdir().expect("a folder");
    fs::create_dir_all(root.path().join("project/.git")).expect("a folder");
    fs::create_dir_all(root.path().join("project/deep/deeper")).expect("a folder");
    fs::write(root.path().join("project/seed.smt2"), SEED).expect("a file");
    root
}

/// Starts a campaign in a folder below `root`, with its own configuration folder of the user.
fn fuzz(root: &Path, place: &str, args: &[&str]) -> Run {
    let mut command = squall();
    command.args(["fuzz", "--format", "json"]).args(args).current_dir(root.join(place));
    Run::of(command.env("XDG_CONFIG_HOME", root.join("config")).env("HOME", root.join("project")))
}

fn put(root: &Path, file: &str, text: &str) -> PathBuf {
    let path = root.join(file);
    fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
    fs::write(&path, text).expect("a file");
    let allow =
        squall().env("XDG_CONFIG_HOME", root.join("config")).args(["setup", "config", "allow"]).arg(&path).status();
    assert!(allow.is_ok_and(|status| status.success()), "{file} is allowed");
    path
}

const PLAIN: &str = "mutator = \"storm\"\nmodels = 0\njobs = 1\nreduce-share = 0\n";

fn solvers(run: &Run) -> &Value {
    &run.events("started").first().unwrap_or_else(|| panic!("{}", run.stderr))["solvers"]
}

#[test]
fn defaults_apply_unless_the_command_line_overrides_them() {
    let root = folder();
    let check = |settings: &str, args: &[&str], mutants: u64, names: &[&str], told: &str| {
        put(root.path(), "project/squall.toml", &format!("[fuzz]\n{PLAIN}{settings}"));
        let _ = fs::remove_dir_all(root.path().join("project/squall-out"));
        let run = fuzz(root.path(), "project", args);
        // The answers `unknown` do not matter here.
        assert!(matches!(run.code, Some(0 | 11)), "{settings} {args:?}: {}", run.stderr);
        assert_eq!(run.number("mutants"), mutants, "{settings} {args:?}");
        assert_eq!(*solvers(&run), serde_json::json!(names), "{settings} {args:?}");
        let line = run.stderr.lines().find(|line| line.starts_with("defaults of squall.toml: "));
        assert!(line.is_some_and(|line| line.ends_with(told)), "{settings} {args:?}: {}", run.stderr);
    };
    let both = "solver = [\"builtin:sat\", \"builtin:unknown\"]\nmutants = 5\n";
    let all = "--jobs=1 --models=0 --mutants=5 --mutator=storm --reduce-share=0 --solver=builtin:sat";
    check("solver = \"builtin:sat\"\nmutants = 5\n", &["seed.smt2"], 5, &["builtin:sat"], all);
    check(
        both,
        &["seed.smt2"],
        5,
        &["builtin:sat", "builtin:unknown"],
        "--solver=builtin:sat --solver=builtin:unknown",
    );
    // A list on the command line replaces that of the file.
    let one = ["seed.smt2", "--solver", "builtin:sat"];
    check(both, &one, 5, &["builtin:sat"], "--jobs=1 --models=0 --mutants=5 --mutator=storm --reduce-share=0");
    check(both, &["seed.smt2", "--mutants=3"], 3, &["builtin:sat", "builtin:unknown"], "--solver=builtin:unknown");
    let seeds = "seeds = [\"seed.smt2\"]\nsolver = \"builtin:sat\"\nmutants = 2\n";
    check(seeds, &[], 2, &["builtin:sat"], "--reduce-share=0 seed.smt2 --solver=builtin:sat");
    check(seeds, &["./seed.smt2"], 2, &["builtin:sat"], "--reduce-share=0 --solver=builtin:sat");
    let flags = "no-batch = true\nbisect = false\nplain = true\nsolver = \"builtin:sat\"\nmutants = 2\n";
    check(flags, &["seed.smt2"], 2, &["builtin:sat"], "--no-batch --plain --reduce-share=0 --solver=builtin:sat");
}

#[test]
fn invalid_defaults_are_rejected_with_their_place() {
    let root = folder();
    let check = |settings: &str, expect: &[&str]| {
        put(root.path(), "project/squall.toml", &format!("# A comment.\n[fuzz]\nsolver = \"builtin:sat\"\n{settings}"));
        let run = fuzz(root.path(), "project", &["seed.smt2", "--mutants", "1"]);
        assert_eq!(run.code, Some(2), "{settings}: {}", run.stderr);
        let part = |part: &&&str| !run.stderr.contains(**part);
        assert_eq!(expect.iter().find(part), None, "{settings}: {}", run.stderr);
    };
    check("timeot = \"5s\"\n", &["squall.toml, line 4: 'timeot' of [fuzz]", "did you mean 'timeout'?"]);
    check(
        "\nperhaps = 1\n",
        &["line 5: 'perhaps' of [fuzz]", "it has seeds, solver, reference, corpus, mutator, theory-file, grade, "],
    );
    check("for = \"5 parsecs\"\n", &["line 4: 'for' of [fuzz]: invalid value '5 parsecs' for '--for <TIME>'"]);
    check("jobs = 0\n", &["'jobs' of [fuzz]", "0 is not in 1.."]);
    check("schedule = \"yeild\"\n", &["'schedule' of [fuzz]: invalid value 'yeild'"]);
    check("bisect = \"yes\"\n", &["'bisect' of [fuzz]: expected true or false"]);
    check("jobs = true\n", &["'jobs' of [fuzz]: expected a text or a number"]);
    check("out = [\"a\", \"b\"]\n", &["'out' of [fuzz]: expected one value, not a list"]);
    check("seed = 2026-01-01\n", &["'seed' of [fuzz]: expected a text or a number"]);
    check("seeds = [\"--plain\"]\n", &["'seeds' of [fuzz]: a path cannot begin with '-'"]);
    check("resume = \"out\"\n", &["'resume' of [fuzz]: it can have no default"]);
    check("help = true\n", &["'help' of [fuzz]: it can have no default"]);
    check("reference = \"z9\"\nmutators = \"storm\"\n", &["line 5: 'mutators'", "did you mean 'mutator'?"]);
}

#[test]
fn the_nearest_file_counts_and_then_that_of_the_user() {
    let root = folder();
    put(
        root.path(),
        "config/squall/squall.toml",
        &format!("[fuzz]\nsolver = \"builtin:unknown\"\nmutants = 7\n{PLAIN}"),
    );
    let run = |place: &str, seed: &str| fuzz(root.path(), place, &[seed]);
    let far = run("project/deep/deeper", "../../seed.smt2");
    assert_eq!((solvers(&far), far.number("mutants")), (&serde_json::json!(["builtin:unknown"]), 7), "{}", far.stderr);
    let file = put(
        root.path(),
        "project/squall.toml",
        "[fuzz]\nsolver = \"builtin:sat\"\nout = \"found\"\nseeds = \"seed.smt2\"\n",
    );
    let above = fuzz(root.path(), "project/deep/deeper", &[]);
    assert_eq!(
        (solvers(&above), above.number("mutants")),
        (&serde_json::json!(["builtin:sat"]), 7),
        "{}",
        above.stderr
    );
    // Paths are relative to the file's folder.
    let project = file.parent().expect("a folder");
    assert_eq!(above.events("started")[0]["out"], *project.join("found").to_string_lossy(), "{}", above.stderr);
    assert!(above.stderr.contains(&format!("defaults of {}: ", file.display())), "{}", above.stderr);
    assert!(above.stderr.contains("config/squall/squall.toml: --jobs=1"), "{}", above.stderr);
    // The search ends at the root of a repository.
    fs::create_dir(root.path().join("project/deep/.git")).expect("a folder");
    let inner = run("project/deep/deeper", "../../seed.smt2");
    assert_eq!(*solvers(&inner), serde_json::json!(["builtin:unknown"]), "{}", inner.stderr);
    put(root.path(), "project/deep/deeper/squall.toml", "[fuzz]\nmutants = 4\nout = \"here\"\n");
    let here = run("project/deep/deeper", "../../seed.smt2");
    assert_eq!(
        (here.number("mutants"), here.events("started")[0]["out"].as_str()),
        (4, Some("here")),
        "{}",
        here.stderr
    );
}

#[test]
fn programs_named_by_a_path_are_found_from_below_the_file() {
    let root = folder();
    let solver = root.path().join("project/bin/always sat");
    fs::create_dir_all(solver.parent().expect("a folder")).expect("a folder");
    testing::executable(
        &solver,
        "#!/bin/sh\ngrep -c '^(check-sat' | while read n; do seq $n | sed 's/.*/sat/'; done\n",
    );
    put(
        root.path(),
        "project/squall.toml",
        &format!("[fuzz]\nsolver = \"'./bin/always sat' -v\"\nmutants = 2\n{PLAIN}"),
    );
    let run = fuzz(root.path(), "project/deep", &["../seed.smt2"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert_eq!(run.number("mutants"), 2);
    let manifest = fs::read_to_string(root.path().join("project/deep/squall-out/campaign.json")).expect("a manifest");
    assert!(manifest.contains(&format!("\\\"{}\\\" -v", solver.display())), "{manifest}");
}

#[test]
fn a_campaign_resumes_as_it_was_started() {
    let root = folder();
    put(
        root.path(),
        "project/squall.toml",
        &format!("[fuzz]\nsolver = \"builtin:sat\"\nunits = 2\nout = \"out\"\n{PLAIN}"),
    );
    assert_eq!(fuzz(root.path(), "project", &["seed.smt2"]).code, Some(0));
    put(root.path(), "project/squall.toml", "[fuzz]\nsolver = \"builtin:unknown\"\nmutator = \"finite\"\nunits = 9\n");
    let resumed = fuzz(root.path(), "project", &["--resume", "out", "--units", "3"]);
    assert_eq!(
        (solvers(&resumed), resumed.number("units")),
        (&serde_json::json!(["builtin:sat"]), 3),
        "{}",
        resumed.stderr
    );
    assert!(!resumed.stderr.contains("defaults of"), "{}", resumed.stderr);
    // Even if the file is invalid by now, as other subcommands ignore it.
    put(root.path(), "project/squall.toml", "[fuzz]\nno-such = 1\n");
    assert_eq!(fuzz(root.path(), "project", &["--resume", "out", "--units", "4"]).code, Some(0));
    let check = squall().args(["check", "seed.smt2"]).current_dir(root.path().join("project")).status();
    assert!(check.is_ok_and(|status| status.success()));
}
