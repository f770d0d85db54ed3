//! `squall solve`, `apply`, `tactics`, `probes`: strategies from the command line, sessions on standard input.

use serde_json::{Value, json};
use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

const SAT: &str = "(set-logic QF_BV)(declare-const x (_ BitVec 8))(declare-const y (_ BitVec 8))\
    (assert (= (bvmul x x) (bvadd y #x01)))(assert (bvult y #x10))(assert (or (= x #x03) (= x #x05)))(check-sat)\n";
const UNSAT: &str =
    "(declare-const x Int)(declare-const y Int)(assert (< x y))(assert (> x 0))(assert (< y (+ x 1)))(check-sat)\n";

fn squall(arguments: &[&str], input: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_squall"));
    command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("it starts");
    // The test does not fail if the program ends before it has read everything.
    let _ = child.stdin.take().expect("it was asked for").write_all(input.as_bytes());
    child.wait_with_output().expect("it ends")
}

/// Runs on a file. Checks the exit code, and parts of standard output and of standard error.
fn check(problem: &str, arguments: &[&str], code: i32, out: &[&str], err: &[&str]) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("problem.smt2");
    std::fs::write(&file, problem).expect("a temporary file");
    let file = file.display().to_string();
    let arguments: Vec<&str> = arguments.iter().map(|a| if *a == "FILE" { file.as_str() } else { a }).collect();
    let output = squall(&arguments, "");
    let (stdout, stderr) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert_eq!(output.status.code(), Some(code), "{arguments:?}\n{stdout}\n{stderr}");
    for part in out {
        assert!(stdout.contains(part), "{part} is missing in {arguments:?}\n{stdout}\n{stderr}");
    }
    for part in err {
        assert!(stderr.contains(part), "{part} is missing on standard error in {arguments:?}\n{stdout}\n{stderr}");
    }
}

#[test]
fn an_unreadable_file_does_not_stop_the_others() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let files = [("a", SAT), ("b", "(assert nobody)(check-sat)"), ("c", UNSAT)].map(|(name, text)| {
        let file = folder.path().join(format!("{name}.smt2"));
        std::fs::write(&file, text).expect("a temporary file");
        file.display().to_string()
    });
    let output = squall(&["solve", &files[0], &files[1], &files[2]], "");
    let expect = format!("{}: sat\n{}: unsat\n", files[0], files[2]);
    assert_eq!(String::from_utf8_lossy(&output.stdout), expect);
    let words = String::from_utf8_lossy(&output.stderr);
    assert!(words.contains("b.smt2") && words.contains("nobody"), "{words}");
    assert_eq!(output.status.code(), Some(1));
}

#[test]
fn json_says_the_answer_on_whose_word_and_why_not() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let hard = "(declare-fun f (Int) Int)(assert (forall ((x Int)) (> (f (f x)) (* x x))))(check-sat)\n";
    for (name, text) in [("a", SAT), ("b", "(assert nobody)(check-sat)"), ("c", UNSAT), ("d", hard)] {
        std::fs::write(folder.path().join(format!("{name}.smt2")), text).expect("a temporary file");
    }
    let name = folder.path().display().to_string();
    let options = ["--own-engines", "--format", "json", "--model", "--core", "--timeout", "1s"];
    let run = |jobs: &str| {
        let output = squall(&[&["solve", &name, "--jobs", jobs][..], &options].concat(), "");
        assert_eq!(output.status.code(), Some(1), "{output:?}");
        let words = String::from_utf8_lossy(&output.stderr);
        assert!(words.contains("b.smt2") && words.contains("nobody"), "{words}");
        let lines = String::from_utf8_lossy(&output.stdout).into_owned();
        let mut rows: Vec<Value> =
            lines.lines().map(|line| serde_json::from_str(line).expect("one JSON object per line")).collect();
        rows.sort_by_key(|row| row["file"].to_string());
        rows
    };
    let rows = run("1");
    let told = |rows: &[Value]| {
        let one = |row: &Value| json!([row["answer"], row["trust"], row["check"], row["model"].is_string()]);
        rows.iter().map(one).collect::<Vec<_>>()
    };
    let expect =
        [json!(["sat", "checked", 1, true]), json!(["unsat", "own", 1, false]), json!(["unknown", null, 1, false])];
    assert_eq!(told(&rows), expect, "{rows:?}");
    assert!(rows[0]["steps"][0]["step"].is_string() && rows[0]["time_s"].is_f64(), "{}", rows[0]);
    assert_eq!(rows[1]["core"].as_array().map(Vec::len), Some(2), "{}", rows[1]);
    assert!(rows[2]["cause"].as_str().is_some_and(|cause| !cause.is_empty()), "{}", rows[2]);
    assert_eq!(told(&run("3")), expect, "the number of jobs changes no answer");
    // Responses of other commands were once lost.
    std::fs::remove_file(folder.path().join("b.smt2")).expect("a file");
    std::fs::write(folder.path().join("a.smt2"), "(declare-const x Int)(assert (= x 3))(check-sat)(get-value (x))")
        .expect("a file");
    let output = squall(&[&["solve", &format!("{name}/a.smt2")][..], &options].concat(), "");
    let rows = String::from_utf8_lossy(&output.stdout).into_owned();
    let rows: Vec<Value> = rows.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!((&rows[0]["answer"], &rows[1]["response"]), (&json!("sat"), &json!("((x 3))")), "{rows:?}");
}

#[test]
fn a_proof_is_written_for_each_check_that_is_refuted() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = |name: &str| folder.path().join(name).display().to_string();
    let (file, proof) = (path("problem.smt2"), path("p.proof"));
    let text = "(declare-const x (_ BitVec 2))(declare-const p Bool)
        (push 1)(assert (or (bvult x x) (and p (not p))))(check-sat)(pop 1)
        (assert (bvult x #b10))(check-sat)
        (assert (or (= x #b10) (= x #b11)))(check-sat-assuming (p))";
    std::fs::write(&file, text).expect("a temporary file");
    std::fs::write(&proof, "of another problem").expect("a temporary file");
    let strategy = "(then (or-else split-or skip) simplify sat)";
    let output = squall(&["solve", &file, "--strategy", strategy, "--proof", &proof], "");
    assert_eq!(String::from_utf8_lossy(&output.stdout), "unsat\nsat\nunsat\n");
    let words = String::from_utf8_lossy(&output.stderr);
    for part in ["no proof is written: check 2 is sat", "the proof of check 3 is in"] {
        assert!(words.contains(part), "{words}");
    }
    let read = |name: &str| std::fs::read_to_string(name).unwrap_or_default();
    for (name, assumptions) in [(proof.clone(), 1), (path("p.proof.3"), 2)] {
        let text = read(&name);
        assert!(text.starts_with("(\n") && text.contains(":rule cases"), "{text}");
        assert_eq!(text.matches("(assume ").count(), assumptions, "{text}");
        assert_eq!(text.matches("(assume-push ").count(), text.matches("(step-pop ").count(), "{text}");
    }
    assert!(!Path::new(&path("p.proof.2")).exists());
    // Nothing runs before the output is known to be writable.
    let output = squall(&["solve", &file, "--proof", &path("nowhere/p.proof")], "");
    let words = String::from_utf8_lossy(&output.stderr);
    assert!(output.stdout.is_empty() && words.contains("cannot write") && words.contains("nowhere"), "{words}");
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(squall(&["solve", "-", "--proof", &proof], text).status.code(), Some(2));
}

#[test]
fn a_proof_names_trusted_solvers() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let script = folder.path().join("solver.sh");
    std::fs::write(&script, "while read line; do case \"$line\" in *check-sat*) echo unsat;; esac; done\n")
        .expect("a temporary file");
    let proof = folder.path().join("p").display().to_string();
    let strategy = format!("(solver \"/bin/sh {}\")", script.display());
    check(UNSAT, &["solve", "FILE", "--strategy", &strategy, "--proof", &proof], 0, &["unsat"], &["unsat is trusted"]);
    let text = std::fs::read_to_string(&proof).unwrap_or_default();
    assert!(text.contains(" false :rule trust :premises (@p1 @p2 @p3) :args (\"/bin/sh\"))"), "{text}");
    // A refutation by the fuzzing solver is one claim.
    let never = "(declare-const p Bool)(assert (and p (not p)))(check-sat)";
    check(never, &["solve", "FILE", "--strategy", "search", "--proof", &proof], 0, &["unsat"], &[]);
    let text = std::fs::read_to_string(&proof).unwrap_or_default();
    assert!(text.ends_with("(step @p2 false :rule search :premises (@p1))\n)\n"), "{text}");
}

/// Three programs on two processors get two thirds of a processor each; the first one must not wait for the others.
#[test]
fn programs_beyond_the_processors_run_at_lower_priority() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let script = folder.path().join("solver.sh");
    std::fs::write(&script, "nice > \"$1\"; echo unknown\n").expect("a temporary file");
    let processors = std::thread::available_parallelism().expect("some").get();
    let told = |n: usize| folder.path().join(format!("told-{n}"));
    let solver = |n: usize| format!("(solver \"/bin/sh '{}' '{}'\")", script.display(), told(n).display());
    let all: Vec<String> = (0..=processors).map(solver).collect();
    check(SAT, &["solve", "FILE", "--strategy", &format!("(par-or {})", all.join(" "))], 11, &["unknown\n"], &[]);
    let number = |text: String| text.trim().parse::<i32>().expect("a number");
    let own = Command::new("nice").output().expect("it runs").stdout;
    let own = number(String::from_utf8_lossy(&own).into_owned());
    for n in 0..=processors {
        let lowered = number(std::fs::read_to_string(told(n)).expect("it was run")) - own;
        assert_eq!(lowered, if n < processors { 0 } else { 15.min(19 - own) }, "solver {n}");
    }
}

#[test]
fn files_are_solved_by_strategies() {
    check(SAT, &["solve", "FILE"], 0, &["sat\n"], &[]);
    check(SAT, &["solve", "FILE", "--model"], 0, &["sat\n(\n(define-fun x () (_ BitVec 8) "], &[]);
    let strategy = "(then simplify (or-else fail sat))";
    check(
        SAT,
        &["solve", "FILE", "--strategy", strategy, "--explain"],
        0,
        &["sat\n"],
        &["or-else 3/", "fail 3/", "sat by sat"],
    );
    check(UNSAT, &["solve", "FILE", "--core"], 0, &["unsat\n(\n(< x y)\n(< y (+ x 1))\n)"], &[]);
    check(UNSAT, &["solve", "FILE", "--explain"], 0, &["unsat\n"], &["unsat by"]);
    check(SAT, &["solve", "FILE", "--strategy", "simplify"], 11, &["unknown\n"], &["leaves a subgoal open"]);
    check(SAT, &["solve", "FILE", "--strategy", "search", "--stats"], 0, &["sat\n"], &["executions"]);
    let using = SAT.replace("(check-sat)", "(check-sat-using (then simplify sat))(check-sat-using fail)");
    check(&using, &["solve", "FILE"], 11, &["sat\nunknown\n"], &[]);
    check(SAT, &["solve", "FILE", "--strategy", "(nice sat 5)"], 0, &["sat\n"], &[]);
    check(SAT, &["solve", "FILE", "--with", "builtin:unknown"], 0, &["sat\n"], &[]);
}

/// `(h 1)` of a function as a value once was sent to z3 as `(_ h 1)`, which has another meaning, so this was `unsat`.
#[test]
fn functions_as_values_are_solved() {
    let text = "(declare-const h (-> Bool Bool))(assert (distinct (h true) (h false)))(check-sat)
        (push 1)(assert (forall ((x Bool)) (h x)))(check-sat)(pop 1)(reset)
        (declare-tactic t (then simplify exhaust))(declare-fun f (Bool) Bool)(declare-fun f (Bool Bool) Bool)
        (assert (f true))(assert (not (f true true)))(check-sat-using t)";
    check(text, &["solve", "FILE", "--own-engines"], 0, &["sat\nunsat\nsat\n"], &[]);
}

#[test]
fn strategies_come_from_files_and_settings() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("mine.strategy");
    std::fs::write(&file, "; simplifies first\n(then simplify\n  sat)\n").expect("a temporary file");
    check(SAT, &["solve", "FILE", "--strategy", &file.display().to_string()], 0, &["sat\n"], &[]);
    std::fs::write(&file, "(then simplify\n  satt)\n").expect("a temporary file");
    check(SAT, &["solve", "FILE", "--strategy", &file.display().to_string()], 1, &[], &["mine.strategy:2:3", "`sat`"]);
    std::fs::write(folder.path().join("squall.toml"), "[strategy]\nquick = \"(then simplify sat)\"\n")
        .expect("a temporary file");
    std::fs::write(folder.path().join("p.smt2"), SAT).expect("a temporary file");
    let output = Command::new(env!("CARGO_BIN_EXE_squall"))
        .args(["solve", "p.smt2", "--config", "squall.toml", "--strategy", "(or-else quick fail)"])
        .current_dir(folder.path())
        .output()
        .expect("it runs");
    assert_eq!(String::from_utf8_lossy(&output.stdout), "sat\n", "{}", String::from_utf8_lossy(&output.stderr));
    // A strategy with the name of a default replaces it.
    for (name, expect) in [("qfbv", "unknown\n"), ("default", "unknown\n"), ("qflra", "sat\n")] {
        let text = format!("[strategy]\n{name} = \"fail\"\n");
        std::fs::write(folder.path().join("squall.toml"), text).expect("a temporary file");
        let output = Command::new(env!("CARGO_BIN_EXE_squall"))
            .args(["solve", "p.smt2", "--config", "squall.toml"])
            .current_dir(folder.path())
            .output()
            .expect("it runs");
        assert_eq!(String::from_utf8_lossy(&output.stdout), expect, "{name}");
    }
}

/// Elsewhere, too, `default` is the default of the goal's logic.
#[test]
fn default_depends_on_the_logic() {
    let problem = "(declare-const x Int)(declare-const y Int)(assert (= (* x y) 35))(assert (< 5 x 7))(check-sat)";
    let explained = ["solve", "FILE", "--strategy", "(then simplify default)", "--explain"];
    check(problem, &explained, 0, &["unsat\n"], &["is-qfnia", "propagate-values"]);
    check(
        "(declare-const x Int)(declare-const y Int)(assert (= (* x y) 35))(assert (< 5 x y))(check-sat)",
        &["solve", "FILE", "--strategy", "default"],
        0,
        &["unsat\n"],
        &[],
    );
}

#[test]
fn mistakes_in_named_strategies_are_reported_with_their_place() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    std::fs::write(folder.path().join("p.smt2"), SAT).expect("a temporary file");
    let check = |settings: &str, words: &[&str]| {
        std::fs::write(folder.path().join("squall.toml"), settings).expect("a temporary file");
        let mut command = Command::new(env!("CARGO_BIN_EXE_squall"));
        command.args(["solve", "p.smt2", "--config", "squall.toml", "--strategy", "smt"]).current_dir(folder.path());
        let output = command.output().expect("it runs");
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{settings}\n{stderr}");
        words.iter().for_each(|word| assert!(stderr.contains(word), "{word} is missing in\n{stderr}"));
    };
    check(
        "[strategy]\nfast = \"smt\"\nmine = \"(then simplfy smt)\"\n",
        &["squall.toml:3:15: error: in the strategy `mine`: there is no tactic `simplfy`", "`simplify`", "^^^^^^^"],
    );
    check("[strategy]\nmine = \"\"\"\n(then\n  smtt)\"\"\"\n", &["squall.toml:4:3: error: ", "`smtt`"]);
    check("[strategy]\nmine = \"(then\\n smtt)\"\n", &["squall.toml:2: error: in the strategy `mine`", "`smtt`"]);
    check("[strategy]\na = \"b\"\nb = \"(then a)\"\n", &["squall.toml:2: error: ", "`a` -> `b` -> `a`"]);
    check(
        "\n[strategy]\nsmt = \"sat\"\n",
        &["squall.toml:3: error: ", "has the name of a tactic; choose another name"],
    );
    check("[strategy]\n\"a b\" = \"sat\"\n", &["squall.toml:2: error: `a b` cannot name a strategy"]);
    check("[strategy]\nmine = 3\n", &["squall.toml", "line 2", "string"]);
    check("[strategies]\nmine = \"smt\"\n", &["squall.toml", "`strategies`", "`strategy`"]);
}

#[test]
fn goals_are_written_as_clauses_and_circuits() {
    let bits = "(then simplify bit-blast)";
    check(
        SAT,
        &["strategy", "apply", bits, "FILE", "--format", "dimacs"],
        0,
        &["c symbol x (_ BitVec 8) = ", "\np cnf "],
        &[],
    );
    check(SAT, &["strategy", "apply", bits, "FILE", "--format", "smt2"], 0, &["(set-logic QF_UF)", "bit!0"], &[]);
    check(
        SAT,
        &["strategy", "apply", "skip", "FILE", "--format", "dimacs", "--max-gates", "50"],
        11,
        &[],
        &["skip failed: goal 1 of 1 is no circuit: the circuit would have more than 50 gates"],
    );
    check(
        UNSAT,
        &["strategy", "apply", "skip", "FILE", "--format", "dimacs"],
        11,
        &[],
        &["outside propositional logic", "eliminate it first"],
    );
    check(SAT, &["strategy", "apply", "skip", "FILE", "--format", "cnf"], 2, &[], &["smt2", "dimacs"]);
    check(
        SAT,
        &["strategy", "apply", "skip", "FILE", "--format", "dimacs", "--max-gates", "0"],
        2,
        &[],
        &["1..=1073741824"],
    );
    let several = ["strategy", "apply", "(then simplify split-or)", "FILE", "--format", "dimacs"];
    check(SAT, &several, 1, &[], &["leaves 2 goals", "--out"]);
    let folder = tempfile::tempdir().expect("a temporary folder");
    let out = folder.path().display().to_string();
    check(SAT, &[&several[..], &["--out", &out]].concat(), 0, &[], &[]);
    for n in 1..=2 {
        let text = std::fs::read_to_string(folder.path().join(format!("goal-{n}.cnf"))).expect("it is written");
        assert!(text.starts_with(&format!("c goal {n} of 2: exact")), "{text}");
    }
}

#[test]
fn own_programs_and_rules_are_steps() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let rules = folder.path().join("mine.rules");
    std::fs::write(&rules, "(rule twice ((n Width) (x (_ BitVec n))) (bvadd x x) (bvmul (_ bv2 n) x))\n")
        .expect("a temporary file");
    let strategy = format!("(then (rules \"{}\") sat)", rules.display());
    // At one bit there is no 2.
    check(SAT, &["solve", "FILE", "--strategy", &strategy, "--explain"], 0, &["sat\n"], &["(rules \""]);
    std::fs::write(&rules, "(rule twice ((n Width) (x (_ BitVec n))) (bvadd x x) x)\n").expect("a temporary file");
    check(
        SAT,
        &["solve", "FILE", "--strategy", &strategy],
        2,
        &[],
        &[
            "mine.rules:1:7: error: the rule `twice` is wrong at n = 1: with x = #b1, the left side is #b0, the right side #b1",
        ],
    );
    check(
        SAT,
        &["strategy", "apply", "exec:cat >/dev/null; echo '(goals (goal (bvult x y)))'", "FILE"],
        0,
        &["(assert (bvult x y))"],
        &[],
    );
    let said = ["; trusted: exec:cat"];
    check(SAT, &["strategy", "apply", "exec:cat >/dev/null; echo '(goals (goal (bvult x y)))'", "FILE"], 0, &said, &[]);
    check(
        SAT,
        &["strategy", "apply", "exec:exit 3", "FILE"],
        11,
        &[],
        &["exec:exit 3 failed: exec:exit 3 ended with exit code 3"],
    );
    check(SAT, &["strategy", "apply", "exec: ", "FILE"], 2, &[], &["names no program", "exec:python3"]);
    check(
        UNSAT,
        &["solve", "FILE", "--strategy", "(exec \"cat >/dev/null; echo '(goals (goal false))'\")"],
        0,
        &["unsat\n"],
        &["unsat is trusted: exec:cat"],
    );
}

#[test]
fn mistakes_in_strategies_are_shown() {
    check(
        SAT,
        &["solve", "FILE", "--strategy", "(then simplfy sat)"],
        2,
        &[],
        &["STRATEGY:1:7", "simplfy", "^^^^^^^", "`simplify`"],
    );
    check(SAT, &["solve", "FILE", "--strategy", "(when num-consts sat)"], 2, &[], &["is a number"]);
    check(
        SAT,
        &["solve", "FILE", "--strategy", "(solver no-such-solver)"],
        2,
        &[],
        &["cannot use the solver `no-such-solver`"],
    );
    check(SAT, &["solve", "FILE", "--strategy", "(using-params sat :max-gates x)"], 2, &[], &["a number", "`x`"]);
    check(SAT, &["solve", "FILE", "--check", "nosuch"], 2, &[], &["nosuch"]);
    check(SAT, &["strategy", "apply", "(! solve-eqs :encodings true)", "FILE"], 2, &[], &["is a number"]);
    // Such a number once was reported as not a number.
    let large = "(! solve-eqs :encodings 99999999999999999999999)";
    check(SAT, &["strategy", "apply", large, "FILE"], 2, &[], &["is at most 18446744073709551615", "is more"]);
    check(SAT, &["solve", "FILE", "--strategy", "(nice sat 20)"], 2, &[], &["lowered by 20", "from 1 to 19"]);
    check(SAT, &["solve", "FILE", "--with", "no-such-solver"], 2, &[], &["no-such-solver"]);
    check(SAT, &["strategy", "tactics", "simplfy"], 2, &[], &["`simplify`"]);
}

#[test]
fn goals_of_a_tactic_are_printed() {
    check(
        SAT,
        &["strategy", "apply", "simplify", "FILE"],
        0,
        &["; goal 1 of 1: exact, depth 1", "(assert (or (= x #x03) (= x #x05)))"],
        &[],
    );
    check(UNSAT, &["strategy", "apply", "(then simplify smt)", "FILE"], 0, &["(assert false)"], &[]);
    check(SAT, &["strategy", "apply", "fail", "FILE"], 11, &[], &["fail failed"]);
    check("", &["strategy", "tactics"], 0, &["simplify", "solve-eqs", "(solver SPEC)"], &[]);
    check("", &["strategy", "tactics", "simplify"], 0, &["before:", "after:"], &[]);
    check("", &["strategy", "tactics", "--defaults"], 0, &["QF_BV", "ALL"], &[]);
    check("", &["strategy", "probes"], 0, &["is-qfbv", "bw"], &[]);
}

#[test]
fn the_server_answers_every_command() {
    let input = "(set-option :print-success true)\n(declare-const x Int)\n(push 1)\n(assert (> x 3))\n(check-sat)\n\
                 (get-value (x))\n(pop 1)\n(assert (and (> x 3) (< x 4)))\n(check-sat)\n(foo)\n(echo \"a)b\")(exit)\n(check-sat)\n";
    let output = squall(&["solve", "-"], input);
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(&lines[..5], ["success", "success", "success", "success", "sat"], "{text}");
    assert!(lines[5].starts_with("((x "), "{text}");
    assert_eq!(&lines[6..9], ["success", "success", "unsat"], "{text}");
    assert!(lines[9].starts_with("(error \"") && lines[9].contains("foo"), "{text}");
    assert_eq!(&lines[10..], ["\"a)b\"", "success"], "{text}");
}

/// The session of pysmt's generic solver with an SMT-LIB process.
const PYSMT: &str = r#"
import sys
from pysmt.shortcuts import *
from pysmt.logics import QF_LIA, QF_BV, QF_LRA
get_env().factory.add_generic_solver("squall", [sys.argv[1], "solve", "-"], [QF_LIA, QF_BV, QF_LRA])

def values(s, *symbols):
    found = [s.get_py_value(v) for v in symbols]
    # pysmt leaves the end of the line behind a value unread, whatever solver it talks to.
    s.solver_stdout.readline()
    return found

x, y = Symbol("x", INT), Symbol("y", INT)
with Solver(name="squall", logic=QF_LIA) as s:
    s.add_assertion(And(GT(x, Int(3)), LT(x, y)))
    assert s.solve()
    a, b = values(s, x, y)
    assert 3 < a < b
    s.push()
    s.add_assertion(LT(y, Int(4)))
    assert not s.solve()
    s.pop()
    assert s.solve()
    m = s.get_model()
    assert 3 < m.get_py_value(x) < m.get_py_value(y)
b = Symbol("b", BVType(8))
with Solver(name="squall", logic=QF_BV) as s:
    s.add_assertion(Equals(BVMul(b, b), BV(25, 8)))
    assert s.solve()
    [v] = values(s, b)
    assert (v * v) % 256 == 25
    s.push()
    s.add_assertion(BVULT(b, BV(5, 8)))
    assert not s.solve()
    s.pop()
    assert s.solve()
r = Symbol("r", REAL)
with Solver(name="squall", logic=QF_LRA) as s:
    s.add_assertion(And(GT(Times(Real(3), r), Real(1)), LT(Times(Real(2), r), Real(1))))
    assert s.solve()
    [v] = values(s, r)
    assert 3 * v > 1 and 2 * v < 1
    s.add_assertion(Equals(r, Real(1)))
    assert not s.solve()
print("all is well")
"#;

#[test]
fn pysmt_solves_through_the_server() {
    let there = Command::new("python3").args(["-c", "import pysmt"]).output();
    if testing::require("pysmt", there.ok().filter(|output| output.status.success())).is_none() {
        return;
    }
    let binary = Path::new(env!("CARGO_BIN_EXE_squall"));
    let output = Command::new("python3").arg("-c").arg(PYSMT).arg(binary).output().expect("python starts");
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(text.contains("all is well"), "{text}\n{}", String::from_utf8_lossy(&output.stderr));
}

/// Goals decided only by a program once were printed as decided without a mark.
#[test]
fn goals_that_a_program_decides_are_marked_as_trusted() {
    check(
        SAT,
        &["strategy", "apply", "(solver \"/bin/echo unsat\")", "FILE"],
        0,
        &["; trusted: /bin/echo", "(assert false)"],
        &[],
    );
    check(SAT, &["strategy", "apply", "(then simplify search)", "FILE"], 0, &["goal 1 of 1"], &[]);
}

#[test]
fn a_file_that_is_not_text_is_named() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("binary.smt2");
    std::fs::write(&file, b"(assert \xff)").expect("a temporary file");
    let output = squall(&["solve", &file.display().to_string()], "");
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("binary.smt2: the text is not UTF-8"));
}

/// Installed solvers run where our own engines have no answer, which `--explain` shows.
#[test]
fn installed_solvers_run_after_our_own_engines() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let told = folder.path().join("asked");
    let z3 = format!(
        "#!/bin/sh\n[ \"$1\" = --version ] && echo 'Z3 version 4.13.0 - 64 bit' && exit\necho > {}\necho unsat\n",
        told.display()
    );
    testing::executable(&folder.path().join("z3"), &z3);
    let solve = |script: &str, more: &[&str]| {
        let file = folder.path().join("problem.smt2");
        std::fs::write(&file, script).expect("a temporary file");
        let _ = std::fs::remove_file(&told);
        let mut command = crate::support::squall();
        command.env("PATH", folder.path()).arg("solve").arg(&file).args(["--timeout", "20s"]).args(more);
        let (code, out, err) = crate::support::printed(&mut command);
        (code, out, err, told.exists())
    };
    let strings = "(declare-const s String)(assert (= (str.++ s \"a\") (str.++ \"b\" s)))(check-sat)";
    let (code, out, err, asked) = solve(strings, &["--explain"]);
    assert_eq!((code, out.as_str(), asked), (Some(0), "unsat\n", true), "{err}");
    assert!(err.contains("unsat is trusted: z3") && err.contains("then ran: (solver z3)"), "{err}");
    let (code, out, _, asked) = solve(strings, &["--own-engines"]);
    assert_eq!((code, out.as_str(), asked), (Some(11), "unknown\n", false));
    // Without an answer, the output once did not mention the solvers that had run.
    testing::executable(&folder.path().join("z3"), &z3.replace("echo unsat", "echo unknown"));
    let (code, out, err, asked) = solve(&format!("{strings}(get-info :reason-unknown)"), &["--explain"]);
    assert_eq!((code, asked), (Some(11), true), "{err}");
    for said in [&err, &out] {
        let words = "no engine of the strategy takes strings; asked: our own engines for ";
        assert!(
            said.contains(words) && said.contains(" s, z3@4.13.0 for ") && said.contains(" s (says unknown)"),
            "{said}"
        );
    }
    assert!(err.contains("\nasked: z3@4.13.0 for "), "{err}");
    // The user's choice of solvers has priority.
    let (code, _, _, asked) = solve(strings, &["--strategy", "smt"]);
    assert_eq!((code, asked), (Some(11), false));
    let (code, out, _, asked) = solve("(declare-const p Bool)(assert p)(check-sat)", &[]);
    assert_eq!((code, out.as_str(), asked), (Some(0), "sat\n", false));
}

/// The reason for `unknown` once was the last engine's ("no linear constraint"), even for a problem of strings.
#[test]
fn reasons_of_unknown_name_the_feature_that_no_engine_takes() {
    let by = |strategy: &[&str], script: &str, expect: &str| {
        let script = format!("{script}(check-sat)(get-info :reason-unknown)\n");
        let arguments = [&["solve", "FILE", "--timeout", "20s", "--own-engines"], strategy].concat();
        check(&script, &arguments, 11, &["unknown\n", "(:reason-unknown \"", expect], &["squall: unknown: ", expect]);
    };
    // The default guesses models of some of these.
    let whole = |script: &str, expect: &str| by(&["--strategy", "(or-else smt exhaust)"], script, expect);
    let none =
        |features: &str| format!("no engine of the strategy takes {features}; a solver program may: (solver SPEC)");
    let numbers = "(declare-const x Int)(declare-const y Int)(declare-const r Real)";
    let quantified = "(assert (forall ((x Int)) (exists ((y Int)) (> y (* 2 x)))))";
    by(
        &["--strategy", "simplex"],
        quantified,
        "no engine of the strategy takes quantifiers; p-cad or smt or mbqi does",
    );
    let list = "(declare-datatypes ((L 0)) (((nil) (cons (head Bool) (tail L)))))(declare-const a L)";
    whole(&format!("{list}(assert (not (= a nil)))(assert (head a))"), &none("datatypes"));
    // The parameter of a datatype once counted as a sort that no engine knows.
    let list = "(declare-datatypes ((L 1)) ((par (T) ((nil) (cons (head T) (tail (L T)))))))(declare-const a (L Bool))";
    whole(&format!("{list}(assert (not (= a (as nil (L Bool)))))(assert (head a))"), &none("datatypes"));
    whole("(declare-const s String)(assert (= (str.++ s \"a\") (str.++ \"b\" s)))", &none("strings"));
    by(
        &["--strategy", "(then simplify smt)"],
        &format!("{numbers}(assert (= (* x y y) 77))(assert (> x 6000))"),
        "no engine of the strategy takes nonlinear arithmetic; coverings or",
    );
    by(
        &["--strategy", "simplex"],
        "(declare-const s String)(declare-const x Int)(assert (forall ((y Int)) (> (+ x y) (str.len s))))",
        &none("quantifiers and strings"),
    );
    whole("(declare-const m (-> Int Int))(assert (= (_ m 1) 2))", "maps");
    whole("(declare-const s (Seq Int))(assert (= (seq.len s) 2))", "maps, sequences or sorts");
    whole("(declare-const s (Bag Int))(assert (= (bag.card s) 2))", "maps, sequences or sorts");
    whole("(declare-const s Unicode)(assert (= (char.to_int s) 2))", "of sort `Unicode`");
    // Another engine may support what one engine does not.
    let floats = "(declare-const x Float32)(assert (fp.lt x (fp.sqrt RNE x)))";
    by(&["--strategy", "sat"], floats, "no engine of the strategy takes floating point; smt or search does");
    by(
        &["--strategy", "simplex"],
        "(declare-const x (_ BitVec 8))(assert (bvult x #x01))",
        "takes bit-vectors; sat or smt or search does",
    );
    let arrays = "(declare-const a (Array (_ BitVec 8) (_ BitVec 8)))(assert (= (select a #x00) #x01))";
    by(&["--strategy", "sat"], arrays, "takes arrays; smt or search does");
    let functions = "(declare-sort U 0)(declare-fun f (U) U)(declare-const u U)(assert (distinct (f u) u))";
    by(&["--strategy", "sat"], functions, "takes uninterpreted functions and uninterpreted sorts; smt does");
    by(
        &["--strategy", "sat"],
        &format!("{numbers}(assert (< x y))"),
        "takes integers; simplex or floyd-warshall or coverings or",
    );
}

/// The standard has no literal for them; Z3's notation says which root of a polynomial a number is.
#[test]
fn irrational_values_are_printed_as_roots() {
    check(
        "(declare-const |x y| Real)(assert (= (* |x y| |x y|) 2.0))(assert (< |x y| 0.0))(check-sat)(get-model)(get-value (|x y|))",
        &["solve", "FILE"],
        0,
        &["(define-fun |x y| () Real (root-obj (+ (^ x 2) (- 2)) 1))", "((|x y| (root-obj (+ (^ x 2) (- 2)) 1)))"],
        &[],
    );
    // A pass computes y from x.
    check(
        "(declare-const x Real)(declare-const y Real)(assert (= (* x x) 2.0))(assert (> x 0.0))(assert (= y (+ x 1.0)))(check-sat)(get-model)",
        &["solve", "FILE"],
        0,
        &["(define-fun y () Real (root-obj (+ (^ x 2) (* (- 2) x) (- 1)) 2))"],
        &[],
    );
    // What has no text is no model.
    check(
        "(declare-fun f (Real) Real)(assert (= (* (f 1.0) (f 1.0)) 3.0))(check-sat)",
        &["solve", "FILE", "--model", "--format", "json"],
        0,
        &["\"model\":null", "\"cause\":\"no model text: "],
        &[],
    );
}
