//! The evaluator against solvers on random ground terms; skipped where no solver is found.
//!
//! `SQUALL_Z3` and `SQUALL_CVC5` name executables; otherwise the search path is used.

use semantics::conform::{Case, Generator, compare, script};
use smtlib::signature::Origin;
use smtlib::{Dialect, Kind, Store, theories};
use std::io::Write;
use std::process::{Command, Stdio};

/// Errors of solvers: whose, and what their terms hold; docs/conformance-strings.md has the clauses.
const EXPLAINED: &[(&str, &str)] = &[("cvc5", "((_ re.loop 0 0) (re.opt re.all))")];

/// Runs a solver on a script; none if there is no such solver.
fn run(solver: &str, options: &[&str], script: &str) -> Option<String> {
    let variable = format!("SQUALL_{}", solver.to_uppercase());
    let program = std::env::var(variable).unwrap_or_else(|_| solver.to_string());
    let child =
        Command::new(program).args(options).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn();
    let Ok(mut child) = child else {
        println!("skipped: no {solver}");
        return None;
    };
    let mut input = child.stdin.take()?;
    let text = script.to_string();
    let writer = std::thread::spawn(move || input.write_all(text.as_bytes()));
    let output = child.wait_with_output().ok()?;
    let _ = writer.join();
    Some(String::from_utf8_lossy(&output.stdout).into_owned())
}

fn agree(solver: &str, options: &[&str], wanted: impl Fn(&str, Kind) -> bool) {
    let mut store = Store::new();
    let mut generator = Generator::new(7);
    for theory in theories::THEORIES {
        let mut cases: Vec<Case> = Vec::new();
        for row in theory.rows {
            if row.origin == Origin::Standard && wanted(row.name, row.kind) {
                cases.extend((0..60).filter_map(|_| generator.case(&mut store, row)));
            }
        }
        let Some(answers) = run(solver, options, &script(&store, &cases, &Dialect::default())) else { return };
        let mut report = compare(&mut store, &cases, &answers);
        let explained = |text: &str| EXPLAINED.iter().any(|e| e.0 == solver && text.contains(e.1));
        report.disagreements.retain(|d| !explained(&store.term_text(d.term)));
        for d in &report.disagreements {
            println!("{} = {:?}, {solver} says {}", store.term_text(d.term), d.ours, d.theirs);
        }
        println!(
            "{} {solver}: {} agreed, {} unanswered of {}",
            theory.name,
            report.agreed,
            report.unanswered,
            cases.len()
        );
        assert!(report.disagreements.is_empty(), "{}: {} disagreements", theory.name, report.disagreements.len());
        let first_error = answers.lines().find(|l| l.contains("error")).unwrap_or_default();
        let enough = report.agreed * 10 >= cases.len() * 9;
        assert!(enough, "{solver} answered too little of {}: {first_error}", theory.name);
    }
}

#[test]
fn z3_agrees_on_ground_terms() {
    // Z3 has no replacement by regular expressions and no `divisible`.
    agree("z3", &["-in", "-T:120"], |_, kind| {
        !matches!(kind, Kind::StrReplaceRe | Kind::StrReplaceReAll | Kind::IntDivisible)
    });
}

#[test]
fn cvc5_agrees_on_ground_terms() {
    // cvc5 takes the chainable comparisons of strings with two operands only.
    agree("cvc5", &["--lang=smt2", "--tlimit=120000", "--fp-exp", "--strings-exp", "-"], |_, kind| {
        !matches!(kind, Kind::StrLt | Kind::StrLe)
    });
}
