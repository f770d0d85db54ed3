//! Scripts with parts that are only carried as text: these cause no accusation, and hide no proven wrong answer.

use crate::support::{begin, question, stand_in};
use finding::{FailureKind, Trust};
use mutate::rng::{RandomStream, Unit};
use reduce::query::{CheckQuery, TrustedSolver};
use smtlib::{Dialect, Store};
use solver::install::Fleet;
use solver::outcome::Answer;
use solver::process::ProcessLimits;
use solver::session::Solver;

/// Declarations with which each of the carried assertions is accepted by the solver that has them.
const NAMES: &str = "(declare-const p Bool)(declare-const q Bool)(declare-const x Int)(declare-const r Real)\
    (declare-const a (Array Int Bool))(declare-const s (Seq Int))(declare-const u (Set Int))";

/// Assertions over solvers' own theories, which Squall does not understand.
const CARRIED: [&str; 18] = [
    "(assert (> (cos r) 2.0))",
    "(assert (not (>= 1.0 (sin r))))",
    "(assert (= r (tan 0.0) 1.0))",
    "(assert (= (arctan r) 2.0))",
    "(assert (> 0.0 (exp r)))",
    "(assert (= real.pi 3.0))",
    "(assert (= ((_ map and) a a) a))",
    "(assert (= (seq.foldl (lambda ((y Int) (z Int)) (+ y z)) 0 s) x))",
    "(assert (= (set.fold (lambda ((y Int) (z Int)) (+ y z)) 0 u) 7))",
    "(assert (> (sin r) 2.0))",
    "(assert (! (= (exp 0.0) r) :named carried))",
    "(declare-heap (Int Int) (Bool Int))(assert (pto x 1))(assert sep.emp)",
    "(declare-heap (Int Int) (Bool Int))(assert (sep (pto x 1) (pto x 2)))",
    "(declare-heap (Int Int) (Bool Int))(assert (wand (pto x 1) false))",
    "(define-fun-rec f ((y Int)) Real (sin (f y)))",
    "(check-sat-assuming ((> (sin r) 2.0)))",
    "(block-model :values)",
    "(include \"more.smt2\")",
];

/// How many of these only constrain later commands.
const ASSERTIONS: usize = 15;

/// Commands that cannot change an answer.
const HARMLESS: [&str; 10] = [
    "(set-option :sat.threads 2)",
    "(echo \"(assert false)\")",
    "(get-info :all-statistics)",
    "(minimize x)",
    "(eval (+ x 1))",
    "(set-simplifier solve-eqs)",
    "(declare-fun unused ((Relation Int)) Unicode)",
    "(define-fun unused () Real (sin 1.0))",
    "(declare-codatatype Stream ((more (head Int) (tail Stream))))",
    "(push 1)(assert (> (sin r) 2.0))(pop 1)",
];

/// Contradictions and satisfiable assertions over few values; `x` is arbitrary.
const REFUTED: [&str; 4] = [
    "(assert p)(assert (not p))",
    "(assert (and q (= p (not q))))(push 1)(assert p)",
    "(declare-const v (_ BitVec 2))(assert (bvult v #b00))",
    "(assert (and (> x 3) p))(assert (= p q))(assert (not q))",
];
const SATISFIED: [&str; 4] = [
    "(assert (or p q))",
    "(assert (distinct p q))(push 1)(assert p)",
    "(declare-const v (_ BitVec 2))(assert (bvult v #b01))",
    "(assert (= x 3))",
];

fn builtin(name: &str) -> Solver {
    let fleet = Fleet::of_user().unwrap();
    fleet.solver(fleet.resolve(&name.parse().unwrap()).unwrap())
}

/// Returns whether and why the stand-in is considered wrong.
fn conviction(solver: &str, wrong: Option<FailureKind>, trusted: &[&str], text: &str) -> Option<Trust> {
    let mut task = question(builtin(solver), wrong, "");
    task.trusted = trusted.iter().map(|name| TrustedSolver::new(builtin(name))).collect();
    task.trials = 1;
    begin(&task, text).ok().map(|(_, begun)| begun.evidence.truth)
}

fn drawn<'t>(texts: &[&'t str], rng: &mut RandomStream) -> &'t str {
    rng.pick(texts).copied().unwrap_or_default()
}

#[test]
fn nobody_is_accused_of_what_is_only_carried() {
    for number in 0..testing::amount("SQUALL_CARRIED", 40) {
        let mut rng = Unit { campaign: 44, number }.stream();
        let first = drawn(&CARRIED, &mut rng);
        // An assumption concerns only its own check.
        let (first, last) = if first.contains("check-sat") { ("", first) } else { (first, "(check-sat)") };
        let mut text = format!("{NAMES}{first}");
        for _ in 0..rng.below(4) {
            let part = match rng.below(3) {
                0 => drawn(&CARRIED, &mut rng),
                1 => drawn(&HARMLESS, &mut rng),
                _ => drawn(&SATISFIED, &mut rng),
            };
            // A name is declared once.
            if !["declare-", "define-", ":named", "check-sat"].iter().any(|word| part.contains(word)) {
                text += part;
            }
        }
        text += last;
        for solver in ["builtin:sat", "builtin:unsat", "builtin:error"] {
            for wrong in [None, Some(FailureKind::Unsat), Some(FailureKind::Sat), Some(FailureKind::InvalidModel)] {
                let found = conviction(solver, wrong, &["builtin:error"], &text);
                assert_eq!(found, None, "unit {number}: {solver} on\n{text}");
            }
        }
    }
}

#[test]
fn what_is_carried_and_cannot_matter_hides_no_wrong_answer() {
    let check = |text: &str, right: &str, wrong: &str| {
        let is_proven = |found: Option<Trust>| found.is_some_and(|truth| truth.is_certified());
        assert!(is_proven(conviction(wrong, None, &[], text)), "{wrong} is not found on\n{text}");
        assert_eq!(conviction(right, None, &[], text), None, "{right} is accused on\n{text}");
    };
    for number in 0..testing::amount("SQUALL_HARMLESS", 40) {
        let mut rng = Unit { campaign: 45, number }.stream();
        // An assertion that is not understood cannot satisfy a contradiction.
        let (carried, refuted) = (drawn(&CARRIED[..ASSERTIONS], &mut rng), drawn(&REFUTED, &mut rng));
        check(&format!("{NAMES}{carried}{refuted}(check-sat)"), "builtin:unsat", "builtin:sat");
        let (harmless, satisfied) = (drawn(&HARMLESS, &mut rng), drawn(&SATISFIED, &mut rng));
        check(&format!("{NAMES}{harmless}{satisfied}(check-sat)"), "builtin:sat", "builtin:unsat");
    }
}

/// `(_ pbeq 1 1 1)` was dropped from the question to other solvers, and the `sat` of those that cannot read it accused the solver that
/// rightly said `unsat`.
#[test]
fn a_solver_that_refuses_a_part_has_no_say() {
    let folder = tempfile::tempdir().unwrap();
    let refuses =
        stand_in(folder.path(), "case \"$t\" in *pbeq*) echo '(error \"what is pbeq?\")';; *) echo sat;; esac");
    let check = |text: &str, expect: Answer| {
        let mut store = Store::new();
        let script = smtlib::parse(&mut store, text).script;
        let instances = script.instances();
        let asked = CheckQuery { script: &script, instance: instances.last().unwrap() };
        let trusted = TrustedSolver::new(refuses.clone());
        let said = trusted.answer(&store, asked, &ProcessLimits::default());
        assert_eq!(said, expect, "{}", asked.text(&store, &Dialect::default(), false));
    };
    let names = "(set-option :smt.x 1)(declare-const p Bool)(check-sat)(minimize (ite p 1 0))";
    check(&format!("{names}(assert p)(check-sat-using smt)"), Answer::Sat);
    check(&format!("{names}(assert p)(assert ((_ pbeq 1 1) p))(check-sat-using smt)"), Answer::Void);
    check(&format!("{names}(push 1)(assert ((_ pbeq 1 1) p))(pop 1)(check-sat)"), Answer::Sat);
    check(&format!("{names}(check-sat-assuming (((_ pbeq 1 1) p)))"), Answer::Void);
}
