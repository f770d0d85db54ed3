//! Small finite problems, from the command that writes them to findings that exhaustion certifies.

use std::fs;
use std::path::Path;

/// Answers `sat` to every check, or `unsat` if its name says so.
const SOLVER: &str = r#"answer=$1
read_all=$(cat)
printf '%s\n' "$read_all" | while IFS= read -r l; do case $l in '(check-sat'*) echo $answer;; esac; done
"#;

/// Runs `squall` in a folder. Returns its exit code and standard output.
fn run(folder: &Path, args: &[&str]) -> (i32, String) {
    let mut command = crate::support::program();
    let output = command.args(args).current_dir(folder).output().expect("squall runs");
    (output.status.code().unwrap_or(-1), String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Returns the answers in the output, and those of `:status`.
fn words<'t>(text: &'t str, before: &str) -> Vec<&'t str> {
    let word = |line: &'t str| line.strip_prefix(before).map(|rest| rest.trim_end_matches(')'));
    text.lines().filter_map(word).filter(|word| matches!(*word, "sat" | "unsat" | "unknown")).collect()
}

/// Themes whose problems are finite; planted polynomials are not.
const FINITE: &str = "strings,datatypes,arrays,ints,reals,fp,bv,uf,fp-bv,bv-int,sequences,sets,bags,mixed,scopes";

#[test]
fn written_problems_have_the_answers_that_exhaustion_gives() {
    let folder = tempfile::tempdir().unwrap();
    let (code, told) =
        run(folder.path(), &["mutate", "--worlds", "--theory", FINITE, "--count", "40", "--seed", "5", "--out", "w"]);
    assert_eq!(code, 0, "{told}");
    let files: Vec<_> = fs::read_dir(folder.path().join("w")).unwrap().map(|entry| entry.unwrap().path()).collect();
    assert_eq!(files.len(), 40);
    let mut seen = Vec::new();
    for file in &files {
        let text = fs::read_to_string(file).unwrap();
        let (code, answers) = run(folder.path(), &["solve", "--exhaust", &file.display().to_string()]);
        let expected = words(&text, "(set-info :status ");
        assert_eq!((code, words(&answers, "")), (0, expected.clone()), "{}\n{answers}", file.display());
        seen.extend(expected.into_iter().map(str::to_string));
    }
    assert!(seen.iter().any(|word| word == "sat") && seen.iter().any(|word| word == "unsat"));
    let (_, again) = run(
        folder.path(),
        &["mutate", "--worlds", "--theory", FINITE, "--count", "40", "--seed", "5", "--out", "again"],
    );
    assert_eq!(told.replace(" w:", ""), again.replace(" again:", ""), "the seed decides");
}

#[test]
fn worlds_that_are_infinite_or_too_large_are_rejected_with_their_size() {
    let folder = tempfile::tempdir().unwrap();
    let check = |text: &str, expect: &str| {
        fs::write(folder.path().join("p.smt2"), text).unwrap();
        let (code, told) = run(folder.path(), &["solve", "--exhaust", "p.smt2"]);
        assert_eq!((code, told.contains(expect)), (11, true), "{text}: {told}");
    };
    check("(declare-const i Int)(assert (> i 0))(check-sat)", "`i` of sort Int has");
    // This looks like a guard, but bounds nothing.
    check("(declare-const i Int)(assert (or (= i 0) (= i 1) (> i 5)))(check-sat)", "`i` of sort Int has");
    check("(declare-const b (_ BitVec 64))(assert (= b (bvnot b)))(check-sat)", "2^64");
    check(
        "(declare-const a (_ BitVec 16))(declare-const b (_ BitVec 16))(assert (= a (bvnot b)))(check-sat)",
        "4294967296 assignments",
    );
}

/// It said `sat` and nothing about objectives.
#[test]
fn exhaustion_finds_the_best_values_of_objectives() {
    let folder = tempfile::tempdir().unwrap();
    let check = |options: &str, objectives: &str, expect: &[&str]| {
        let text = format!(
            "{options}(declare-const i Int)(declare-const p Bool)(assert (and (<= 0 i 5) (or p (< i 3))))\
             (assert-soft (not p) :weight 2){objectives}(check-sat)"
        );
        fs::write(folder.path().join("p.smt2"), text).unwrap();
        let (code, told) = run(folder.path(), &["solve", "--exhaust", "p.smt2"]);
        assert!(code == 0 && expect.iter().all(|part| told.contains(part)), "{objectives}: {told}");
    };
    check("", "(maximize i)", &["sat\n; minimize ", ": 0.0\n; maximize i: 2\n", "(define-fun i () Int 2)"]);
    check("(set-option :opt.priority box)", "(maximize i)", &[": 0.0\n; maximize i: 5\n"]);
    check("", "(maximize (* i i))", &["sat\n; objectives: "]);
}

#[test]
fn wrong_answers_both_ways_are_findings_certified_by_exhaustion() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("solver.sh"), SOLVER).unwrap();
    for (answer, class) in [("sat", "B"), ("unsat", "A")] {
        let solver = format!("/bin/sh {} {answer}", folder.path().join("solver.sh").display());
        let out = format!("out-{answer}");
        let args = ["fuzz", "--solver", &solver, "--mutator", "finite", "--set", "theory=bv,ints", "--jobs", "1"];
        let rest = ["--units", "3", "--mutants", "30", "--seed", "2", "--out", &out, "--reduce-share", "0"];
        let (code, told) = run(folder.path(), &args.into_iter().chain(rest).collect::<Vec<_>>());
        assert_eq!(code, 10, "{told}");
        let found = fs::read_dir(folder.path().join(&out).join("findings")).unwrap();
        let found: Vec<_> = found.map(|entry| entry.unwrap().path()).collect();
        assert!(!found.is_empty(), "{told}");
        let (mut exhausted, mut first) = (0, None);
        for finding in &found {
            let record: serde_json::Value =
                serde_json::from_slice(&fs::read(finding.join("finding.json")).unwrap()).unwrap();
            assert_eq!(record["class"], class, "{record}");
            let id = record["id"].as_str().unwrap();
            assert!(id.contains("-finite-bv-") || id.contains("-finite-ints-"), "named after no seed: {id}");
            // A single satisfiable check has a witness.
            let is_exhausted = record["trust"]["kind"] == "exhausted";
            assert!(is_exhausted || class == "A" && record["trust"]["kind"] == "certified", "{record}");
            exhausted += usize::from(is_exhausted || class == "A");
            first = Some(finding.clone());
        }
        assert!(exhausted > 0, "{told}");
        let first = first.unwrap();
        let path = first.display().to_string();
        let (code, told) = run(folder.path(), &["replay", &path]);
        assert!(code == 10 && told.contains("=> reproduces"), "{told}");
        // A record with a simplified script no longer holds.
        let script = first.join("mutant.smt2");
        let text = fs::read_to_string(&script).unwrap();
        let other = if answer == "sat" { "(check-sat)\n" } else { "(assert false)\n(check-sat)\n" };
        fs::write(&script, other).unwrap();
        let (_, told) = run(folder.path(), &["replay", &path]);
        assert!(told.contains("DOES NOT HOLD") && told.contains("=> does not reproduce"), "{told}");
        fs::write(&script, text).unwrap();
        let (code, told) = run(folder.path(), &["reduce", &path]);
        assert_eq!(code, 0, "{told}");
        let (code, told) =
            run(folder.path(), &["solve", "--exhaust", &first.join("reduced.smt2").display().to_string()]);
        let right = if answer == "sat" { "unsat" } else { "sat" };
        assert!(code == 0 && told.lines().any(|line| line == right), "{told}");
    }
}
