//! `squall experiment judge` end to end, with a wrong solver.

use crate::support::{ALWAYS, Stage, printed, squall};
use std::fs;

/// Answers `unsat` if it reads `xor`, and `sat` otherwise.
const WRONG: &str = r#"read_all=$(cat)
answer=sat
case "$read_all" in *xor*) answer=unsat;; esac
printf '%s\n' "$read_all" | grep -o '(check-sat' | while read -r l; do echo $answer; done
"#;

const SCRIPT: &str = "(set-logic QF_UF)(declare-const a Bool)(declare-const b Bool)(declare-const c Bool)\
    (assert (or a c b))(assert (=> c (or a (not b))))(assert (and (or a b c) (xor (and a (or b c)) (not (or a b)))))(check-sat)\n";

fn stage() -> Stage {
    let stage = Stage::new(WRONG);
    fs::write(stage.path("repaired.sh"), ALWAYS).expect("a file");
    fs::write(stage.path("big.smt2"), SCRIPT).expect("a file");
    stage
}

#[test]
fn a_candidate_is_judged() {
    let stage = stage();
    let small = |name: &str, body: &str| {
        let text = format!("(set-logic QF_UF)(declare-const p Bool)(declare-const q Bool){body}(check-sat)\n");
        fs::write(stage.path(name), text).expect("a file");
    };
    small("wrong.smt2", "(assert (xor p q))");
    small("right.smt2", "(assert (xor p p))");
    small("shallow.smt2", "(assert (or p q))");
    let solver = stage.solver("");
    let check = |candidate: &str, wrong: &[&str], code: i32, part: &str| {
        let mut command = squall();
        command.args(["experiment", "judge", "big.smt2", candidate, "--solver", solver.trim(), "--trust", "none"]);
        let (given, stdout, stderr) = printed(command.args(wrong).current_dir(stage.root.path()));
        assert_eq!(given, Some(code), "{candidate}: {stdout}{stderr}");
        assert!(stdout.contains(part) || stderr.contains(part), "{candidate}: {stdout}{stderr}");
    };
    let unsat = ["--wrong", "unsat"];
    check("wrong.smt2", &unsat, 10, "shown: ");
    check("right.smt2", &unsat, 0, "the truth is lost: ");
    check("shallow.smt2", &unsat, 0, "not shown: sat");
    check("wrong.smt2", &[], 1, "say how the solver is wrong");
    check("none.smt2", &unsat, 2, "none.smt2");
}
