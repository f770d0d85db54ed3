//! Every reader of outside bytes over mutated examples: a deterministic stand-in for the fuzz targets in `fuzz/`, which need
//! a nightly compiler and share the readers' files. Scripts themselves are in `smtlib`'s test `mutated`.
//!
//! `SQUALL_FUZZ_ROUNDS` sets the mutants an example.

mod coverage;
mod frames;
#[cfg(feature = "nats")]
mod messages;
mod models;
#[path = "../../../../smtlib/tests/it/support/mutation.rs"]
pub mod mutation;
mod outputs;
mod strategies;
mod tables;

use mutation::{Random, mutate, transplant};

/// Mutants of each example.
const ROUNDS: u64 = 400;

/// Feeds a reader its examples and what becomes of them.
fn check(reader: fn(&[u8]), examples: &[&str]) {
    let rounds = testing::amount("SQUALL_FUZZ_ROUNDS", ROUNDS);
    for (n, example) in examples.iter().enumerate() {
        reader(example.as_bytes());
        for round in 0..rounds {
            let mut random = Random((n as u64) << 32 | round);
            let mut mutant = example.as_bytes().to_vec();
            let other = examples[random.below(examples.len())].as_bytes();
            match round % 3 {
                0 => transplant(&mut mutant, &mut random),
                _ => mutate(&mut mutant, other, &mut random),
            }
            if std::panic::catch_unwind(|| reader(&mutant)).is_err() {
                panic!("example {n}, round {round}:\n{}", String::from_utf8_lossy(&mutant));
            }
        }
    }
}

#[test]
fn coverage_of_programs() {
    check(coverage::check, coverage::EXAMPLES);
    // The examples are in order, so that their mutants get beyond the first check. The program of the second executes two functions,
    // three lines and one of two branches.
    let executed = |n: usize| coverage::executed(coverage::EXAMPLES[n].as_bytes());
    assert_eq!((executed(0)[0], executed(1)[1]), (Some(3), Some(6)));
}

#[test]
fn frames_of_mutator_programs() {
    check(frames::check, frames::EXAMPLES);
}

#[test]
fn models_of_solvers() {
    check(models::check, models::EXAMPLES);
}

#[test]
fn outputs_of_solvers() {
    check(outputs::check, outputs::EXAMPLES);
}

#[test]
fn strategies_and_specifications() {
    check(strategies::check, strategies::EXAMPLES);
}

#[test]
fn tables_of_users() {
    check(tables::check, tables::EXAMPLES);
}

#[cfg(feature = "nats")]
#[test]
fn messages_between_machines() {
    check(messages::check, messages::EXAMPLES);
    // The first examples are in order, so that their mutants get beyond the first check.
    use fuzz::nats::wire;
    let read = |n: usize| {
        serde_json::from_str::<serde_json::Value>(messages::EXAMPLES[n])
            .map(|body| wire::write(messages::CAMPAIGN, body))
    };
    let plan = wire::read::<fuzz::schedule::unit::UnitPlan>(&read(0).expect("JSON"), wire::MAX_SMALL, None);
    assert!(plan.is_ok(), "{plan:?}");
    let outcome = wire::read::<wire::WorkerMessage>(&read(2).expect("JSON"), wire::MAX_SMALL, None);
    assert!(outcome.is_ok(), "{outcome:?}");
}
