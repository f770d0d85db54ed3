//! The exchange between branches: which units and bounds reach which branch, and that lemmas hold.

use crate::engine_support::read as read_assertions;
use crate::engines::engine;
use crate::strategies::support::{instance, read, run, solvers};
use crate::sums::SumProblem;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus as Rng;
use rewrite::{Goal, PassSettings, Wants};
use smtlib::Store;
use std::sync::Arc;
use std::time::Duration;
use strategy::budget::Stopped;
use strategy::engines::arithmetic::integer::SearchLimits;
use strategy::engines::arithmetic::{ArithmeticAnswer, Conjunction};
use strategy::trace::Trace;
use strategy::{Budget, Decision, Shared, SolveAnswer, TacticOutcome, TacticRun, plan};

/// The formulas of the only goal that a strategy leaves, its branches run in order.
#[track_caller]
fn check(text: &str, strategy: &str, expect: &[&str]) {
    let mut store = Store::new();
    let instance = instance(&mut store, &format!("{text}(check-sat)"));
    let plan = plan(&read(strategy), &solvers()).unwrap_or_else(|error| panic!("{error}"));
    let goal = Goal::of(&mut store, &instance.assertions, Wants::ALL, &PassSettings::default()).expect("small");
    let budget = Budget { in_order: true, ..Budget::of(Duration::from_secs(60)) };
    let shared = Arc::new(Shared::new(solvers(), instance.declarations.clone(), instance.logic));
    match plan.run(&mut store, goal, &mut TacticRun::new(budget, shared, Trace::default())) {
        TacticOutcome::Open(open) => {
            let [step] = &open.branches[..] else { panic!("{} subgoals", open.branches.len()) };
            let found: Vec<String> = step.goal.terms().map(|t| store.term_text(t)).collect();
            assert_eq!(found, expect, "{strategy} on {text}");
        }
        outcome => panic!("{strategy} on {text}: {}", outcome.summary()),
    }
}

const CHAIN: &str = "(declare-const x Int)(declare-const y Int)(declare-const p Bool)
    (assert (<= x 3))(assert (<= 2 y))(assert (<= y (- x 1)))(assert (or p (< x y)))";

#[test]
fn units_and_bounds_of_one_branch_reach_the_others() {
    let own = ["(<= x 3)", "(<= 2 y)", "(<= y (- x 1))", "(or p (< x y))"];
    let with = |more: &[&'static str]| [&own[..], more].concat();
    check(CHAIN, "(par-or fail skip)", &own);
    check(CHAIN, "(par-or (then propagate-bounds fail) skip)", &with(&["p", "(= x 3)", "(= y 2)"]));
    // Facts of a stronger goal do not follow.
    check(CHAIN, "(par-or (then add-bounds propagate-bounds fail) skip)", &own);
    // Nor those after a parameter lets a step lose models.
    let encoded = "(declare-const x (_ BitVec 32))(declare-const y Float32)(declare-const q Bool)
        (assert (= ((_ to_fp 8 24) x) (fp.add RNE y y)))(assert (and q (bvult x #x00000005)))";
    let hoisted = ["(= ((_ to_fp 8 24) x) (fp.add RNE y y))", "(and q (bvult x #x00000005))", "q"];
    check(encoded, "(par-or (then solve-eqs and-hoisting fail) skip)", &hoisted);
    check(encoded, "(par-or (then (using-params solve-eqs :encodings 1) and-hoisting fail) skip)", &hoisted[..2]);
    // Nor those in one of two cases.
    check(CHAIN, "(par-or (then split-or simplify fail) skip)", &own);
    // Goals of an inner race are others.
    check(CHAIN, "(par-or (par-or (then propagate-bounds fail) fail) skip)", &own);
    let fractions = "(declare-const x Real)(declare-const z Real)(declare-const i Int)
        (assert (and (< (* 2.0 x) 7.0) (= (* 4.0 z) 6.0) (< 7 (* 2 i))))";
    check(
        fractions,
        "(par-or (then and-hoisting fail) skip)",
        &["(and (< (* 2.0 x) 7.0) (= (* 4.0 z) 6.0) (< 7 (* 2 i)))", "(< x 3.5)", "(= z 1.5)", "(<= 4 i)"],
    );
}

/// Facts keep their origins: the core includes what the bound follows from.
#[test]
fn cores_have_what_was_told() {
    let text = "(declare-const x Int)(declare-const y Int)(declare-const z Int)(assert (<= x 3))(assert (= z 1))(assert (<= 2 y))
        (assert (<= y (- x 1)))(assert (distinct (* x x y) 18))(check-sat)";
    let mut store = Store::new();
    let instance = instance(&mut store, text);
    let strategy = "(par-or (then propagate-bounds fail) (then simplify solve-eqs simplify smt))";
    let mut answers = Vec::new();
    for _ in 0..3 {
        let report = run(&mut store, &instance, &read(strategy), 60.0, true);
        answers.push(match report.answer {
            SolveAnswer::Unsat { core, .. } => core,
            // The branches ran in parallel, and the second began before anything was sent.
            SolveAnswer::Unknown(why) => {
                assert!(why.contains("nonlinear"), "{why}");
                continue;
            }
            other => panic!("{other:?}"),
        });
    }
    assert!(answers.iter().all(|core| core == &[0, 2, 3, 4]), "{answers:?}");
}

/// Each lemma that searches send is valid: the simplex alone refutes it.
#[test]
fn lemmas_hold_whatever_the_goal() {
    let smt = engine("smt");
    let mut told = 0;
    for seed in 0..testing::amount("SQUALL_LEMMAS", 60u64) {
        let mut rng = Rng::seed_from_u64(1000 + seed);
        let integral = (0..rng.random_range(3..6u32)).map(|_| rng.random_range(0..2u32) == 0).collect();
        let text = SumProblem { rng: &mut rng, integral }.script();
        let (mut store, assertions) = read_assertions(&text);
        let budget = Budget::of(Duration::from_secs(300)).cooperating();
        let mut reader = budget.lemmas.as_ref().map(|lemmas| lemmas.reader()).expect("just made");
        let first = smt.decide(&mut store, &assertions, &budget);
        for lemma in reader.hear() {
            let limits = SearchLimits { depth: 100, cases: 10_000 };
            let answer: Result<ArithmeticAnswer, Stopped> =
                Conjunction::default().decide(&store, &lemma, limits, &Budget::of(Duration::from_secs(60)));
            assert!(matches!(answer, Ok(ArithmeticAnswer::Unsat(_))), "{lemma:?} of {text}: {answer:?}");
            told += 1;
        }
        // A second search has the lemmas of the first from the start, with the same result.
        let second = smt.decide(&mut store, &assertions, &budget);
        let word = |decision: &Decision| match decision {
            Decision::Sat(_) => "sat",
            Decision::Unsat(_) => "unsat",
            Decision::Unknown(_) => "unknown",
        };
        assert_eq!(word(&first), word(&second), "{text}");
    }
    assert!(told > 20, "{told}");
}

/// Symbols that one copy of a store made mean others in another: lemmas of them are not exchanged.
#[test]
fn lemmas_of_symbols_that_not_all_know_are_not_told() {
    let lemmas = [false, true].map(|is_common| {
        let told = (0..20).map(|seed| {
            let mut rng = Rng::seed_from_u64(1000 + seed);
            let (mut store, assertions) =
                read_assertions(&SumProblem { rng: &mut rng, integral: vec![true; 4] }.script());
            let mut budget = Budget::of(Duration::from_secs(300)).cooperating();
            if !is_common {
                budget.lemmas = budget.lemmas.map(|lemmas| lemmas.in_copy_of(&Store::new()));
            }
            let decision = engine("smt").decide(&mut store, &assertions, &budget);
            assert!(!matches!(decision, Decision::Unknown(_)), "{decision:?}");
            budget.lemmas.map_or(0, |lemmas| lemmas.len())
        });
        told.sum::<usize>()
    });
    assert!(lemmas[0] == 0 && lemmas[1] > 0, "{lemmas:?}");
}

/// In order, a run is a function of its input.
#[test]
fn runs_in_order_repeat_themselves() {
    let text = format!("{CHAIN}(assert (> (* x y p0) 5))(check-sat)")
        .replace("(declare-const p ", "(declare-const p0 Int)(declare-const p ");
    let trace = || {
        let mut store = Store::new();
        let instance = instance(&mut store, &text);
        let strategy = "(par-or (then propagate-bounds fail) (then split-or (par-then simplify (then solve-eqs smt))) (then simplify nla2bv smt))";
        let plan = plan(&read(strategy), &solvers()).unwrap_or_else(|error| panic!("{error}"));
        let goal = Goal::of(&mut store, &instance.assertions, Wants::ALL, &PassSettings::default()).expect("small");
        let budget = Budget { in_order: true, ..Budget::default() };
        let shared = Arc::new(Shared::new(solvers(), instance.declarations.clone(), instance.logic));
        let mut run = TacticRun::new(budget, shared, Trace::default());
        let outcome = plan.run(&mut store, goal, &mut run);
        format!("{} with {} terms", outcome.summary(), store.len())
    };
    let first = trace();
    assert!((0..3).all(|_| trace() == first), "{first}");
}
