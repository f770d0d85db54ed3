//! Maps of instrumented builds, `squall fuzz --focus` and `squall ci --changed` end to end, with a toy solver in a repository.
#![cfg(feature = "change")]

use crate::support::{Stage, printed, squall};
use std::fs;
use std::process::Command;
use testing::require;

/// A program with one function per keyword. It knows the problems of the preflight, and no others.
const TOY: &str = r#"#include <stdio.h>
#include <string.h>
#define CHECK "(check-sat"
static int wrong, ready, chosen, own;
static int has(const char *line, const char *word) {
  return strstr(line, word) != 0;
}
static void negation(const char *line) {
  (void)line;
}
static void choice(const char *line) {
  (void)line; chosen = 1;
}
static void idle(void) {
  puts("idle");
}
static void answer(void) {
  puts(wrong ? "unsat" : ready || chosen ? "sat" : "unknown");
}
int main(int argc, char **argv) {
  static char line[1 << 20];
  if (argc > 1 && strcmp(argv[1], "--version") == 0) { puts("toy version 1.2.0"); return 0; }
  while (fgets(line, sizeof line, stdin)) {
    if (has(line, "(reset)")) ready = wrong = chosen = own = 0;
    if (has(line, "(declare-fun q () Bool)")) ready = 1;
    if (has(line, "(not ")) negation(line);
    if (has(line, "(ite ")) choice(line);
    if (has(line, "nonsense-word")) idle();
    if (has(line, "(assert (> (ite (> x 1) x 0) 0))")) own = 1;
    if (has(line, CHECK)) answer();
    if (own && has(line, "(get-model)")) puts("((define-fun x () Int 2))");
    if (has(line, "(< x (- 77))")) wrong = 1;
    if (has(line, "(get-unsat-core)")) puts("(a b)");
    if (has(line, "(get-proof)")) puts("((step @p1 (= true true) :rule refl :args (true)))");
  }
  return 0;
}
"#;

/// A stage with a repository of the toy, its instrumented build before a change, and the builds before and after; the change replaces a
/// text. `None` if a tool is missing.
fn stage(from: &str, to: &str) -> Option<Stage> {
    stage_with(&[], from, to)
}

/// The same with further seeds.
fn stage_with(more: &[(&str, &str)], from: &str, to: &str) -> Option<Stage> {
    let has =
        |program: &str| Command::new(program).arg("--version").output().is_ok_and(|output| output.status.success());
    require("gcc", has("gcc").then_some(()))?;
    require("git", has("git").then_some(()))?;
    let stage = Stage::with_seeds("");
    let chosen = "(set-logic QF_LIA)(declare-const x Int)(assert (> (ite (> x 1) x 0) 0))(check-sat)";
    fs::write(stage.path("seeds/chosen.smt2"), chosen).expect("a file");
    for (name, text) in more {
        fs::write(stage.path(&format!("seeds/{name}.smt2")), text).expect("a file");
    }
    fs::create_dir(stage.path("src")).expect("a folder");
    let run = |program: &str, words: &[&str]| {
        let mut command = Command::new(program);
        command.args(words).current_dir(stage.root.path());
        for role in ["AUTHOR", "COMMITTER"] {
            command.env(format!("GIT_{role}_NAME"), "a").env(format!("GIT_{role}_EMAIL"), "a@b.c");
        }
        let output = command.output().expect("it runs");
        assert!(output.status.success(), "{words:?}: {}", String::from_utf8_lossy(&output.stderr));
    };
    run("git", &["init", "--quiet"]);
    fs::write(stage.path("src/toy.c"), TOY).expect("a file");
    run("git", &["add", "src"]);
    run("git", &["commit", "--quiet", "-m", "before"]);
    run("gcc", &["--coverage", "-o", "counted", "src/toy.c"]);
    run("gcc", &["-o", "before", "src/toy.c"]);
    assert!(TOY.contains(from), "{from}");
    fs::write(stage.path("src/toy.c"), TOY.replace(from, to)).expect("a file");
    run("git", &["commit", "--quiet", "-a", "-m", "after"]);
    run("gcc", &["-o", "after", "src/toy.c"]);
    let (code, stdout, stderr) = cover(&stage, &["seeds", "--solver", "./counted", "--map", "toy.map", "--per", "3"]);
    assert_eq!(code, Some(0), "{stdout}{stderr}");
    let seeds = 7 + more.len();
    assert!(stdout.starts_with(&format!("toy.map: 6 functions, 5 of them executed by {seeds} seeds")), "{stdout}");
    Some(stage)
}

fn cover(stage: &Stage, arguments: &[&str]) -> (Option<i32>, String, String) {
    printed(squall().args(["experiment", "cover"]).args(arguments).current_dir(stage.root.path()))
}

fn ci(stage: &Stage, arguments: &[&str]) -> (Option<i32>, String, String) {
    ci_of("./after", stage, arguments)
}

fn ci_of(solver: &str, stage: &Stage, arguments: &[&str]) -> (Option<i32>, String, String) {
    let words = ["ci", "seeds", "--solver", solver, "--map", "toy.map", "--for", "60s", "--reduce-for", "5s"];
    let mut command = squall();
    command.args(words).args(["--summary", "summary.md"]).args(arguments);
    command.args(["--", "--mutants", "60", "--jobs", "2", "--relations", "off"]);
    // The profile `prover` asks for proofs.
    let profiles = stage.path("config/squall/solvers");
    fs::create_dir_all(&profiles).expect("a folder");
    fs::write(profiles.join("prover.toml"), crate::proofs::PROFILE).expect("a file");
    printed(command.current_dir(stage.root.path()).env("XDG_CONFIG_HOME", stage.path("config")))
}

#[test]
fn a_map_says_what_executes_a_function() {
    let Some(stage) = stage("(void)line;", "(void)line; ") else { return };
    let first = fs::read(stage.path("toy.map")).expect("a map");
    assert!(!stage.path("toy.counters").exists());
    // Another map is the same; a map that is there is only completed.
    let again = cover(&stage, &["seeds", "--solver", "./counted", "--map", "again.map", "--per", "3"]);
    assert!(again.0 == Some(0) && fs::read(stage.path("again.map")).is_ok_and(|map| map == first), "{}", again.2);
    fs::write(stage.path("seeds/more.smt2"), "(declare-const p Bool)(assert (not p))(check-sat)").expect("a file");
    let more = cover(&stage, &["seeds", "--solver", "./counted", "--map", "toy.map", "--per", "3"]);
    assert!(more.1.contains("executed by 8 seeds"), "{}{}", more.1, more.2);
    let whole = cover(&stage, &["seeds", "--solver", "./counted", "--map", "whole.map", "--per", "3"]);
    assert_eq!(whole.0, Some(0), "{}", whole.2);
    let [grown, made] = ["toy.map", "whole.map"].map(|name| fs::read_to_string(stage.path(name)).expect("a map"));
    assert!(grown == made, "a map that grows is another than one made at once");
    let look = |place: &str, code: i32, parts: &[&str]| {
        let (got, stdout, stderr) = cover(&stage, &["--map", "toy.map", "--of", place]);
        assert_eq!(got, Some(code), "{place}: {stdout}{stderr}");
        let all = stdout + &stderr;
        assert!(parts.iter().all(|part| all.contains(part)), "{place}: {all}");
    };
    look("choice", 0, &["choice: 1 seed, ", "seed", "seeds/chosen.smt2"]);
    look("negation", 0, &["seeds/more.smt2"]);
    look("src/toy.c:12", 0, &["choice: 1 seed, "]);
    look("toy.c:9-14", 0, &["negation, choice: 2 seeds"]);
    look("idle", 11, &["No input of the map executes idle."]);
    look("nowhere", 11, &["the map has no function at 'nowhere'"]);
    let (code, _, stderr) = cover(&stage, &["--map", "src/toy.c", "--of", "main"]);
    assert!(code == Some(1) && stderr.contains("src/toy.c is not a map"), "{stderr}");
}

#[test]
fn a_campaign_uses_what_executes_its_focus() {
    let Some(stage) = stage("(void)line;", "(void)line; ") else { return };
    let fuzz = |places: &[&str]| {
        let mut command = squall();
        command.args(["fuzz", "seeds", "--solver", "./before", "--map", "toy.map", "--mutants", "40", "--plain"]);
        command.args(places.iter().flat_map(|place| ["--focus", place]));
        fs::remove_dir_all(stage.out()).unwrap_or_default();
        printed(command.arg("--out").arg(stage.out()).current_dir(stage.root.path()))
    };
    let (_, stdout, stderr) = fuzz(&["choice"]);
    assert!(stderr.contains("squall: focus on choice: 1 seed, "), "{stderr}");
    assert!((stdout + &stderr).contains("1 seed"), "{stderr}");
    let (_, _, stderr) = fuzz(&["idle", "nowhere"]);
    for part in ["no function at 'nowhere'", "no input of the map executes idle", "all are used"] {
        assert!(stderr.contains(part), "{stderr}");
    }
    let (code, _, stderr) = printed(squall().args(["fuzz", "--solver", "./before", "--focus", "choice"]));
    assert!(code == Some(2) && stderr.contains("--map <FILE>"), "{stderr}");
}

#[test]
fn a_change_is_fuzzed_by_what_executes_it() {
    let check = |from: &str, to: &str, code: i32, parts: &[&str]| {
        let Some(stage) = stage(from, to) else { return };
        let run = ci(&stage, &["--baseline", "./before", "--changed", "HEAD~1..HEAD"]);
        assert_eq!(run.0, Some(code), "{to}: {}{}", run.1, run.2);
        parts.iter().for_each(|part| assert!(run.1.contains(part), "{to}: {part}: {}", run.1));
        // What the builds answer differently is sent again by the campaign.
        let findings = fs::read_dir(stage.path("squall-ci/findings")).into_iter().flatten().flatten();
        let texts = findings.filter_map(|entry| fs::read_to_string(entry.path().join("finding.json")).ok());
        let is_kept = texts.into_iter().any(|text| text.contains("squall-ci/change/"));
        assert_eq!(is_kept, run.1.contains("  wrong answer: ") || run.1.contains("  wrong model: "), "{}", run.1);
        let summary = fs::read_to_string(stage.path("summary.md")).expect("a page");
        assert!(summary.contains("\n- HEAD\\~1..HEAD: "), "{summary}");
    };
    let (choice, wrong) = ("(void)line; chosen = 1;", "(void)line; wrong = 1;");
    // The seed with `ite`, and the mutants and problems with it, are satisfiable.
    check(
        choice,
        wrong,
        10,
        &[
            "HEAD~1..HEAD: 1 changed function, executed by 1 seed, ",
            "HEAD~1..HEAD",
            " 1 answered sat by one and unsat by the other, ",
            "  wrong answer: ",
            ": before sat, after unsat: ",
        ],
    );
    check(
        "x () Int 2",
        "x () Int 1",
        10,
        &["  wrong model: seeds/chosen.smt2: before no wrong model, after a model that contradicts "],
    );
    // What nothing executes is reached through its caller, and so is a macro.
    check(
        "puts(\"idle\")",
        "puts(\"idler\")",
        10,
        &["no input executes idle (src/toy.c) itself; its callers are used"],
    );
    check(
        "\"(check-sat\"\n",
        "\"(check-sat\" \n",
        10,
        &["no input executes CHECK (src/toy.c) itself; its callers are used"],
    );
    // Only data changes.
    check(
        "wrong, ready, chosen, own;",
        "ready, wrong, chosen, own;",
        10,
        &["not used: lines of src/toy.c outside functions", "all seeds and themes are used"],
    );
    // The build after lost an answer.
    let lost = "if (has(line, \"(ite \")) return 0;";
    check(
        "if (has(line, \"(ite \")) choice(line);",
        lost,
        11,
        &["  lost: seeds/chosen.smt2: before sat, after missing: "],
    );
}

const UNSATISFIABLE: &str = "(set-logic QF_LIA)(declare-const x Int)(assert (! (> (ite (> x 1) x 0) 4) :named a))\
    (assert (! (< x (- 77)) :named b))(check-sat)";

/// The build with counters also runs a sample: all 60 mutants. All that the campaign sends comes from what executes the change.
#[test]
fn the_mutants_that_execute_a_change_are_counted() {
    let Some(stage) = stage("(void)line; chosen = 1;", "(void)line; chosen = 2;") else { return };
    let count = |build: &str| ci(&stage, &["--changed", "HEAD~1..HEAD", "--counted", build]);
    let run = count("./counted");
    assert!(count("./counted").1.contains("and not counted: this run made no mutants"), "the campaign was complete");
    let told = run.1.lines().find(|line| line.contains("mutants executed the change")).unwrap_or_default();
    let words: Vec<&str> = told.split_whitespace().skip_while(|word| *word != "about").collect();
    let number = |at: usize| words.get(at).and_then(|word| word.parse::<u64>().ok()).unwrap_or(0);
    assert!(told.contains(" in a sample that ./counted@1.2.0 also ran"), "{}{}", run.1, run.2);
    assert!((20..=60).contains(&number(1)) && number(3) == 60 && number(8) == number(1) && number(10) == 60, "{told}");
    // Other sources at the same path: one crashes where it executes the change and leaves no counters, one lacks the function.
    let check = |from: &str, to: &str, part: &str| {
        fs::write(stage.path("src/toy.c"), TOY.replace(from, to)).expect("a file");
        let mut build = Command::new("gcc");
        build.args(["--coverage", "-o", "other", "src/toy.c"]).current_dir(stage.root.path());
        assert!(build.status().is_ok_and(|status| status.success()), "{to}");
        fs::remove_dir_all(stage.path("squall-ci")).expect("the campaign before");
        let run = count("./other");
        assert!(run.1.contains(part), "{to}: {}{}", run.1, run.2);
    };
    check("chosen = 1;", "__builtin_trap();", " also ran; ");
    check(
        "choice(",
        "option(",
        "60 mutants were tested, and not counted: ./other@1.2.0 has none of the changed functions",
    );
    let refused = count("./before");
    assert!(refused.0 == Some(2) && refused.2.contains("--counted ./before: "), "{}", refused.2);
}

/// No rule gives `false` without premises.
#[test]
fn a_proof_that_breaks_is_told() {
    let Some(stage) = stage_with(&[("proved", UNSATISFIABLE)], "(= true true) :rule", "false :rule") else { return };
    let run = ci_of("prover:./after", &stage, &["--baseline", "prover:./before", "--changed", "HEAD~1..HEAD"]);
    let told = "  broken proof: seeds/proved.smt2: before a proof without this fault, after refuted refl";
    assert!(run.1.contains(told), "{}{}", run.1, run.2);
}

/// The build before finds the core satisfiable that the build after gives.
#[test]
fn a_core_that_does_not_suffice_is_told() {
    let seed = UNSATISFIABLE;
    let Some(stage) = stage_with(&[("core", seed)], "\"(a b)\"", "\"(a)\"") else { return };
    let run = ci(&stage, &["--baseline", "./before", "--changed", "HEAD~1..HEAD"]);
    assert!(run.1.contains("  wrong core: seeds/core.smt2: before sat to the core alone"), "{}{}", run.1, run.2);
    let kept = fs::read_to_string(stage.path("squall-ci/change/000.smt2")).expect("the core");
    assert!(kept.contains("(ite (> x 1) x 0)") && !kept.contains("77"), "{kept}");
}

#[test]
fn mistakes_are_named() {
    let Some(stage) = stage("(void)line;", "(void)line; ") else { return };
    let check = |arguments: &[&str], code: i32, part: &str| {
        let run = ci(&stage, arguments);
        assert_eq!(run.0, Some(code), "{arguments:?}: {}{}", run.1, run.2);
        assert!(run.2.contains(part), "{arguments:?}: {}", run.2);
    };
    check(&["--changed", "HEAD"], 2, "'HEAD' is not a range of commits; write A..B");
    check(&["--changed", "nowhere..HEAD"], 2, "'nowhere' names no commit");
    check(&["--changed", "HEAD~1..HEAD", "--repo", "seeds/none"], 2, "there is no such folder");
    fs::write(stage.path("toy.map"), "{}").expect("a file");
    check(&["--changed", "HEAD~1..HEAD"], 1, "toy.map is not a map");
}

/// A folder that came with the repository, in which a script or its folder is a link.
#[test]
fn links_in_the_folder_of_differences_lead_nowhere() {
    let Some(stage) = stage("x () Int 2", "x () Int 1") else { return };
    let out = stage.path("squall-ci/change");
    fs::create_dir_all(&out).expect("a folder");
    fs::write(stage.path("victim"), "mine").expect("a file");
    std::os::unix::fs::symlink(stage.path("victim"), out.join("000.smt2")).expect("a link");
    let run = ci(&stage, &["--baseline", "./before", "--changed", "HEAD~1..HEAD"]);
    assert_eq!(run.0, Some(10), "{}{}", run.1, run.2);
    assert!(fs::read_to_string(out.join("000.smt2")).is_ok_and(|text| text.contains("(get-model)")));
    fs::remove_dir_all(stage.path("squall-ci")).expect("the campaign before");
    fs::create_dir(stage.path("squall-ci")).expect("a folder");
    fs::create_dir(stage.path("elsewhere")).expect("a folder");
    std::os::unix::fs::symlink(stage.path("elsewhere"), &out).expect("a link");
    let run = ci(&stage, &["--baseline", "./before", "--changed", "HEAD~1..HEAD"]);
    assert!(run.0 == Some(1) && run.2.contains("is a link"), "{}{}", run.1, run.2);
    assert_eq!(fs::read_to_string(stage.path("victim")).expect("the file"), "mine");
    assert_eq!(fs::read_dir(stage.path("elsewhere")).expect("the folder").count(), 0);
}
