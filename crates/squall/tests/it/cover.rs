//! `squall experiment cover` and `squall corpus distill --cover` end to end, with a toy solver that this machine's compilers instrument.

use crate::support::{Stage, printed, squall};
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::Command;
use testing::require;

/// A program with one function per keyword, which crashes at `die`.
const TOY: &str = r#"#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static int count;
static void negation(const char *line) {
  if (strstr(line, "(not "))
    count++;
}
static void choice(const char *line) {
  if (strstr(line, "(ite "))
    count++;
}
static void level(const char *line) {
  if (strstr(line, "(push "))
    count++;
}
static void sort(const char *line) {
  if (strstr(line, "(declare-datatype"))
    count++;
}
static void never(void) {
  puts("never");
}
int main(int argc, char **argv) {
  static char line[1 << 20];
  if (argc > 1 && strcmp(argv[1], "--version") == 0) { puts("toy version 1.2.0"); return 0; }
  while (fgets(line, sizeof line, stdin)) {
    negation(line);
    choice(line);
    level(line);
    sort(line);
    if (strstr(line, "die")) abort();
    if (strstr(line, "nonsense-word")) never();
    if (strstr(line, "(check-sat")) puts("unknown");
  }
  return 0;
}
"#;

/// A stage with seeds and the toy, compiled with these flags. `None` if the compiler is missing.
fn stage(compiler: &str, flags: &[&str]) -> Option<Stage> {
    let found = Command::new(compiler).arg("--version").output().is_ok_and(|output| output.status.success());
    require(compiler, found.then_some(()))?;
    let stage = Stage::with_seeds("");
    fs::write(stage.path("toy.c"), TOY).expect("a file");
    let is_map = flags.iter().any(|flag| flag.starts_with("-fsanitize-coverage"));
    let cc = |words: &[&str]| {
        let output = Command::new(compiler).args(words).current_dir(stage.root.path()).output().expect("it runs");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    };
    cc(&[flags, &["-c", "toy.c"]].concat());
    let mut link = [flags, &["-o", "toy", "toy.o"]].concat();
    if is_map {
        let runtime = squall().args(["experiment", "cover", "--runtime"]).arg(stage.path("runtime.c")).status();
        assert!(runtime.is_ok_and(|status| status.success()));
        cc(&["-c", "runtime.c"]);
        link.push("runtime.o");
    }
    cc(&link);
    Some(stage)
}

fn cover(stage: &Stage, arguments: &[&str]) -> (Option<i32>, String, String) {
    let mut command = squall();
    command.args(["experiment", "cover", "--seeds", "seeds", "--solver", "./toy", "--jobs", "2"]).args(arguments);
    printed(command.current_dir(stage.root.path()))
}

fn json(path: &Path) -> Value {
    serde_json::from_slice(&fs::read(path).expect("a file")).expect("JSON")
}

/// Returns a curve without the CPU time, which differs between runs.
fn curve(out: &Path) -> Vec<Vec<String>> {
    let text = fs::read_to_string(out.join("curve.csv")).expect("a file");
    let row = |line: &str| -> Vec<String> {
        line.split(',').enumerate().filter(|(at, _)| *at != 2).map(|(_, cell)| cell.to_string()).collect()
    };
    text.lines().map(row).collect()
}

#[test]
fn mutants_add_to_the_coverage_of_seeds_and_a_second_run_resumes() {
    let Some(stage) = stage("gcc", &["--coverage"]) else { return };
    let all = ["--mutants", "40", "--mutator", "storm", "--mutator", "finite"];
    let (code, stdout, stderr) = cover(&stage, &[&all[..], &["--out", "all"]].concat());
    assert_eq!(code, Some(0), "{stdout}{stderr}");
    let out = stage.path("all");
    let results = json(&out.join("results.json"));
    let lines = &results["gains"]["units"][0];
    assert_eq!(lines["unit"], "line");
    let gain = |arm: usize| lines["arms"][arm].as_u64().expect("a count");
    // Only mutants have negations, levels and datatypes; no script has the keyword of `never`.
    assert!(gain(0) >= 1 && gain(1) >= 2 && lines["together"].as_u64() >= Some(gain(1)), "{lines}");
    let functions = &results["gains"]["units"][1];
    assert_eq!((functions["all"].as_u64(), functions["seeds"].as_u64()), (Some(6), Some(5)), "{functions}");
    let gained = results["gains"]["functions"].as_array().expect("a list");
    assert!(gained.iter().any(|function| function["function"] == "negation"), "{gained:?}");
    assert!(gained.iter().all(|function| function["function"] != "never"), "{gained:?}");
    // The point of each step, and the sums on the screen.
    let curve_of_all = curve(&out);
    let scripts = |phase: &str| -> Vec<&str> {
        curve_of_all.iter().filter(|row| row[0] == phase).map(|row| row[1].as_str()).collect()
    };
    assert_eq!(scripts("seeds"), ["1", "2", "5", "6"]);
    assert_eq!(scripts("finite"), ["1", "2", "5", "10", "20", "40"]);
    assert!(stdout.contains(&format!("+{}", gain(0))) && stdout.contains("all/index.html"), "{stdout}");
    assert!(!out.join("counters").exists());
    let page = fs::read_to_string(out.join("index.html")).expect("a file");
    assert!(page.contains("toy@1.2.0</h1>") && page.contains("<svg") && page.contains(">negation"), "{page}");
    assert!(fs::read_to_string(out.join("functions.csv")).expect("a file").contains(",negation,"));

    // Fewer mutants, then a lost step, then all: the same curve in the end.
    let few = cover(&stage, &["--mutants", "5", "--mutator", "storm", "--out", "parts"]);
    assert_eq!(few.0, Some(0), "{}{}", few.1, few.2);
    fs::create_dir_all(stage.path("parts/counters")).expect("a folder");
    fs::write(stage.path("parts/counters/left"), "of a killed run").expect("a file");
    let parts = cover(&stage, &[&all[..], &["--out", "parts"]].concat());
    assert_eq!(parts.0, Some(0), "{}{}", parts.1, parts.2);
    assert_eq!(curve(&stage.path("parts")), curve_of_all);
    // Nothing runs again.
    fs::remove_file(stage.path("all/curve.csv")).expect("a file");
    let again = cover(&stage, &[&all[..], &["--out", "all"]].concat());
    assert_eq!((again.0, curve(&out)), (Some(0), curve_of_all));
    // Other conditions need another folder.
    let other = cover(&stage, &[&all[..], &["--out", "all", "--seed", "3"]].concat());
    assert_eq!(other.0, Some(1), "{}", other.2);
    assert!(other.2.contains("in which --seed differed; name another folder with --out"), "{}", other.2);
    let damaged = stage.path("all/phases/seeds.json");
    fs::write(&damaged, "{").expect("a file");
    let damaged = cover(&stage, &[&all[..], &["--out", "all"]].concat());
    assert!(damaged.0 == Some(1) && damaged.2.contains("seeds.json cannot be read; remove it"), "{}", damaged.2);
}

#[test]
fn crashed_runs_are_counted() {
    let Some(stage) = stage("gcc", &["--coverage"]) else { return };
    fs::write(stage.path("seeds/die.smt2"), "(declare-const die Bool)(assert die)(check-sat)").expect("a file");
    let (code, stdout, stderr) = cover(&stage, &["--mutants", "0", "--out", "out"]);
    assert_eq!(code, Some(0), "{stdout}{stderr}");
    let results = json(&stage.path("out/results.json"));
    let points = results["phases"][0]["points"].as_array().expect("points");
    let last = points.last().expect("a point");
    assert_eq!((last["scripts"].as_u64(), last["crashed"].as_u64()), (Some(7), Some(1)), "{last}");
    let kept: Vec<String> = fs::read_dir(stage.path("out/crashed"))
        .expect("a folder")
        .flatten()
        .map(|entry| fs::read_to_string(entry.path()).expect("a script"))
        .collect();
    assert!(matches!(&kept[..], [script] if script.contains("(assert die)")), "{kept:?}");
}

#[test]
fn a_map_of_edges_and_profiles_of_clang_are_read() {
    for flags in [&["-fsanitize-coverage=trace-pc-guard"][..], &["-fprofile-instr-generate", "-fcoverage-mapping"]] {
        let Some(stage) = stage("clang-19", flags) else { return };
        let run = cover(&stage, &["--mutants", "20", "--mutator", "finite", "--out", "out"]);
        assert_eq!(run.0, Some(0), "{flags:?}: {}{}", run.1, run.2);
        let results = json(&stage.path("out/results.json"));
        let gains = &results["gains"]["units"][0];
        assert!(gains["together"].as_u64() >= Some(1) && gains["seeds"].as_u64() >= Some(5), "{flags:?}: {gains}");
        // All is there, so only the run that lists the items is repeated.
        let again = cover(&stage, &["--mutants", "20", "--mutator", "finite", "--out", "out"]);
        assert_eq!((again.0, again.1), (Some(0), run.1), "{flags:?}: {}", again.2);
    }
}

#[test]
fn mistakes_are_named() {
    let Some(plain) = stage("gcc", &[]) else { return };
    let Some(counted) = stage("gcc", &["--coverage"]) else { return };
    let check = |stage: &Stage, arguments: &[&str], code: i32, part: &str| {
        let run = cover(stage, arguments);
        assert_eq!(run.0, Some(code), "{arguments:?}: {}{}", run.1, run.2);
        assert!(run.2.contains(part), "{arguments:?}: {}", run.2);
    };
    check(&plain, &["--out", "out"], 2, "toy is not instrumented; compile it with --coverage");
    check(&counted, &["nowhere", "--out", "out"], 2, "there is no 'nowhere'");
    check(&counted, &["--out", "out", "--mutator", "stormy"], 2, "there is no mutator 'stormy'");
    check(&counted, &["--out", "out", "--mutator", "storm", "--mutator", "storm"], 2, "--mutator storm is given twice");
    check(&counted, &["--runtime", "x.c"], 2, "cannot be used with");
    // Seeds without any mutants.
    fs::write(counted.path("seeds/s0.smt2"), "(check-sat)").expect("a file");
    (1..6).for_each(|n| fs::remove_file(counted.path(&format!("seeds/s{n}.smt2"))).expect("a file"));
    check(&counted, &["--out", "none", "--mutator", "storm"], 1, "storm makes no mutant");
    // The program was compiled again.
    fs::write(counted.path("seeds/s0.smt2"), "(declare-const p Bool)(assert p)(check-sat)").expect("a file");
    check(&counted, &["--out", "first", "--mutants", "2", "--mutator", "storm"], 0, "");
    fs::write(counted.path("toy.c"), TOY.replace("\"never\"", "\"ever\"")).expect("a file");
    let again =
        Command::new("gcc").args(["--coverage", "-o", "toy", "toy.c"]).current_dir(counted.root.path()).status();
    assert!(again.is_ok_and(|status| status.success()));
    check(&counted, &["--out", "first", "--mutants", "2"], 1, "in which the program differed");
}

#[test]
fn few_scripts_keep_the_coverage_of_many() {
    let Some(stage) = stage("gcc", &["--coverage"]) else { return };
    let make = |arguments: &[&str]| {
        let run = printed(squall().args(arguments).current_dir(stage.root.path()));
        assert_eq!(run.0, Some(0), "{arguments:?}: {}{}", run.1, run.2);
    };
    // The toy is taken for a solver of the standard's theories.
    make(&["mutate", "--worlds", "--theory", "mixed,datatypes", "--count", "30", "--out", "worlds"]);
    make(&["mutate", "seeds", "--mutator", "storm", "-n", "3", "--out", "mutants", "--witnesses"]);
    // Its own label is not trusted.
    let wrong = "(declare-const p Bool)\n(assert p)\n(set-info :status unsat)\n(check-sat)\n";
    fs::write(stage.path("worlds/wrong.smt2"), wrong).expect("a file");
    fs::write(stage.path("worlds/open.smt2"), "(declare-const x Int)(assert (> (* x x x) x))(check-sat)")
        .expect("a file");
    let distill = |arguments: &[&str]| {
        printed(squall().args(["corpus", "distill"]).args(arguments).current_dir(stage.root.path()))
    };
    let (code, stdout, stderr) = distill(&["mutants", "worlds", "--cover", "./toy", "--out", "suite"]);
    assert_eq!(code, Some(0), "{stdout}{stderr}");
    let manifest = json(&stage.path("suite/manifest.json"));
    let tests = manifest["tests"].as_array().expect("tests");
    assert!((1..8).contains(&tests.len()), "{stdout}");
    assert!(stdout.contains("execute everything:") && stdout.contains(" lines"), "{stdout}");
    assert!(stderr.contains("open.smt2: the right answer to its check 1 is not proven"), "{stderr}");
    assert!(!stderr.contains("worlds/wrong.smt2"), "{stderr}");
    assert!(!stage.path("suite/.counters").exists());
    // Witnesses prove the mutants, which are about all integers.
    assert!(!stderr.contains("mutants/"), "{stderr}");
    // The suite executes all that they do.
    let lines = |folder: &[&str], out: &str| {
        let solver = ["--solver", "./toy", "--mutants", "0", "--out", out];
        let run =
            printed(squall().args(["experiment", "cover"]).args(folder).args(solver).current_dir(stage.root.path()));
        assert_eq!(run.0, Some(0), "{}{}", run.1, run.2);
        json(&stage.path(out).join("results.json"))["gains"]["units"][0]["seeds"].as_u64().expect("a count")
    };
    fs::remove_file(stage.path("worlds/open.smt2")).expect("a file");
    fs::remove_dir_all(stage.path("suite/witnesses")).unwrap_or_default();
    assert_eq!(lines(&["suite"], "of-suite"), lines(&["mutants", "worlds"], "of-all"));
    let wrong = distill(&["nowhere", "--cover", "./toy", "--out", "none"]);
    assert!(wrong.0 == Some(2) && wrong.2.contains("nowhere"), "{}", wrong.2);
    let wrong = distill(&["worlds", "--cover", "/bin/sh", "--out", "none"]);
    assert!(wrong.0 == Some(2) && wrong.2.contains("is not instrumented"), "{}", wrong.2);
}
