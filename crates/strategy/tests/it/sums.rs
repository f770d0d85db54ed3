//! `smt` on formulas over linear sums, which are decided inside of the search: random ones against the simplex on whole assignments,
//! and those that once were decided wrongly or slowly.

use crate::engine_support::{Bench, read};
use crate::engines::{engine, smt_over};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus as Rng;
use semantics::{Verdict, validate};
use smtlib::TermId;
use std::fmt::Write as _;
use std::time::Duration;
use strategy::{Budget, Decision, Engine};

/// A problem being written: symbols x0, x1 … of one sort each.
pub struct SumProblem<'r> {
    pub rng: &'r mut Rng,
    /// Whether each is an integer.
    pub integral: Vec<bool>,
}

impl SumProblem<'_> {
    /// Symbols within bounds, so that branch and bound ends; with formulas of every connective, deep enough that atoms occur under both
    /// polarities, or under one.
    pub fn script(mut self) -> String {
        let mut text = String::new();
        for (n, &integral) in self.integral.iter().enumerate() {
            let sort = if integral { "Int" } else { "Real" };
            let (low, high) = if integral { ("(- 8)", "8") } else { ("(- 8.0)", "8.0") };
            writeln!(text, "(declare-const x{n} {sort}) (assert (<= {low} x{n} {high}))").unwrap();
        }
        for _ in 0..self.rng.random_range(2..12u32) {
            let formula = self.formula(3);
            writeln!(text, "(assert {formula})").unwrap();
        }
        text + "(check-sat)"
    }

    fn formula(&mut self, depth: u32) -> String {
        if depth == 0 {
            return self.atom();
        }
        let [a, b, c] = [0; 3].map(|_| self.formula(depth - 1));
        match self.rng.random_range(0..9u32) {
            0 | 1 => format!("(or {a} {b} {c})"),
            2 => format!("(and {a} {b})"),
            3 => format!("(not {a})"),
            4 => format!("(xor {a} {b})"),
            5 => format!("(ite {a} {b} {c})"),
            6 => format!("(=> {a} {b})"),
            7 => format!("(= {a} {b})"),
            _ => a,
        }
    }

    fn atom(&mut self) -> String {
        let integral = self.rng.random_range(0..2u32) == 0;
        let fitting: Vec<usize> = (0..self.integral.len()).filter(|&n| self.integral[n] == integral).collect();
        let number = |n: i64| match (integral, n < 0) {
            (true, true) => format!("(- {})", -n),
            (true, false) => n.to_string(),
            (false, true) => format!("(- {}.0)", -n),
            (false, false) => format!("{n}.0"),
        };
        let summands: Vec<String> = (0..self.rng.random_range(1..=3u32))
            .filter_map(|_| {
                let x = fitting.get(self.rng.random_range(0..fitting.len().max(1)))?;
                Some(format!("(* {} x{x})", number(self.rng.random_range(-3..=3))))
            })
            .collect();
        let relation = ["<=", "<", ">=", ">", "=", "distinct"][self.rng.random_range(0..6usize)];
        let zero = number(0);
        format!("({relation} (+ {} {zero} {zero}) {})", summands.join(" "), number(self.rng.random_range(-12..=12)))
    }
}

/// Whether an engine finds a model, which is checked; with the core if it does not.
fn ask(engine: &dyn Engine, text: &str, only: Option<&[usize]>) -> Result<(), Vec<usize>> {
    let (mut store, mut assertions) = read(text);
    if let Some(only) = only {
        assertions = only.iter().map(|&n| assertions[n]).collect::<Vec<TermId>>();
    }
    match engine.decide(&mut store, &assertions, &Budget::of(Duration::from_secs(300))) {
        Decision::Sat(model) => {
            assert_eq!(validate(&store, &assertions, model), Verdict::Valid, "{text}");
            Ok(())
        }
        Decision::Unsat(core) => Err(core),
        Decision::Unknown(why) => panic!("{why}: {text}"),
    }
}

#[test]
fn random_formulas_get_the_answer_of_the_search_without() {
    let (smt, slow) = (engine("smt"), smt_over("simplex"));
    let mut answers = [0u32; 2];
    for seed in 0..testing::amount("SQUALL_SUMS", 150u64) {
        let mut rng = Rng::seed_from_u64(seed);
        let integral = (0..rng.random_range(2..6u32)).map(|_| rng.random_range(0..2u32) == 0).collect();
        let text = SumProblem { rng: &mut rng, integral }.script();
        let known = ask(&*slow, &text, None);
        let found = ask(&*smt, &text, None);
        assert_eq!(found.is_ok(), known.is_ok(), "seed {seed}: {text}");
        if let Err(core) = found {
            assert!(ask(&*slow, &text, Some(&core)).is_err(), "the core {core:?} of {text}");
        }
        answers[usize::from(known.is_ok())] += 1;
    }
    assert!(answers.iter().all(|&n| n > 20), "{answers:?}");
}

/// What one row implies: each of these is refuted, or satisfied, by literals that no clause decides.
#[test]
fn rows_imply_literals() {
    let smt = engine("smt");
    let bench = Bench(&*smt);
    let names = "(declare-const x Real) (declare-const y Real) (declare-const z Real) (declare-const p Bool)";
    bench.core(
        &format!(
            "{names} (assert (<= (+ x y) 1.0)) (assert (>= x 2.0)) (assert (or (>= y 0.0) p)) \
             (assert (or (>= (- y z) 5.0) (not p))) (assert (>= z 0.0)) (check-sat)"
        ),
        &[0, 1, 2, 3, 4],
    );
    bench.sat(&format!(
        "{names} (assert (< (+ x y z) 1.0)) (assert (> (+ x y) 1.0)) (assert (or (> z 0.0) (< (- x y) z))) (check-sat)"
    ));
    // Strict: nothing lies between.
    bench.core(
        &format!("{names} (assert (< (+ x y) z)) (assert (or (> (+ x y) z) (= (+ x y) z))) (check-sat)"),
        &[0, 1],
    );
    // An integer that the relaxation would give a fraction.
    let integers = "(declare-const i Int) (declare-const j Int) (declare-const k Int)";
    bench.core(&format!("{integers} (assert (= (+ (* 2 i) (* 2 j)) (+ 1 (* 4 k)))) (check-sat)"), &[0]);
    bench.sat(&format!(
        "{integers} (assert (or (= (+ (* 2 i) (* 3 j)) 7) (= (+ i j k) 0))) (assert (> i 1)) (assert (> j 0)) (check-sat)"
    ));
}

#[test]
fn a_search_over_sums_ends_when_it_is_cancelled() {
    // 60 symbols, 600 clauses of dense sums: far too large to be decided.
    let mut rng = Rng::seed_from_u64(7);
    let mut text: String = (0..60).fold(String::new(), |text, n| text + &format!("(declare-const x{n} Real) "));
    for _ in 0..600 {
        let atom = |rng: &mut Rng| {
            let summand =
                |rng: &mut Rng| format!("(* {}.0 x{})", rng.random_range(1..9u32), rng.random_range(0..60u32));
            let (a, b, c) = (summand(rng), summand(rng), summand(rng));
            format!("(< (+ {a} {b}) (+ {c} (- {}.0)))", rng.random_range(1..50u32))
        };
        let (a, b) = (atom(&mut rng), atom(&mut rng));
        writeln!(text, "(assert (xor {a} {b}))").unwrap();
    }
    let (mut store, assertions) = read(&(text + "(check-sat)"));
    let budget = Budget::of(Duration::from_secs(300));
    let cancel = budget.cancel.clone();
    let decision = std::thread::scope(|scope| {
        scope.spawn(move || {
            std::thread::sleep(Duration::from_secs(2));
            cancel.cancel();
        });
        engine("smt").decide(&mut store, &assertions, &budget)
    });
    let stopped = |why: &str| ["cancelled", "the time is up"].contains(&why);
    assert!(matches!(&decision, Decision::Unknown(why) if stopped(why)), "{decision:?}");
}
