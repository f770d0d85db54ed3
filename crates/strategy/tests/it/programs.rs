//! `(exec "COMMAND")`: users' programs as steps, the handling of their output, and the messages about invalid output.

use crate::strategies::support::{instance, read, run, script};
use smtlib::Store;
use smtlib::strategy::Strategy;
use solver::install::Fleet;
use std::collections::BTreeMap;
use std::time::{Duration, Instant};
use strategy::session::{ByStrategy, Session};
use strategy::{SolveAnswer, Solvers};

/// A step by a program with this body, followed by an engine.
fn then_smt(command: &str) -> Strategy {
    Strategy::Then([Strategy::Exec(command.into()), read("smt")].into())
}

/// A problem, the body of a shell script that is the step, and the result: the answer and parts of its reason.
fn check(problem: &str, body: &str, expect: &str, words: &[&str]) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let program = script(folder.path(), "mine", body);
    let mut store = Store::new();
    let problem = instance(&mut store, &format!("{problem}(check-sat)"));
    let report = run(&mut store, &problem, &then_smt(&program), 60.0, false);
    // Whatever a program does, it is no error of ours.
    assert!(!report.internal_error, "{:?}", report.answer);
    let told = format!("{:?}", report.answer);
    assert_eq!(report.answer.word(), expect, "{told} by {body}");
    words.iter().for_each(|word| assert!(told.contains(word), "{word} is missing in {told}"));
}

/// Writes this text.
fn says(text: &str) -> String {
    format!("cat > /dev/null\ncat <<'END'\n{text}\nEND\n")
}

const PROBLEM: &str = "(declare-const x Int)(declare-const y Int)(assert (= x (+ y 1)))(assert (> x 3))";

#[test]
fn goals_are_taken_and_models_brought_back() {
    // The output decides.
    check(PROBLEM, &says("(goals (goal (> y 2)))\n(define-fun x () Int (+ y 1))"), "sat", &[]);
    check(PROBLEM, &says("; a comment\n(goals (goal (= x (+ y 1)) (> x 3)))"), "sat", &[]);
    // Any of several goals suffices.
    check(PROBLEM, &says("(goals (goal (> y 2) (< y 0)) (goal (> y 2)))(define-fun x () Int (+ y 1))"), "sat", &[]);
    // Fresh symbols, and definitions that use those before them.
    check(
        PROBLEM,
        &says("(declare-const k Int)(goals (goal (> k 2)))(define-fun y () Int k)(define-fun x () Int (+ y 1))"),
        "sat",
        &[],
    );
    check(
        PROBLEM,
        &says(
            "(declare-fun k () Int)(declare-fun x () Int)(goals (goal (= k x) (> x 3)))(define-fun y () Int (- k 1))",
        ),
        "sat",
        &[],
    );
    // No formula is left.
    check(PROBLEM, &says("(goals (goal))(define-fun x () Int 5)(define-fun y () Int 4)"), "sat", &[]);
    // The script is what the program reads.
    check(
        PROBLEM,
        "grep -c assert > \"$0.count\"\nif [ \"$(cat \"$0.count\")\" = 2 ]; then echo '(goals (goal false))'; fi",
        "unsat",
        &["exec:"],
    );
}

#[test]
fn what_a_program_says_of_unsat_is_marked_as_its_word() {
    check(PROBLEM, &says("(goals (goal false))"), "unsat", &["trusted: Some(\"exec:"]);
    check(PROBLEM, &says("(goals (goal (> y 2) (< y 0)))"), "unsat", &["trusted: Some(\"exec:"]);
    // An under-approximation's unsat is not an answer, and neither is an over-approximation's sat.
    check(PROBLEM, &says("(goals (goal false :precision under))"), "unknown", &["under-approximation"]);
    check(PROBLEM, &says("(goals (goal :precision over))"), "unknown", &["over-approximation"]);
    check(PROBLEM, &says("(goals (goal false :precision over))"), "unsat", &["trusted"]);
}

#[test]
fn models_are_judged() {
    // The model conversion makes the goal false, or is missing.
    check(
        PROBLEM,
        &says("(goals (goal (> y 2)))(define-fun x () Int y)"),
        "unknown",
        &["formula", "is false", "exec:"],
    );
    check(PROBLEM, &says("(goals (goal))"), "unknown", &["is false"]);
    check("(declare-const p Bool)(assert (and p (not p)))", &says("(goals (goal p))"), "unknown", &["is false"]);
}

#[test]
fn programs_that_fail_are_told() {
    let fails = |body: &str, words: &[&str]| check(PROBLEM, body, "unknown", words);
    fails("echo 'I do not know' >&2\nexit 3", &["exec:", "ended with exit code 3: I do not know"]);
    fails("kill -9 $$", &["exec:", "ended with exit code 137"]);
    fails("cat > /dev/null", &["wrote no goals: there is no `(goals …)`", "expected are (goals (goal F …) …)"]);
    fails(&says("sat"), &["`sat` is not understood"]);
    fails(&says("(goals)"), &["no goal in `(goals)`", "(goals (goal false))"]);
    fails(&says("(goals (goal (> y 2))"), &["its parentheses or quotes do not match"]);
    fails(&says("(goals (gaol (> y 2)))"), &["`(gaol (> y 2))` is no goal"]);
    fails(&says("(goals p)"), &["`p` is no goal"]);
    fails(&says("(goals (goal (> z 2)))"), &["its formula cannot be read", "z"]);
    fails(&says("(goals (goal y))"), &["`y` is no formula"]);
    fails(&says("(goals (goal true))(goals (goal true))"), &["stands there twice"]);
    fails(&says("(goals (goal true))(define-fun z () Int 3)"), &["it defines z, which the goal does not have"]);
    fails(&says("(goals (goal true))(define-fun x () Int true)"), &["its definition of x cannot be read"]);
    fails(&says("(goals (goal true))(define-fun x () Int 1)(define-fun x () Int 2)"), &["defines x twice"]);
    fails(&says("(goals (goal true))(define-fun f ((n Int)) Int n)"), &["only constants can be defined"]);
    fails(&says("(goals (goal true :precision fine))"), &["precision fine is not understood"]);
    fails("cat > /dev/null\nprintf '\\377\\376'", &["it is not UTF-8"]);
    fails("cat > /dev/null\nyes '(goals (goal true))'", &["wrote more than 32 MiB"]);
    check(
        PROBLEM,
        "cat > /dev/null\necho \"(goals $(yes '(goal true)' | head -2000))\"",
        "unknown",
        &["more than 1024 subgoals"],
    );
    // A deep term is accepted or rejected, and nothing breaks.
    let deep = "cat > /dev/null\nawk 'BEGIN { s = \"\"; for (i = 0; i < 100000; i++) s = s \"(not \"; t = \"\"; for (i = 0; i < 100000; i++) t = t \")\"; print \"(goals (goal (= x (+ y 1)) \" s \"(> x 3)\" t \"))\" }'";
    check(PROBLEM, deep, "sat", &[]);
}

#[test]
fn a_program_that_never_ends_is_stopped_in_time() {
    let start = Instant::now();
    let mut store = Store::new();
    let problem = instance(&mut store, &format!("{PROBLEM}(check-sat)"));
    let strategy = read("(or-else (try-for (exec \"sleep 1000\") 200) smt)");
    let report = run(&mut store, &problem, &strategy, 60.0, false);
    assert_eq!(report.answer.word(), "sat");
    let report = run(&mut store, &problem, &read("(exec \"kill -9 $$\")"), 60.0, false);
    assert!(
        matches!(&report.answer, SolveAnswer::Unknown(why) if why.contains("died of signal 9")),
        "{:?}",
        report.answer
    );
    let report = run(&mut store, &problem, &read("(exec \"sleep 1000\")"), 0.3, false);
    assert!(
        matches!(&report.answer, SolveAnswer::Unknown(why) if why.contains("the time is up")),
        "{:?}",
        report.answer
    );
    assert!(start.elapsed() < Duration::from_secs(30));
}

#[test]
fn a_program_with_arguments_is_read_by_a_shell() {
    let mut store = Store::new();
    let problem = instance(&mut store, &format!("{PROBLEM}(check-sat)"));
    let strategy = read(
        "(then (exec \"cat >/dev/null; printf '(goals (goal %s))' '(> y 2)'; echo ' (define-fun x () Int (+ y 1))'\") smt)",
    );
    assert_eq!(run(&mut store, &problem, &strategy, 60.0, false).answer.word(), "sat");
    // Strings of strategies double their quotes.
    let strategy = read("(then (exec \"cat >/dev/null; echo \"\"(goals (goal false))\"\"\") smt)");
    assert_eq!(run(&mut store, &problem, &strategy, 60.0, false).answer.word(), "unsat");
}

#[test]
fn scripts_start_no_programs_but_named_ones() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let told = folder.path().join("told");
    let mine = format!("(exec \"cat >/dev/null; touch {}; echo '(goals (goal false))'\")", told.display());
    let said = |named: &[(&str, &str)], strategy: &str| {
        let named: BTreeMap<String, String> = named.iter().map(|(a, b)| (a.to_string(), b.to_string())).collect();
        let mut decide = ByStrategy::new(Solvers::default(), &named).expect("the named strategies are right");
        let mut out = String::new();
        let script = format!("(declare-const p Bool)(assert p)(check-sat-using {strategy})");
        Session::new(&mut decide).read(&script, &mut out);
        out
    };
    let file = folder.path().join("rules");
    std::fs::write(&file, "secret words").expect("a file");
    let refused = said(&[], &format!("(then (rules \"{}\") smt)", file.display()));
    assert!(refused.contains("a script may not read the file") && !refused.contains("secret"), "{refused}");
    let refused = said(&[], &format!("(then {mine} smt)"));
    assert!(refused.contains("a script may not start the program") && refused.contains("squall.toml"), "{refused}");
    assert!(!told.exists());
    assert!(said(&[("mine", "(exec \"true\")")], &mine).contains("may not start"));
    assert!(!told.exists());
    assert_eq!(said(&[("mine", &mine)], "(then mine smt)"), "unsat\n");
    assert!(told.exists());
}

/// `exec` was rejected, but a script could start any program as a solver by its path: `(solver "/usr/bin/touch /tmp/x")`.
#[test]
fn scripts_start_no_solvers_but_by_their_names() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let told = folder.path().join("told");
    let path = script(folder.path(), "mine", &format!("touch {}; echo unsat", told.display()));
    let said = |named: &[(&str, &str)], strategy: &str| {
        let named: BTreeMap<String, String> = named.iter().map(|(a, b)| (a.to_string(), b.to_string())).collect();
        let solvers = Fleet::of_user().map_or_else(|_| Solvers::default(), Solvers::of);
        let mut decide = ByStrategy::new(solvers, &named).expect("the named strategies are right");
        let mut out = String::new();
        let script = format!("(declare-const p Bool)(assert p)(check-sat-using {strategy})");
        Session::new(&mut decide).read(&script, &mut out);
        out
    };
    let refused = |strategy: &str, words: &str| {
        let out = said(&[], strategy);
        assert!(out.contains(words) && out.contains("squall.toml"), "{words} is not in {out} by {strategy}");
        assert!(!told.exists(), "{strategy} starts a program");
    };
    let program = |strategy: &str| refused(strategy, "a script may not start the program");
    program(&format!("(solver \"{path}\")"));
    program(&format!("(solver \"{path} --flag\")"));
    program(&format!("(solver \"z3:{path}\")"));
    program(&format!("(solver {path})"));
    program("(solver \"./mine\")");
    program("(solver \"~/mine\")");
    program(&format!("(or-else fail (smt (solver \"{path}\")))"));
    program(&format!("(then (solver-tactic \"{path}\" simplify) smt)"));
    // Options of a solver can make it write files, even without a path.
    program("(solver \"z3 sat.drat.file=proof\")");
    let setting = |strategy: &str| refused(strategy, "numbers, true and false only");
    setting("(solver z3 :sat.drat.file \"proof\")");
    setting("(solver z3 :regular-output-channel proof)");
    setting("(solver z3 :smt.random_seed 3 :tactic (then simplify (using-params sat :drat.file |proof|)))");
    setting("(then (using-params (solver-tactic z3 simplify) :drat.file proof) smt)");
    setting("(then (solver-tactic z3 (using-params simplify :proof (a b))) smt)");
    // The user's settings are accepted unchanged.
    let own = format!("(solver \"{path}\")");
    assert!(said(&[("mine", "(solver \"./others\")")], &own).contains("may not start"));
    assert!(!told.exists());
    assert!(!said(&[("mine", &own)], "mine").contains("error"));
    assert!(told.exists());
    assert!(!said(&[("mine", &own)], &own).contains("error"));
    // Names of solvers remain, with numbers and truth values.
    assert_eq!(said(&[], "(solver \"builtin:unknown\")").lines().next(), Some("unknown"));
    assert!(said(&[], "(solver no-such-solver)").contains("cannot use the solver"));
    let out = said(&[], "(solver z3@4.15.4 :smt.random_seed 3 :tactic (using-params smt :random_seed 7))");
    assert!(out == "sat\n" || out.contains("cannot use the solver"), "{out}");
    // Parameters of our own tactics name no files.
    assert_eq!(said(&[], "(using-params search :way distance)"), "sat\n");
}
