//! Every reader of external bytes on mutated examples: a deterministic stand-in for the fuzz targets in `fuzz/`, which need a nightly
//! compiler and share the readers' files. Scripts themselves are in `smtlib`'s test `mutated`.
//!
//! `SQUALL_FUZZ_ROUNDS` sets the number of mutants per example.

mod coverage;
mod frames;
#[cfg(feature = "nats")]
mod messages;
mod models;
#[path = "../../../../smtlib/tests/it/support/mutated_examples.rs"]
pub mod mutated_examples;
mod outputs;
mod strategies;
mod tables;

use mutated_examples::feed;

/// Mutants of each example.
const ROUNDS: u64 = 400;

#[test]
fn coverage_of_programs() {
    feed(coverage::check, coverage::EXAMPLES, ROUNDS);
    // The examples are valid, so that their mutants get beyond the first check. The second program executes two functions, three lines
    // and one of two branches.
    let executed = |n: usize| coverage::executed(coverage::EXAMPLES[n].as_bytes());
    assert_eq!((executed(0)[0], executed(1)[1]), (Some(3), Some(6)));
}

#[test]
fn frames_of_mutator_programs() {
    feed(frames::check, frames::EXAMPLES, ROUNDS);
}

#[test]
fn models_of_solvers() {
    feed(models::check, models::EXAMPLES, ROUNDS);
}

#[test]
fn outputs_of_solvers() {
    feed(outputs::check, outputs::EXAMPLES, ROUNDS);
}

#[test]
fn strategies_and_specifications() {
    feed(strategies::check, strategies::EXAMPLES, ROUNDS);
}

#[test]
fn tables_of_users() {
    feed(tables::check, tables::EXAMPLES, ROUNDS);
}

#[cfg(feature = "nats")]
#[test]
fn messages_between_machines() {
    feed(messages::check, messages::EXAMPLES, ROUNDS);
    // The first examples are valid, so that their mutants get beyond the first check.
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
