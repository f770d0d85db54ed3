//! Tests of `stability`: the interval, the verdict, and the checks of a script.

use experiment::journal::Journal;
use experiment::stability::check::{CheckPartKind, StabilityCheck, script_of};
use experiment::stability::runs::{StabilityRun, StabilitySolver};
use experiment::stability::verdict::{StabilityRow, StabilityVerdict, change_over_releases, wrong_answers};
use experiment::statistics::wilson_interval;
use smtlib::Status;
use solver::cache::SolverCache;
use solver::install::Fleet;
use solver::outcome::Answer;
use solver::process::ProcessLimits;
use solver::profiles::Profiles;
use solver::sources::path::SearchPath;
use std::path::Path;

#[test]
fn intervals_are_wilsons() {
    // By R's binom.confint(k, n, methods = "wilson").
    let check = |successes: u32, runs: u32, low: f64, high: f64| {
        let (is_low, is_high) = wilson_interval(successes, runs);
        let is_near = (is_low - low).abs() < 5e-4 && (is_high - high).abs() < 5e-4;
        assert!(is_near, "{successes} of {runs}: {is_low} {is_high}");
    };
    check(0, 24, 0.0, 0.138);
    check(24, 24, 0.862, 1.0);
    check(12, 24, 0.3143, 0.6857);
    check(1, 1, 0.2065, 1.0);
    check(0, 0, 0.0, 0.7935);
    check(73, 73, 0.95, 1.0);
    check(50, 100, 0.4038, 0.5962);
}

#[test]
fn verdicts_follow_the_interval() {
    use StabilityVerdict::{Stable, Undetermined, Unsolvable, Unstable};
    let check = |answered: u32, trials: u32, expect| {
        assert_eq!(StabilityVerdict::of(answered, trials), expect, "{answered} of {trials}");
    };
    for answered in 0..=24 {
        let expect = match answered {
            0 => Unsolvable,
            1..=7 | 17..=23 => Undetermined,
            8..=16 => Unstable,
            _ => Stable,
        };
        check(answered, 24, expect);
    }
    check(21, 21, Undetermined);
    check(22, 22, Stable);
    check(57, 60, Stable);
    check(50, 60, Undetermined);
    check(45, 60, Unstable);
    check(1, 1, Undetermined);
}

/// Reads a script.
fn read(text: &str) -> Result<Vec<StabilityCheck>, String> {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.smt2");
    std::fs::write(&path, text).expect("a file");
    StabilityCheck::read(&path).map_err(|error| format!("{error:#}"))
}

#[test]
fn each_check_has_what_it_depends_on() {
    let checks = read(
        "(set-logic QF_LIA)\n(set-info :status unsat)\n(declare-const x Int)\n(assert (! (> x 1) :named a))\n(push 1)\n\
         (set-option :verbosity 1)\n(declare-const y Int)\n(assert (> y\n  2))\n(check-sat)\n(get-model)\n(pop 1)\n(push 1)\n\
         (assert (! (< x 1) :named b))\n(assert b)\n(check-sat-assuming (a))\n(exit)\n(check-sat)\n",
    )
    .expect("checks");
    let texts: Vec<String> = checks.iter().map(|check| script_of(&check.parts).replace('\n', " ")).collect();
    let before = "(set-logic QF_LIA) (declare-const x Int) (assert (! (> x 1) :named a))";
    let expect = [
        format!("{before} (push 1) (set-option :verbosity 1) (declare-const y Int) (assert (> y   2)) (check-sat) "),
        format!(
            "{before} (set-option :verbosity 1) (push 1) (assert (! (< x 1) :named b)) (assert b) (check-sat-assuming (a)) "
        ),
    ];
    assert_eq!(texts, expect);
    assert_eq!(checks[0].right, Some(Status::Unsat), "by :status");
    let line = |check: &StabilityCheck| check.name.rsplit(':').next().map(str::to_string);
    assert_eq!((line(&checks[0]), line(&checks[1])), (Some("10".into()), Some("16".into())));
    // An assertion whose name is used keeps its place.
    let fixed = checks[1].parts.iter().filter(|part| part.kind == CheckPartKind::Declaration && !part.place.is_empty());
    let fixed: Vec<&str> = fixed.map(|part| part.place.as_str()).collect();
    assert_eq!(fixed, ["assertion 1 (line 4, named a)", "assertion 3 (line 14, named b)"]);
    let refused = |text: &str, expect: &str| assert!(read(text).is_err_and(|error| error.contains(expect)), "{text}");
    refused("(push 2)\n(check-sat)", ":1: checks after '(push 2)' cannot be taken apart");
    refused("\n(set-option :global-declarations true)", ":2: checks after");
    refused("(reset-assertions)", ":1: checks after");
    refused("(assert x)", ":1:9: error");
    // Exhaustion precedes a :status.
    let lying = read("(declare-const p Bool)(assert p)(set-info :status unsat)(check-sat)").expect("a check");
    assert_eq!(lying[0].right, Some(Status::Sat));
    assert_eq!(read("(declare-const p Bool)").map(|checks| checks.len()), Ok(0));
    refused("(pop 3)(check-sat)", ":1:6: error: pop of 3 levels");
    assert_eq!(read(&"(check-sat)".repeat(1100)).map(|checks| checks.len()), Ok(1000));
}

/// The right answer to a rephrased check, by exhaustion, is that of the check as it is.
#[test]
fn a_trial_asks_the_same() {
    let folder = tempfile::tempdir().expect("a folder");
    let kept = Journal::open(folder.path()).expect("a journal");
    let fleet =
        Fleet::new(Profiles::embedded(), SolverCache::at(Path::new("/nonexistent")), SearchPath::new(Vec::new()));
    let solver = fleet.solver(fleet.resolve(&"builtin:sat".parse().expect("a name")).expect("a solver"));
    let solver = StabilitySolver { solver, limits: ProcessLimits::default(), seed: 3, trials: 24, kept: &kept };
    let text = "(declare-fun p (Bool) Bool)\n(declare-const q Bool)\n(assert (! (forall ((x Bool)) (=> (p x) q)) :named n))\n\
                (define-fun both () Bool (and n (p q)))\n(assert (or (p true) (p false)))\n(push 1)\n(assert (let ((x q)) (and x x)))\n\
                (declare-const r Bool)\n(assert (xor r q))\n(assert both)\n(check-sat)\n(pop 1)\n(assert (not q))\n(check-sat)\n";
    let checks = read(text).expect("checks");
    assert_eq!(checks.len(), 2);
    let mut others = 0;
    for check in &checks {
        assert!(check.right.is_some());
        for number in 0..40 {
            let (text, _) = solver.trial(&check.parts, number);
            assert_eq!(solver.trial(&check.parts, number).0, text, "a trial is the same again");
            let again = read(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
            assert_eq!(again.iter().map(|one| one.right).collect::<Vec<_>>(), [check.right], "{text}");
            others += usize::from(text.contains("(forall ((x Bool))"));
        }
    }
    assert!(others < 60, "most are renamed: {others}");
}

fn row(solver: &str, answers: &[Answer]) -> StabilityRow {
    let check = read("(declare-const x Int)(assert (> x 1))(check-sat)").expect("a check").remove(0);
    let run = |answer: &Answer| StabilityRun { answer: *answer, cpu_s: 1.0, wall_s: 1.0, complaint: None };
    StabilityRow::of(&check, solver.to_string(), answers.iter().map(run).collect())
}

#[test]
fn answers_are_compared_with_each_other_and_with_the_right_one() {
    let check = |right, rows: &[StabilityRow], expect: Option<&str>| {
        let text = "(declare-const x Int)(assert (> x 1))(check-sat)";
        let one = StabilityCheck { right, ..read(text).expect("a check").remove(0) };
        assert_eq!(wrong_answers(&one, rows).as_deref(), expect);
    };
    use Answer::{Sat, Timeout, Unknown, Unsat};
    let (unsat, sat) = (row("z3@1", &[Unsat, Timeout, Unsat]), row("cvc5@1", &[Sat, Unknown]));
    let both = row("z3@2", &[Sat, Unsat, Timeout]);
    check(None, std::slice::from_ref(&unsat), None);
    check(Some(Status::Unsat), std::slice::from_ref(&unsat), None);
    check(None, &[both], Some("z3@2 answers sat 1 times and unsat 1 times; the right answer is not known"));
    let words = "z3@1 answers sat 0 times and unsat 2 times";
    check(Some(Status::Sat), std::slice::from_ref(&unsat), Some(&format!("{words}; the right answer is sat")));
    let others = format!("{words}, cvc5@1 answers sat 1 times and unsat 0 times; the right answer is not known");
    check(None, &[unsat, sat], Some(&others));
}

#[test]
fn verdicts_change_over_releases() {
    let stable = |solver: &str| row(solver, &[Answer::Unsat; 25]);
    let unsolvable = |solver: &str| row(solver, &[Answer::Unknown; 25]);
    let open = |solver: &str| row(solver, &[Answer::Unsat; 2]);
    let check = |rows: &[StabilityRow], expect: Option<&str>| assert_eq!(change_over_releases(rows).as_deref(), expect);
    check(&[stable("z3@4.8"), stable("z3@4.12")], None);
    check(&[stable("z3@4.8"), unsolvable("z3@4.12")], Some("stable until z3@4.8, unsolvable from z3@4.12"));
    check(&[stable("z3@4.12"), unsolvable("z3@4.8")], None);
    check(&[stable("cvc5@1.0"), unsolvable("z3@4.8")], None);
    check(&[stable("z3"), unsolvable("z3@4.8")], None);
    check(
        &[stable("z3@1"), open("z3@2"), unsolvable("z3@3"), stable("z3@10")],
        Some("stable until z3@1, unsolvable from z3@3; unsolvable until z3@3, stable from z3@10"),
    );
    assert_eq!(row("z3", &[Answer::Sat, Answer::Void, Answer::Crashed]).verdict, StabilityVerdict::Refused);
}
