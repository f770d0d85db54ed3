//! Parallel branches: the first wins, the others are stopped with their processes, and a branch that dies has no answer.

use crate::strategies::support::{instance, read, script, z3};
use rewrite::{Goal, PassSettings, Wants};
use smtlib::Store;
use smtlib::strategy::Strategy;
use solver::install::Fleet;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};
use strategy::session::{ByStrategy, Session};
use strategy::trace::Trace;
use strategy::{Budget, Shared, Solvers, TacticOutcome, TacticRun, plan};

const EASY: &str = "(declare-const x (_ BitVec 8))(assert (= (bvmul x x) #x19))(check-sat)";

/// A program that never answers and has a child that never ends, identified by its name.
fn sleeper(folder: &std::path::Path) -> String {
    script(folder, "sleeper", "case $* in *--version) exit;; esac\nsleep 1000 &\nsleep 1000\n")
}

/// The processes whose command line names `folder`.
fn processes_of(folder: &std::path::Path) -> Vec<u32> {
    let name = folder.display().to_string();
    let mut found = Vec::new();
    for entry in std::fs::read_dir("/proc").into_iter().flatten().flatten() {
        let Some(pid) = entry.file_name().to_str().and_then(|n| n.parse().ok()) else { continue };
        let line = std::fs::read(entry.path().join("cmdline")).unwrap_or_default();
        if String::from_utf8_lossy(&line).contains(&name) && pid != std::process::id() {
            found.push(pid);
        }
    }
    found
}

/// Runs a strategy; returns the outcome, its time, and the time until the cancelled branches were gone.
fn timed(strategy: &Strategy, budget: Budget) -> (TacticOutcome, Duration, Duration) {
    let mut store = Store::new();
    let instance = instance(&mut store, EASY);
    let solvers = crate::strategies::support::solvers();
    let plan = plan(strategy, &solvers).unwrap_or_else(|error| panic!("{error}"));
    let goal = Goal::of(&mut store, &instance.assertions, Wants::ALL, &PassSettings::default()).expect("small");
    let shared = Arc::new(Shared::new(solvers, instance.declarations.clone(), instance.logic));
    let mut run = TacticRun::new(budget, shared, Trace::default());
    let start = Instant::now();
    let outcome = plan.run(&mut store, goal, &mut run);
    let answered = start.elapsed();
    run.shared.wait_for_cancelled();
    (outcome, answered, start.elapsed() - answered)
}

#[test]
fn cancelled_branches_are_gone_with_their_processes() {
    // `SQUALL_CANCELLED` sets the number of attempts.
    let folder = tempfile::tempdir().expect("a temporary folder");
    let sleeper = sleeper(folder.path());
    let text = format!("(par-or (solver \"{sleeper}\") (solver \"{sleeper} again\") (then simplify sat))");
    let rounds = testing::amount("SQUALL_CANCELLED", 2usize);
    let mut times: Vec<Duration> = Vec::new();
    for _ in 0..rounds {
        let (outcome, _, gone) = timed(&read(&text), Budget::of(Duration::from_secs(120)));
        assert!(matches!(outcome, TacticOutcome::Sat(_)), "{outcome:?}");
        assert_eq!(processes_of(folder.path()), [0u32; 0], "processes outlive the run");
        times.push(gone);
    }
    times.sort();
    // The time is measured and shown, without a limit: the machine may be busy.
    println!(
        "the cancelled branches were gone after {:?} in the median, {:?} at most",
        times[times.len() / 2],
        times.last()
    );
}

#[test]
fn who_dies_loses_and_the_others_go_on() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let dying = script(folder.path(), "dying", "kill -SEGV $$\n");
    let lying = script(folder.path(), "lying", "echo sat\necho '((define-fun x () (_ BitVec 8) #x00))'\n");
    let noisy = script(folder.path(), "noisy", "echo '(error \"no\")'\n");
    let missing_reader = script(folder.path(), "quiet", "exec 0<&-\nexit 3\n");
    for other in [&dying, &lying, &noisy, &missing_reader] {
        let text = format!("(par-or (solver \"{other}\") (then simplify sat))");
        let (outcome, ..) = timed(&read(&text), Budget::of(Duration::from_secs(120)));
        let TacticOutcome::Sat(witness) = &outcome else { panic!("{other}: {outcome:?}") };
        assert_eq!(&*witness.by, "sat", "{other}");
        let text = format!("(or-else (solver \"{other}\") fail)");
        let (outcome, ..) = timed(&read(&text), Budget::of(Duration::from_secs(120)));
        assert!(matches!(outcome, TacticOutcome::Fail(_)), "{other}: {outcome:?}");
    }
    let text = format!("(par-or (solver \"{dying}\") fail (solver \"{lying}\"))");
    let (outcome, ..) = timed(&read(&text), Budget::of(Duration::from_secs(120)));
    let TacticOutcome::Fail(failure) = &outcome else { panic!("{outcome:?}") };
    let said = failure.to_string();
    assert!(said.contains("crashed") && said.contains("gives a model in which formula 0 is false"), "{said}");
}

#[test]
fn a_cancelled_run_leaves_no_process() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let sleeper = sleeper(folder.path());
    let nested = format!(
        "(par-or (solver \"{sleeper}\") (then skip (par-or (solver \"{sleeper} 2\") (solver \"{sleeper} 3\"))))"
    );
    let budget = Budget::of(Duration::from_secs(120));
    let cancel = budget.cancel.clone();
    let place = folder.path().to_path_buf();
    let canceller = std::thread::spawn(move || {
        // All three are there before anything is cancelled.
        let start = Instant::now();
        while processes_of(&place).len() < 3 && start.elapsed() < Duration::from_secs(60) {
            std::thread::sleep(Duration::from_millis(5));
        }
        cancel.cancel();
    });
    let (outcome, ..) = timed(&read(&nested), budget);
    canceller.join().expect("it only waits");
    assert!(matches!(outcome, TacticOutcome::Fail(_)), "{outcome:?}");
    assert_eq!(processes_of(folder.path()), [0u32; 0]);
}

/// A goal that shares a formula with the last one is asked interactively, and a program that reads to the end of its input was given
/// two seconds to show that it cannot be, even if another had answered meanwhile.
#[test]
fn a_cancelled_branch_does_not_wait_for_a_program_to_begin() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let text = format!("(par-or (then simplify sat) (solver \"{}\"))", sleeper(folder.path()));
    let script = EASY.replace("(check-sat)", "(check-sat)(assert (bvult x #xf0))(check-sat)");
    let time = || {
        let solvers = Fleet::of_user().map_or_else(|_| Solvers::default(), Solvers::of);
        let mut decide = ByStrategy::new(solvers, &BTreeMap::new()).expect("there are no named strategies");
        decide.give(&read(&text)).unwrap_or_else(|error| panic!("{error}"));
        let (start, mut out) = (Instant::now(), String::new());
        Session::new(&mut decide).read(&script, &mut out);
        assert_eq!(out, "sat\nsat\n");
        start.elapsed()
    };
    // The machine may be busy, but not each time.
    assert!((0..5).any(|_| time() < Duration::from_secs(2)));
    assert_eq!(processes_of(folder.path()), [0u32; 0]);
}

#[test]
fn time_ends_what_runs_in_parallel() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let sleeper = sleeper(folder.path());
    let text = format!("(or-else (try-for (par-or (solver \"{sleeper}\") (solver \"{sleeper} 2\")) 100) sat)");
    let (outcome, ..) = timed(&read(&text), Budget::of(Duration::from_secs(120)));
    assert!(matches!(outcome, TacticOutcome::Sat(_)), "{outcome:?}");
    assert_eq!(processes_of(folder.path()), [0u32; 0]);
}

#[test]
fn subgoals_side_by_side_come_to_the_same() {
    let check = |text: &str, wanted: &str| {
        let (outcome, ..) = timed(&read(text), Budget::of(Duration::from_secs(120)));
        assert!(outcome.summary().starts_with(wanted), "{text}: {}", outcome.summary());
    };
    check("(par-then simplify sat)", "sat by");
    check("(par-then simplify skip)", "1 subgoal");
    check(
        "(par-then (or-else split-or-missing-name simplify) skip)".replace("split-or-missing-name", "fail").as_str(),
        "1 subgoal",
    );
    if let Some(z3) = z3() {
        check(&format!("(par-then simplify (par-or (solver {z3}) fail))"), &format!("sat by {z3}"));
    }
}
