//! Recursive definitions that are not proven total, and witnesses that choose open values, in all commands.

use std::fs;
use std::path::{Path, PathBuf};

/// No function satisfies it.
const REFUTED: &str = "(define-fun-rec f ((x Int)) Int (+ (f x) 1))";
/// Whether a function satisfies it is not known here.
const OPEN: &str = "(define-fun-rec f ((x Int)) Int (f (- x 1)))";

/// Runs `squall` in a folder. Returns its exit code and all output.
fn run(folder: &Path, line: &str) -> (i32, String) {
    let mut command = crate::support::program();
    let output = command.args(line.split(' ')).current_dir(folder).output().expect("squall runs");
    let text = [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).concat();
    (output.status.code().unwrap_or(-1), text)
}

/// A folder with the script `p.smt2` and the stand-ins `sat` and `unsat`, which always give that answer.
fn place(script: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("p.smt2"), script).expect("a script");
    fs::write(folder.path().join("model"), "((define-fun p () Bool true))").expect("a model");
    for answer in ["sat", "unsat"] {
        let body = format!("#!/bin/sh\ngrep '^ *(check-sat' | while read -r line; do echo {answer}; done\n");
        testing::executable(&folder.path().join(answer), &body);
    }
    folder
}

/// Fuzzes with the script as a seed that is sent unchanged.
const FUZZ: &str = "fuzz p.smt2 --jobs 1 --units 2 --mutants 2 --reduce-share 0 --incremental off --out out --solver";

/// The findings that are the seed itself.
fn of_seed(out: &Path) -> Vec<PathBuf> {
    let all = fs::read_dir(out.join("findings")).into_iter().flatten().flatten().map(|entry| entry.path());
    let record = |folder: &PathBuf| fs::read_to_string(folder.join("finding.json")).unwrap_or_default();
    all.filter(|folder| record(folder).contains("\"origin\": \"seed\"")).collect()
}

#[test]
fn definitions_that_are_not_proven_total_certify_nothing() {
    let answers = [(REFUTED, "unsat", 0), (OPEN, "unknown", 11)];
    for (definition, answer, code) in answers {
        let script = format!("{definition}\n(declare-const p Bool)\n(assert p)\n(check-sat)\n");
        let folder = place(&script);
        let check = |line: &str, code: i32, expect: &str| {
            let (found, text) = run(folder.path(), line);
            assert_eq!((found, text.contains(expect)), (code, true), "{definition} {line}: {text}");
            assert!(!text.contains("certified:"), "{definition} {line}: {text}");
        };
        check("solve --exhaust p.smt2", code, answer);
        check("solve --own-engines p.smt2", code, answer);
        check("solve --strategy search p.smt2", 11, "not proven total");
        check("validate p.smt2 model", 11, "not proven total");
        for wrong in ["sat", "unsat"] {
            let other = if wrong == "sat" { "unsat" } else { "sat" };
            check(&format!("reduce p.smt2 --wrong {wrong} --solver ./{wrong} --trust ./{other}"), 1, "not show");
            check(&format!("bisect p.smt2 --wrong {wrong} --solver ./{wrong}"), 1, "not proven total");
            check(&format!("bisect p.smt2 --solver ./{wrong}"), 1, "not proven total");
            fs::write(folder.path().join("p.smt2"), format!("(set-info :status {other})\n{script}")).expect("a seed");
            let (found, text) = run(folder.path(), &format!("{FUZZ} ./{wrong}"));
            let out = folder.path().join("out");
            let findings = of_seed(&out).len();
            let list = fs::read_to_string(out.join("quarantine.json")).unwrap_or_default();
            let is_doubted = list.contains("p.smt2");
            assert_eq!((findings, is_doubted), (0, false), "{definition} {other}: {found} {text}");
            fs::remove_dir_all(out).expect("an output");
            fs::write(folder.path().join("p.smt2"), &script).expect("a script");
        }
    }
}

#[test]
fn a_witness_may_choose_values_left_open_by_the_standard() {
    let cases = [
        "(assert (= (fp.max (_ +zero 8 24) (_ -zero 8 24)) (_ +zero 8 24)))\n(check-sat)\n",
        "(assert (distinct (div 1 0) (div 2 0)))\n(check-sat)\n",
    ];
    for script in cases {
        let folder = place(script);
        let check = |line: &str, code: i32, expect: &str| {
            let (found, text) = run(folder.path(), line);
            assert_eq!((found, text.contains(expect)), (code, true), "{script} {line}: {text}");
        };
        check("solve --exhaust p.smt2", 0, "sat");
        check(
            "reduce p.smt2 --wrong unsat --solver ./unsat --out r.smt2",
            0,
            "chooses values that the standard leaves open",
        );
        check("bisect p.smt2 --wrong unsat --solver ./unsat", 10, "chooses values that the standard leaves open");
        fs::write(folder.path().join("p.smt2"), format!("(set-info :status sat)\n{script}")).expect("a seed");
        check(&format!("{FUZZ} ./unsat"), 10, "class A");
        let seed = of_seed(&folder.path().join("out")).pop().expect("a finding");
        assert!(seed.join("witness.smt2").exists(), "{script}");
        let record = fs::read_to_string(seed.join("finding.json")).expect("a record");
        assert!(record.contains("chooses a value that the standard leaves open"), "{record}");
        check(&format!("replay {}", seed.display()), 10, "leaves open");
    }
}
