//! No wrong answers on small worlds: random strategies over all tactics, tacticals and parameters on problems of all theories
//! whose answers exhaustion knows; cores are exhausted again.
//!
//! `SQUALL_WORLDS` says how many, `SQUALL_SEED` which ones; the figure in docs/measurements/benchmarks.md comes from
//! `SQUALL_WORLDS=20000 cargo test --release -p strategy --all-features --test it worlds:: -- --nocapture`.

use crate::strategies::support::{Numbers, instance, random_strategy, read, run};
use mutate::finite::FiniteMutator;
use mutate::{TargetSpelling, Unit};
use smtlib::{Instance, Status, Store};
use std::collections::BTreeMap;
use strategy::SolveAnswer;

/// Strategies that end in time have ended by then, nearly all: seconds.
const TIME: f64 = 0.2;

#[test]
fn random_strategies_are_right_on_small_worlds() {
    let (count, seed) = (testing::amount("SQUALL_WORLDS", 100), testing::amount("SQUALL_SEED", 8));
    let mut numbers = Numbers(seed | 1);
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    let (mut cores, mut wrong, mut told) = (0, Vec::new(), 0);
    let finite = FiniteMutator { incremental: 0, mutants: 4, ..FiniteMutator::default() };
    // Strategies decide assertions, and what rules derive is no question of them.
    let target = TargetSpelling { lacks: vec!["rule".into()], ..TargetSpelling::default() };
    let made =
        finite.problems(&target, Unit { campaign: seed, number: 0 }, count, |_, mutant| {
            let mut store = Store::new();
            let instance = instance(&mut store, &mutant.text);
            let strategy = random_strategy(&mut numbers);
            let report = run(&mut store, &instance, &strategy, TIME, true);
            *counts.entry(report.answer.word()).or_default() += 1;
            let why = match (&report.answer, mutant.expected[0]) {
                _ if report.internal_error => Some("an error of our own".to_string()),
                (SolveAnswer::Sat { .. }, Status::Unsat) | (SolveAnswer::Unsat { .. }, Status::Sat) => {
                    Some("the wrong answer".to_string())
                }
                (SolveAnswer::Unsat { core, .. }, _) => {
                    cores += 1;
                    let assertions = core.iter().map(|&n| instance.assertions[n]).collect();
                    let few = Instance { assertions, ..instance.clone() };
                    let again = run(&mut store, &few, &read("exhaust"), 60.0, false);
                    (again.answer.word() == "sat").then(|| format!("the core {core:?} is satisfiable"))
                }
                _ => None,
            };
            told += 1;
            if told % 1000 == 0 {
                println!("{told}: {counts:?}, {} wrong", wrong.len());
            }
            wrong.extend(why.map(|why| {
                format!("{why}: {:?} by {strategy}\n{}\n{}", report.answer, report.trace.text(), mutant.text)
            }));
            Ok::<(), std::convert::Infallible>(())
        });
    assert_eq!(made, Ok(count));
    println!("{count} strategies: {counts:?}, {cores} cores exhausted again, {} wrong", wrong.len());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(counts.contains_key("sat") && cores > 0, "{counts:?}, {cores} cores");
}
