//! Quantified problems: small ones with their answers, and random ones over few values compared with exhaustion.
//!
//! `SQUALL_QUANTIFIED` sets the number of random ones.

use crate::engine_support::{Bench, plan, read, solve};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus as Rng;
use rewrite::Params;
use semantics::{Verdict, validate};
use std::fmt::Write as _;
use std::time::Duration;
use strategy::engines::mbqi::Mbqi;
use strategy::{Budget, Decision, Engine, MakeEngine, SolveAnswer};

const WORDS: &str = "(declare-const a (_ BitVec 32)) (declare-const b (_ BitVec 32))";

#[test]
fn refutations_name_the_assertions_they_need() {
    let engine = Mbqi::new(&Params::default());
    let bench = Bench(&engine);
    let core = |text: &str, core: &[usize]| bench.core(&format!("{WORDS} {text} (check-sat)"), core);
    core("(assert (forall ((x (_ BitVec 32))) (bvult x a)))", &[0]);
    core("(assert (forall ((x (_ BitVec 32))) (bvsle a x))) (assert (= a b)) (assert (= b #x7fffffff))", &[0, 1, 2]);
    // The instance is at the witness of the other quantifier.
    core(
        "(assert (bvult a b)) (assert (exists ((x (_ BitVec 32))) (and (bvsle (bvadd x #x00000002) a) (bvsle b x))))
         (assert (bvugt b a)) (assert (forall ((x (_ BitVec 32))) (not (and (bvsle (bvadd x #x00000002) a) (bvsle b x)))))",
        &[1, 3],
    );
    // Of the inverse of an odd factor.
    core("(assert (forall ((x (_ BitVec 32))) (not (= (bvadd (bvmul #x00000007 x) a) b))))", &[0]);
    core(
        "(assert (exists ((x (_ BitVec 32))) (forall ((y (_ BitVec 32))) (exists ((z (_ BitVec 32))) (and (bvult y x) (= z y))))))",
        &[0],
    );
    // A quantifier below an equality of truth values counts in both directions.
    core("(assert (= (= a b) (forall ((x (_ BitVec 32))) (= x x)))) (assert (distinct a b))", &[0, 1]);
    core("(declare-fun f ((_ BitVec 32)) (_ BitVec 32)) (assert (forall ((x (_ BitVec 32))) (bvugt (f x) x)))", &[0]);
    bench.core("(declare-const i Int) (assert (forall ((x Int)) (< x i))) (check-sat)", &[0]);
    bench.core("(assert (forall ((x Real)) (exists ((y Real)) (< x y 0.0)))) (check-sat)", &[0]);
    bench.unknown(
        "(declare-sort U 0) (declare-const u U) (declare-const v U) (assert (distinct u v)) (assert (forall ((x U)) (or (= x u) (= x v)))) (check-sat)",
        "sort U",
    );
    bench.unknown(
        "(declare-fun f (Int) Int) (assert (forall ((x String)) (= x (str.++ x x)))) (check-sat)",
        "not a linear constraint",
    );
}

/// Returns the answer of the strategy that ends in `mbqi`; models are checked there.
#[track_caller]
fn check(text: &str, expect: &str) {
    let (mut store, assertions) = read(&format!("{text} (check-sat)"));
    let answer = solve(&mut store, &assertions, &plan("mbqi"), Duration::from_secs(120));
    assert_eq!(answer.word(), expect, "{text}: {answer:?}");
    assert!(!matches!(answer, SolveAnswer::Sat { unchecked: Some(_), .. }), "{text}");
}

#[test]
fn models_are_checked_by_refuting_what_speaks_against_them() {
    check(&format!("{WORDS} (assert (forall ((x (_ BitVec 32))) (bvule a x)))"), "sat");
    check(
        "(assert (forall ((x (_ BitVec 64))) (exists ((y (_ BitVec 64))) (= (bvadd x y) #x0000000000000007))))",
        "sat",
    );
    check("(assert (forall ((x Int)) (exists ((y Int)) (= (* 2 y) (+ x x 4)))))", "sat");
    check("(declare-const i Int) (assert (forall ((x Int)) (=> (< x 10) (< x i))))", "sat");
    check("(declare-const i Real) (assert (forall ((x Real)) (=> (< 1.0 x) (< i x))))", "sat");
    check(
        "(declare-fun f ((_ BitVec 16)) (_ BitVec 16)) (assert (forall ((x (_ BitVec 16))) (bvule (f #x0001) x)))",
        "sat",
    );
    check(
        "(declare-const m (Array (_ BitVec 8) (_ BitVec 32))) (assert (forall ((i (_ BitVec 8))) (bvult (select m i) #x00000005)))",
        "sat",
    );
}

/// A model that could not be checked in time was once accepted: the final check of the answer found it wrong, and the answer of the next
/// strategy was lost. Whatever the time, these are not satisfied by the first candidate.
#[test]
fn no_model_is_given_when_the_time_is_up() {
    let engine = Mbqi::new(&Params::default());
    for text in [
        "(declare-const r Real) (assert (forall ((q Real)) (=> (= q q) (< (* (- 2.0) (- q r)) (- (- 8.5 q)))))) (check-sat)",
        "(declare-fun f (Int) Int) (assert (forall ((x Int)) (= (f x) (+ x (f 0))))) (assert (= (f 2) 7)) (check-sat)",
    ] {
        for milliseconds in 1..40 {
            let (mut store, assertions) = read(text);
            let budget = Budget::of(Duration::from_millis(milliseconds));
            let decision = engine.decide(&mut store, &assertions, &budget);
            assert!(!matches!(decision, Decision::Sat(_)), "after {milliseconds} ms: {decision:?}");
        }
    }
}

#[test]
fn small_random_problems_have_the_answer_of_exhaustion() {
    let exhaust = strategy::engines::ENGINES.iter().find(|e| e.name == "exhaust").unwrap();
    let MakeEngine::Alone(make) = exhaust.make else { panic!("exhaust needs no other engine") };
    let (exhaust, mbqi) = (make(&Params::default()), Mbqi::new(&Params::default()));
    let mut counts = [0; 3];
    for seed in 0..testing::amount("SQUALL_QUANTIFIED", 150) {
        let text = problem(&mut Rng::seed_from_u64(seed));
        let (mut store, assertions) = read(&text);
        let expect = exhaust.decide(&mut store, &assertions, &Budget::default());
        let found = mbqi.decide(&mut store, &assertions, &Budget::of(Duration::from_secs(60)));
        match (&found, &expect) {
            (Decision::Sat(model), Decision::Sat(_)) => {
                assert_eq!(validate(&store, &assertions, model.clone()), Verdict::Valid, "{text}");
                counts[0] += 1;
            }
            (Decision::Unsat(core), Decision::Unsat(_)) => {
                let core: Vec<_> = core.iter().map(|&n| assertions[n]).collect();
                let again = exhaust.decide(&mut store, &core, &Budget::default());
                assert!(!matches!(again, Decision::Sat(_)), "the core {core:?} of {text}");
                counts[1] += 1;
            }
            (Decision::Unknown(_), _) | (_, Decision::Unknown(_)) => counts[2] += 1,
            _ => panic!("{found:?}, where exhaustion says {expect:?}, of {text}"),
        }
    }
    println!("sat {}, unsat {}, not decided by both {}", counts[0], counts[1], counts[2]);
    assert!(counts[0] > 10 && counts[1] > 10 && counts[2] * 5 < counts.iter().sum::<u64>(), "{counts:?}");
}

/// A problem with nested quantifiers over two and three bits and truth values.
fn problem(rng: &mut Rng) -> String {
    let mut text = String::from(
        "(declare-const p Bool)(declare-const u (_ BitVec 2))(declare-const v (_ BitVec 3))(declare-fun f ((_ BitVec 2)) Bool)",
    );
    for _ in 0..rng.random_range(1..4) {
        let formula = formula(rng, 4, &mut vec![("p".to_string(), 0), ("u".to_string(), 2), ("v".to_string(), 3)]);
        let _ = write!(text, "(assert {formula})");
    }
    text + "(check-sat)"
}

/// A formula over names with their widths, 0 for a truth value.
fn formula(rng: &mut Rng, depth: u32, names: &mut Vec<(String, u32)>) -> String {
    let choice = if depth == 0 { rng.random_range(0..3) } else { rng.random_range(0..11) };
    match choice {
        0 => term(rng, 0, names),
        1 => {
            let relation = ["=", "bvult", "bvsle", "distinct"][rng.random_range(0..4)];
            let width = rng.random_range(2..4);
            format!("({relation} {} {})", term(rng, width, names), term(rng, width, names))
        }
        2 => format!("(f {})", term(rng, 2, names)),
        3 => format!("(not {})", formula(rng, depth - 1, names)),
        4..=6 => {
            let connective = ["and", "or", "=>", "=", "xor"][rng.random_range(0..5)];
            format!("({connective} {} {})", formula(rng, depth - 1, names), formula(rng, depth - 1, names))
        }
        7 => {
            let parts =
                [formula(rng, depth - 1, names), formula(rng, depth - 1, names), formula(rng, depth - 1, names)];
            format!("(ite {} {} {})", parts[0], parts[1], parts[2])
        }
        _ => {
            let quantifier = ["forall", "exists"][rng.random_range(0..2)];
            // Sometimes a name that is bound already.
            let name = format!("x{}", rng.random_range(0..3));
            let width = [0, 2, 2, 3][rng.random_range(0..4)];
            let sort = if width == 0 { "Bool".to_string() } else { format!("(_ BitVec {width})") };
            let before = names.clone();
            names.retain(|(other, _)| *other != name);
            names.push((name.clone(), width));
            let body = formula(rng, depth - 1, names);
            *names = before;
            format!("({quantifier} (({name} {sort})) {body})")
        }
    }
}

fn term(rng: &mut Rng, width: u32, names: &[(String, u32)]) -> String {
    let fitting: Vec<&String> = names.iter().filter(|(_, w)| *w == width).map(|(name, _)| name).collect();
    let name = fitting.get(rng.random_range(0..fitting.len().max(1))).map(|name| name.to_string());
    let name =
        name.unwrap_or_else(|| if width == 0 { "true".to_string() } else { format!("#b{:01$b}", 1, width as usize) });
    if width == 0 {
        return name;
    }
    match rng.random_range(0..5) {
        0 => format!("#b{:01$b}", rng.random_range(0..1 << width), width as usize),
        1 => format!("(bvadd {name} {})", fitting.last().copied().unwrap_or(&name)),
        2 => format!("(bvnot {name})"),
        _ => name,
    }
}
