//! Any bytes as a strategy and a solver's name: `cargo +nightly fuzz run strategies`. The body is shared with `cargo test -p fuzz --test it readers::`.
#![no_main]

use libfuzzer_sys::fuzz_target;

#[path = "../../crates/fuzz/tests/it/readers/strategies.rs"]
mod strategies;

// The test's examples come first, so even a run with an empty corpus checks that the reader works.
fuzz_target!(init: strategies::EXAMPLES.iter().for_each(|example| strategies::check(example.as_bytes())), |bytes: &[u8]| strategies::check(bytes));
