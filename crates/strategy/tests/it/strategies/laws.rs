//! The laws of tacticals, of the slides "Orchestrating decision engines", as properties of random strategies and goals.

use crate::strategies::support::{Numbers, instance, read};
use proptest::prelude::*;
use rewrite::{Goal, PassSettings, Precision, Wants};
use smtlib::Store;
use smtlib::strategy::{RandomStrategyLimits, Strategy as Term, Tactical};
use std::sync::Arc;
use std::time::Duration;
use strategy::trace::Trace;
use strategy::{Budget, Shared, Solvers, TacticOutcome, TacticRun, plan, vocabulary};

/// Problems over which laws are tried: decided ones, conjunctions, disjunctions, arithmetic.
const PROBLEMS: &[&str] = &[
    "(check-sat)",
    "(assert false)(check-sat)",
    "(declare-const p Bool)(declare-const q Bool)(assert (or p q))(assert (not p))(check-sat)",
    "(declare-const p Bool)(declare-const q Bool)(assert (or p q))(assert (not p))(assert (not q))(check-sat)",
    "(declare-const x Int)(declare-const y Int)(assert (or (< x y) (= x (+ y 1))))(assert (distinct x y))(check-sat)",
    "(declare-const x Real)(declare-const y Real)(assert (= x (* 2.0 y)))(assert (> x 3.0))(assert (ite (> y 1.0) (< x 9.0) false))(check-sat)",
    "(declare-const a (_ BitVec 4))(declare-const b (_ BitVec 4))(assert (= (bvadd a b) #x3))(assert (or (= a #x1) (bvult b a)))(check-sat)",
];

/// The comparable part of an outcome, with terms as text so that stores can differ.
fn shown(store: &Store, outcome: &TacticOutcome) -> String {
    match outcome {
        TacticOutcome::Sat(_) => "sat".to_string(),
        TacticOutcome::Unsat(refutation) => format!("unsat by {:?}", refutation.origins.indices()),
        TacticOutcome::Fail(_) => "fail".to_string(),
        TacticOutcome::Open(open) => {
            let goal = |goal: &Goal| {
                let terms: Vec<String> = goal.terms().map(|t| store.term_text(t)).collect();
                format!("{:?} {}", goal.precision, terms.join(" "))
            };
            let goals: Vec<String> = open.branches.iter().map(|b| goal(&b.goal)).collect();
            goals.join(" | ")
        }
    }
}

fn outcome(problem: &str, precision: Precision, strategy: &Term) -> String {
    let mut store = Store::new();
    let instance = instance(&mut store, problem);
    let solvers = Arc::new(Solvers::default());
    let plan = plan(strategy, &solvers).expect("no solver is named");
    let mut goal = Goal::of(&mut store, &instance.assertions, Wants::ALL, &PassSettings::default()).expect("small");
    goal.precision = precision;
    let shared = Arc::new(Shared::new(solvers, instance.declarations.clone(), None));
    let mut run = TacticRun::new(Budget::of(Duration::from_secs(60)), shared, Trace::default());
    let outcome = plan.run(&mut store, goal, &mut run);
    run.shared.wait_for_cancelled();
    shown(&store, &outcome)
}

/// A random strategy whose outcome does not depend on time or threads.
fn random(seed: u64) -> Term {
    let mut words = vocabulary();
    // Fresh symbols are numbered by the store, so that two runs of a pass in one store name them differently.
    words.tactics.retain(|name, _| {
        ["simplify", "nnf", "elim-true", "and-hoisting", "distinct-expansion", "split-or", "elim-duplicates", "sat"]
            .contains(&name.as_str())
    });
    use Tactical::{FailIf, If, OrElse, Repeat, Then, When};
    let shape = RandomStrategyLimits {
        vocabulary: &words,
        tacticals: &[Then, OrElse, Repeat, If, When, FailIf],
        engines: &[],
        tunables: &[],
        depth: 3,
        most_ms: 1,
    };
    let mut numbers = Numbers(seed | 1);
    shape.strategy(&mut |n| numbers.below(n))
}

fn law(problem: &str, precision: Precision, left: &str, right: &str) -> Result<(), TestCaseError> {
    let (l, r) = (outcome(problem, precision, &read(left)), outcome(problem, precision, &read(right)));
    prop_assert_eq!(l, r, "{} against {} on {} ({:?})", left, right, problem, precision);
    Ok(())
}

/// `then` is associative except for a subgoal that is sat together with one that fails: the first to be reached decides, and the order
/// depends on the parentheses.
fn associative(problem: &str, precision: Precision, left: &str, right: &str) -> Result<(), TestCaseError> {
    let (l, r) = (outcome(problem, precision, &read(left)), outcome(problem, precision, &read(right)));
    let one_fails = matches!((l.as_str(), r.as_str()), ("fail", "sat") | ("sat", "fail"));
    prop_assert!(one_fails || l == r, "{} against {} on {} ({:?}): {} {}", left, right, problem, precision, l, r);
    Ok(())
}

/// The first of two subgoals fails in the last step, the second is sat in the step before.
#[test]
fn what_is_met_first_decides() {
    let problem = "(declare-const p Bool)(declare-const q Bool)(assert (or p q))(assert (not p))(check-sat)";
    let check = |text: &str, expect: &str| {
        assert_eq!(outcome(problem, Precision::Under, &read(text)), expect, "{text}");
    };
    check("(then split-or (then (or-else sat skip) fail))", "fail");
    check("(then (then split-or (or-else sat skip)) fail)", "sat");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn tacticals_obey_their_laws(seeds in any::<[u64; 3]>(), problem in 0..PROBLEMS.len(), under in 0..4usize) {
        let [s, t, u] = seeds.map(|seed| random(seed).to_string());
        let problem = PROBLEMS[problem];
        let precision = [Precision::Exact, Precision::Under, Precision::Over, Precision::UnderOver][under];
        let law = |left: String, right: &str| law(problem, precision, &left, right);
        law(format!("(then skip {t})"), &t)?;
        law(format!("(then {t} skip)"), &t)?;
        let left = format!("(then (then {s} {t}) {u})");
        associative(problem, precision, &format!("(then {s} (then {t} {u}))"), &left)?;
        associative(problem, precision, &format!("(then {s} {t} {u})"), &left)?;
        law(format!("(or-else fail {t})"), &t)?;
        law(format!("(or-else {t} fail)"), &t)?;
        law(format!("(or-else {s} (or-else {t} {u}))"), &format!("(or-else (or-else {s} {t}) {u})"))?;
        law(format!("(or-else skip {t})"), "skip")?;
        law(format!("(then fail {t})"), "fail")?;
        law(format!("(or-else {t} {t})"), &t)?;
        law(format!("(par-or fail {t})"), &t)?;
        law(format!("(par-then skip {t})"), &t)?;
        law("(repeat skip)".to_string(), "skip")?;
        law(format!("(repeat {t} 0)"), "skip")?;
        law(format!("(if (= num-exprs num-exprs) {s} {t})"), &s)?;
        law(format!("(if (not (= num-exprs num-exprs)) {s} {t})"), &t)?;
        law(format!("(when diff {t})"), &format!("(if diff {t} skip)"))?;
        law("(fail-if diff)".to_string(), "(if diff fail skip)")?;
        law("(fail-if (not (< 1 0)))".to_string(), "fail")?;
        law(format!("(thens skip {t})"), &t)?;
        law(format!("(try-for {t} 4000000)"), &t)?;
    }
}

#[test]
fn thens_wants_a_strategy_for_each_subgoal() {
    let problem = "(declare-const p Bool)(declare-const q Bool)(assert p)(assert q)(check-sat)";
    let check =
        |text: &str, expect: &str| assert_eq!(outcome(problem, Precision::Exact, &read(text)), expect, "{text}");
    check("(thens skip skip)", "Exact p q");
    check("(thens skip)", "fail");
    check("(thens skip skip skip)", "fail");
    check("(thens skip fail)", "fail");
}

#[test]
fn approximations_answer_one_way_only() {
    let sat = "(declare-const p Bool)(assert p)(check-sat)";
    let unsat = "(declare-const p Bool)(assert p)(assert (not p))(check-sat)";
    let check = |problem: &str, precision: Precision, expect: &str| {
        assert_eq!(outcome(problem, precision, &read("sat")), expect, "{problem} {precision:?}");
    };
    check(sat, Precision::Exact, "sat");
    check(sat, Precision::Under, "sat");
    check(sat, Precision::Over, "fail");
    check(sat, Precision::UnderOver, "fail");
    check(unsat, Precision::Exact, "unsat by [0, 1]");
    check(unsat, Precision::Over, "unsat by [0, 1]");
    check(unsat, Precision::Under, "fail");
    check(unsat, Precision::UnderOver, "fail");
}

#[test]
fn nothing_goes_on_for_ever() {
    let problem = PROBLEMS[4];
    // A repeat of a step that always changes something ends at its limit, and time ends everything.
    assert_ne!(outcome(problem, Precision::Exact, &read("(repeat (repeat (then simplify nnf)))")), "");
    assert_eq!(outcome(problem, Precision::Exact, &read("(try-for (repeat simplify) 0)")), "fail");
}
