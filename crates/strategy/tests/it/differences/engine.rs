//! `smt` on clauses of differences: job shops with known optimum, and random problems that another engine decides, too.

use super::shops::JobShop;
use crate::engine_support::{Bench, read};
use crate::engines::{engine, smt_over};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus as Rng;
use semantics::{Verdict, validate};
use smtlib::{Store, TermId};
use std::fmt::Write as _;
use std::time::Duration;
use strategy::{Budget, Decision, Engine};

/// Factors for which the numbers fit machine integers, and others.
const TIMES: &[i64] = &[1, 1 << 40, i64::MAX / 7, i64::MAX];

impl JobShop {
    /// The least deadline, by trying every order on every machine.
    pub fn optimum(&self) -> i64 {
        let orders = permutations(self.0.len());
        let machines = self.0[0].len();
        let mut best = i64::MAX;
        for mut choice in 0..orders.len().pow(machines as u32) {
            let mut chosen = Vec::new();
            for _ in 0..machines {
                chosen.push(&orders[choice % orders.len()]);
                choice /= orders.len();
            }
            best = best.min(self.length(&chosen).unwrap_or(i64::MAX));
        }
        best
    }

    /// Returns when the last job ends with these orders on the machines; `None` if they wait for each other.
    fn length(&self, orders: &[&Vec<usize>]) -> Option<i64> {
        let (mut next, mut done) = (vec![0; self.0.len()], vec![0; orders.len()]);
        let (mut job_free, mut machine_free) = (vec![0; self.0.len()], vec![0; orders.len()]);
        for _ in 0..self.0.len() * orders.len() {
            let ready =
                |&j: &usize| self.0[j].get(next[j]).is_some_and(|&(machine, _)| orders[machine][done[machine]] == j);
            let j = (0..self.0.len()).find(ready)?;
            let (machine, duration) = self.0[j][next[j]];
            let end = i64::max(job_free[j], machine_free[machine]) + duration;
            (job_free[j], machine_free[machine]) = (end, end);
            next[j] += 1;
            done[machine] += 1;
        }
        job_free.into_iter().max()
    }
}

/// Whether an engine finds a model, which is checked; otherwise with the core.
fn ask(engine: &dyn Engine, store: &mut Store, assertions: &[TermId]) -> Result<(), Vec<usize>> {
    match engine.decide(store, assertions, &Budget::of(Duration::from_secs(300))) {
        Decision::Sat(model) => {
            assert_eq!(validate(store, assertions, model), Verdict::Valid);
            Ok(())
        }
        Decision::Unsat(core) => Err(core),
        Decision::Unknown(why) => panic!("{why}"),
    }
}

/// It has no model, and neither has its core alone, according to another engine.
#[track_caller]
fn refuted(text: &str, other: &dyn Engine) {
    let (mut store, assertions) = read(text);
    let core = ask(&*engine("smt"), &mut store, &assertions).expect_err(text);
    let core: Vec<TermId> = core.into_iter().map(|n| assertions[n]).collect();
    assert!(ask(other, &mut store, &core).is_err(), "the core of {text}");
}

#[test]
fn small_shops_have_the_optimum_that_trying_all_orders_finds() {
    let (smt, slow) = (engine("smt"), smt_over("floyd-warshall"));
    for (seed, &(jobs, machines)) in [(2, 2), (3, 2), (2, 4), (3, 3), (4, 2)].iter().enumerate() {
        let shop = JobShop::random(&mut Rng::seed_from_u64(seed as u64), jobs, machines, 9);
        let optimum = shop.optimum();
        for (real, &times) in [false, true].into_iter().flat_map(|real| TIMES.iter().map(move |t| (real, t))) {
            Bench(&*smt).sat(&shop.script(optimum, real, times));
            refuted(&shop.script(optimum - 1, real, times), &*slow);
        }
    }
}

#[test]
fn large_shops_are_decided() {
    let smt = engine("smt");
    for (seed, (jobs, machines)) in [(8, 5), (10, 5), (6, 6)].into_iter().enumerate() {
        let shop = JobShop::random(&mut Rng::seed_from_u64(seed as u64), jobs, machines, 99);
        for deadline in [shop.loosest(), (shop.bound() + shop.loosest()) / 2] {
            Bench(&*smt).sat(&shop.script(deadline, seed % 2 == 1, 1));
        }
        refuted(&shop.script(shop.bound() - 1, seed % 2 == 1, 1), &*engine("smt"));
    }
}

/// Clauses of differences with bounds of one symbol, with few symbols so that answers differ; sometimes with huge numbers.
fn problem(rng: &mut Rng) -> String {
    let real = rng.random_range(0..2u32) == 0;
    let symbols = rng.random_range(2..7u32);
    let huge = rng.random_range(0..4u32) == 0;
    let sort = if real { "Real" } else { "Int" };
    let mut text: String = (0..symbols).map(|n| format!("(declare-const x{n} {sort}) ")).collect();
    let atom = |rng: &mut Rng| {
        let size = rng.random_range(-5..=5i64);
        let size = if huge { i128::from(size) * (1 << 61) + i128::from(size) } else { i128::from(size) };
        let fraction = if real { [".0", ".5", ".3"][rng.random_range(0..3usize)] } else { "" };
        let bound = if size < 0 { format!("(- {}{fraction})", -size) } else { format!("{size}{fraction}") };
        let two = if real { "2.0" } else { "2" };
        let name = ["<=", "<", ">=", ">", "=", "distinct"][rng.random_range(0..6usize)];
        let (x, y) = (rng.random_range(0..symbols), rng.random_range(0..symbols));
        match rng.random_range(0..5u32) {
            0 => format!("({name} x{x} {bound})"),
            1 => format!("({name} (* {two} x{x}) (+ (* {two} x{y}) {bound}))"),
            _ => format!("({name} (- x{x} x{y}) {bound})"),
        }
    };
    for _ in 0..rng.random_range(3..25u32) {
        let alternatives: Vec<String> = (0..rng.random_range(1..=3u32)).map(|_| atom(rng)).collect();
        writeln!(text, "(assert (or {} false))", alternatives.join(" ")).unwrap();
    }
    text + "(check-sat)"
}

#[test]
fn random_clauses_get_the_answer_of_the_search_without() {
    let (smt, slow) = (engine("smt"), smt_over("floyd-warshall"));
    let mut answers = [0u32; 2];
    for seed in 0..testing::amount("SQUALL_GRAPHS", 60u64) * 2 {
        let text = problem(&mut Rng::seed_from_u64(seed));
        let (mut store, assertions) = read(&text);
        let known = ask(&*slow, &mut store, &assertions);
        assert_eq!(ask(&*smt, &mut store, &assertions).is_ok(), known.is_ok(), "{text}");
        if known.is_err() {
            refuted(&text, &*slow);
        }
        answers[usize::from(known.is_ok())] += 1;
    }
    assert!(answers.iter().all(|&n| n > 0), "{answers:?}");
}

/// Conditional terms, other theories and later agreements, together with differences.
#[test]
fn differences_are_part_of_larger_problems() {
    let smt = engine("smt");
    let bench = Bench(&*smt);
    let names = "(declare-const x Int) (declare-const y Int) (declare-const b Bool) (declare-fun f (Int) Int)";
    bench.sat(&format!("{names} (assert (< (f x) (f y))) (assert (<= x (+ y 1))) (assert (<= y x)) (check-sat)"));
    bench.core(
        &format!("{names} (assert b) (assert (distinct (f x) (f y))) (assert (<= x y)) (assert (>= x y)) (check-sat)"),
        &[1, 2, 3],
    );
    bench.core(
        &format!("{names} (assert (< (ite b x y) 3)) (assert (> x 4)) (assert (or b (> y 3))) (check-sat)"),
        &[0, 1, 2],
    );
    bench.core(&format!("{names} (assert b) (assert (< (+ x 1) (+ x 1))) (check-sat)"), &[1]);
    bench.sat(&format!("{names} (assert (or (< (+ x 1) (+ x 1)) (= x (+ y 2)))) (check-sat)"));
    // A constraint that is not a difference: all are sums then.
    bench.core(
        &format!(
            "{names} (assert (< (- x y) 300)) (assert (> x 5)) (assert (< (+ x y) 0)) (assert (> y 0)) (check-sat)"
        ),
        &[1, 2, 3],
    );
}

#[test]
fn a_search_ends_when_it_is_cancelled() {
    // Far too large to be decided: so close to the bound there is no schedule, and no short reason for that.
    let shop = JobShop::random(&mut Rng::seed_from_u64(4), 20, 15, 999);
    let (mut store, assertions) = read(&shop.script(shop.bound() * 11 / 10, false, 1));
    let budget = Budget::of(Duration::from_secs(300));
    let cancel = budget.cancel.clone();
    let decision = std::thread::scope(|scope| {
        scope.spawn(move || {
            std::thread::sleep(Duration::from_secs(3));
            cancel.cancel();
        });
        engine("smt").decide(&mut store, &assertions, &budget)
    });
    // Most of the steps before the search do not record which of the two it was.
    let stopped = |why: &str| ["cancelled", "the time is up"].contains(&why);
    assert!(matches!(&decision, Decision::Unknown(why) if stopped(why)), "{decision:?}");
    assert!(budget.cancel.is_cancelled());
}

fn permutations(n: usize) -> Vec<Vec<usize>> {
    let mut found = vec![Vec::new()];
    for next in 0..n {
        found = found
            .iter()
            .flat_map(|short| {
                (0..=short.len()).map(move |at| {
                    let mut longer = short.clone();
                    longer.insert(at, next);
                    longer
                })
            })
            .collect();
    }
    found
}
