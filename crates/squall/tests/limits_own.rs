//! The limits of our own passes, engines and evaluator: small inputs whose values, pairs or circuits are huge.
//!
//! Every case is a child process whose CPU time and peak memory are measured. Wall-clock time decides nothing, and only work without a clock
//! exceeds the CPU limit: a loaded machine adds a quarter or more to it. A separate binary, because the peak of a child is never less than
//! that of its parent, which must stay small.

#![cfg(target_os = "linux")]

use std::fmt::Write;
use std::process::{Command, Stdio};

/// The most CPU seconds of a process with a time limit of 2 s. Without clocks, optimized builds took 4 to 40 s, and test builds several
/// times as long. A bound of 2.4 s failed on a busy machine at 2.51 and 2.54 s.
const MOST_SECONDS: f64 = 5.0;
/// The most memory of a process at any moment, in MiB. Meters estimate, and allow less than half of it.
const MEMORY: i64 = 512;

/// A generated input.
struct Case {
    name: &'static str,
    text: String,
}

/// The use of a process: CPU seconds, and peak memory in MiB.
struct Taken {
    seconds: f64,
    memory: i64,
    code: Option<i32>,
}

/// Runs `squall` and measures it.
fn measure(arguments: &[&str]) -> Taken {
    let mut command = Command::new(env!("CARGO_BIN_EXE_squall"));
    let child = command.args(arguments).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn();
    let pid = child.expect("it starts").id() as libc::pid_t;
    let (mut status, mut usage) = (0, std::mem::MaybeUninit::<libc::rusage>::zeroed());
    // SAFETY: nothing else waits for this child, and both pointers are to memory of the right size.
    let waited = unsafe { libc::wait4(pid, &mut status, 0, usage.as_mut_ptr()) };
    assert_eq!(waited, pid);
    // SAFETY: wait4 succeeded and filled it; zeroes were a valid value, too.
    let usage = unsafe { usage.assume_init() };
    let seconds = |t: libc::timeval| t.tv_sec as f64 + t.tv_usec as f64 / 1e6;
    let code = libc::WIFEXITED(status).then(|| libc::WEXITSTATUS(status));
    Taken { seconds: seconds(usage.ru_utime) + seconds(usage.ru_stime), memory: usage.ru_maxrss / 1024, code }
}

/// Runs a case. Checks that the exit code is that of an answer (0 decided, 11 not), and that time and memory are within the bounds. `FILE` is
/// the case, and `MODEL` an empty model.
fn check(case: &Case, subcommand: &[&str]) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (file, model) = (folder.path().join("problem.smt2"), folder.path().join("model"));
    std::fs::write(&file, format!("{}\n(check-sat)\n", case.text)).expect("a temporary file");
    std::fs::write(&model, "()\n").expect("a temporary file");
    let (file, model) = (file.display().to_string(), model.display().to_string());
    let argument = |a: &&str| match *a {
        "FILE" => file.clone(),
        "MODEL" => model.clone(),
        other => other.to_string(),
    };
    let arguments: Vec<String> = subcommand.iter().map(argument).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let Taken { seconds, memory, code } = measure(&arguments);
    let name = case.name;
    assert!(matches!(code, Some(0 | 11)), "{name}: exit code {code:?}");
    assert!(seconds <= MOST_SECONDS, "{name}: {seconds} s of processor time, more than {MOST_SECONDS} s");
    assert!(memory <= MEMORY, "{name}: {memory} MiB, more than {MEMORY}");
}

/// A chain of `let`s: `x0` is `first`, and each next one is `step` of the previous one, for which `X` stands there and in `body`.
fn chain(first: &str, step: &str, length: usize, body: &str) -> String {
    let mut text = format!("(assert (let ((x0 {first})) ");
    for n in 0..length {
        let _ = write!(text, "(let ((x{} {})) ", n + 1, step.replace('X', &format!("x{n}")));
    }
    text + &body.replace('X', &format!("x{length}")) + &")".repeat(length + 2)
}

fn declared(names: &str, count: usize, sort: &str) -> String {
    (0..count).map(|n| format!("(declare-const {names}{n} {sort})\n")).collect()
}

fn list(names: &str, count: usize) -> String {
    (0..count).map(|n| format!(" {names}{n}")).collect()
}

/// The array `a` written to at `i0`, `i1`, … in this order.
fn stores(order: impl Iterator<Item = usize>) -> String {
    order.fold("a".to_string(), |array, n| format!("(store {array} i{n} v{n})"))
}

/// Inputs on which `squall solve -t 2` took 4 to 40 s, or 400 MiB to 4 GiB, before there were meters.
fn cases() -> Vec<Case> {
    let distinct = |sort| format!("{}(assert (distinct{}))", declared("c", 5000, sort), list("c", 5000));
    let arrays = |index: &str| {
        let symbols = declared("i", 300, index) + &declared("v", 300, "Int");
        let (up, down) = (stores(0..300), stores((0..300).rev()));
        format!("(declare-const a (Array {index} Int)){symbols}(assert (not (= {up} {down})))")
    };
    let mut calls = "(declare-const y Int)(define-fun f0 ((x Int)) Int (ite (> x 1) (+ x 1) (- x 3)))\n".to_string();
    for n in 0..40 {
        let body = format!("(ite (> (f{n} x) 3) (f{n} (+ x 1)) (f{n} (* 2 x)))");
        let _ = writeln!(calls, "(define-fun f{} ((x Int)) Int {body})", n + 1);
    }
    let wide = "(_ BitVec 8)";
    vec![
        Case { name: "squares of an integer", text: chain("3", "(* X X)", 60, "(> X 5)") },
        Case { name: "squares of a fraction", text: chain("(/ 3.0 7.0)", "(* X X)", 60, "(> X 5.0)") },
        Case {
            name: "squares and sums",
            text: format!("(declare-const y Int){}", chain("3", "(+ (* X X) 1)", 60, "(> (* y X) 5)")),
        },
        Case { name: "5000 distinct integers", text: distinct("Int") },
        Case { name: "5000 distinct strings", text: distinct("String") },
        Case { name: "20000 distinct numerals", text: format!("(assert (distinct{}))", list("", 20_000)) },
        Case { name: "opposite chains of stores", text: arrays("Int") },
        Case { name: "a doubled string", text: chain("\"ab\"", "(str.++ X X)", 60, "(= (str.len X) 5)") },
        Case { name: "definitions that call each other three times", text: format!("{calls}(assert (> (f40 y) 3))") },
        Case {
            name: "products of wide bit-vectors",
            text: format!("(declare-const b {wide})")
                + &chain(
                    "(bvnot (_ bv7 16000000))",
                    "(bvmul X (bvadd X (_ bv1 16000000)))",
                    60,
                    "(= ((_ extract 7 0) X) b)",
                ),
        },
        Case {
            name: "a string that grows 5000 times",
            text: "(declare-const y String)".to_string()
                + &chain(&format!("\"{}\"", "b".repeat(5000)), "(str.++ \"a\" X)", 5000, "(= X y)"),
        },
    ]
}

#[test]
fn checks_keep_to_time_and_memory() {
    for case in cases() {
        check(&case, &["solve", "-t", "2", "--own-engines", "FILE"]);
    }
}

/// Inputs that were within the bounds before: they stay so.
#[test]
fn guards() {
    let guards = [
        Case {
            name: "a power of a regular expression",
            text: "(declare-const y String)(assert (str.in_re y ((_ re.^ 1000000) (str.to_re \"ab\"))))".to_string(),
        },
        Case { name: "a power of an integer", text: "(assert (> (^ 3 100000000) 5))".to_string() },
        Case {
            name: "doubled datatypes",
            text: "(declare-datatype T ((leaf) (node (l T) (r T))))(declare-const y T)".to_string()
                + &chain("leaf", "(node X X)", 60, "(= X y)"),
        },
        Case {
            name: "a wide concat",
            text: "(declare-const y (_ BitVec 2))".to_string() + &chain("y", "(concat X X)", 20, "(= X (bvadd X X))"),
        },
    ];
    for case in &guards {
        check(case, &["solve", "-t", "2", "--own-engines", "FILE"]);
    }
}

/// Long and deep scripts, on which subcommands took 9 to 40 s despite their limits.
#[test]
fn every_subcommand_keeps_to_its_limit() {
    let run = |name, text: String, subcommand: &[&'static str]| check(&Case { name, text }, subcommand);
    let symbols = declared("x", 1000, "(_ BitVec 8)");
    let atoms = (0..200_000).map(|n| {
        let (a, b, c) = (n % 1000, (n * 7 + 1) % 1000, (n * 3 + 5) % 1000);
        format!("(assert (or (= x{a} x{b}) (bvult x{c} (_ bv{} 8)) true))\n", n % 256)
    });
    run(
        "200000 assertions about 1000 symbols",
        symbols + &atoms.collect::<String>(),
        &["solve", "--exhaust", "-t", "2s", "FILE"],
    );
    let doubled = format!("(declare-const p Bool){}", chain("p", "(and X X)", 60, "X"));
    run("a doubled conjunction", doubled, &["solve", "--exhaust", "-t", "2s", "FILE"]);
    let groups =
        (0..600).map(|n| format!("(declare-const c{n} Int)(assert (or (= c{n} 1) (= c{n} c{})))", n.max(1) - 1));
    run("a chain of symbols that nothing confines", groups.collect(), &["solve", "--exhaust", "-t", "2s", "FILE"]);
    let checks = |count: usize| {
        let check = |n| format!("(assert (> x {n}))(check-sat)");
        "(declare-const x Int)".to_string() + &(0..count).map(check).collect::<String>()
    };
    run("4000 checks", checks(4000), &["solve", "--exhaust", "-t", "0.2s", "FILE"]);
    run("4000 checks", checks(4000), &["mutate", "FILE"]);
    let quantifiers: String = (0..4000).map(|n| format!("(exists ((x{n} Bool)) ")).collect();
    let nested = format!("(assert {quantifiers}(and{}){})", list("x", 4000), ")".repeat(4000));
    run("4000 nested quantifiers", nested, &["validate", "FILE", "MODEL"]);
    // Mutants can be made of the second assertion.
    let (open, close) = ("(- ".repeat(300_000), ")".repeat(300_000));
    let deep = format!("(declare-const x Int)(assert (> {open}x{close} 0))(assert (> x 3))");
    run("300000 nested negations", deep, &["mutate", "FILE"]);
    let product =
        format!("(declare-const x Int)(assert (let ((a {})) (> x (* a{}))))", "7".repeat(500_000), " a".repeat(19));
    run("a product of 20 long numbers", product, &["solve", "-t", "2s", "--own-engines", "FILE"]);
}

/// The evaluator has no clock here, but limits its values: this once took 390 MiB.
#[test]
fn terms_are_evaluated_within_memory() {
    let doubled = chain("\"ab\"", "(str.++ X X)", 60, "(= (str.len X) 5)");
    let term = doubled.strip_prefix("(assert ").and_then(|t| t.strip_suffix(')')).expect("an assertion").to_string();
    let case = Case { name: "a doubled string", text: String::new() };
    check(&case, &["validate", "FILE", "--eval", &term]);
}
