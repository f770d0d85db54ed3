//! Any bytes as the counters of an instrumented program: `cargo +nightly fuzz run coverage`. The body is shared with `cargo test -p fuzz --test it readers::`.
#![no_main]

use libfuzzer_sys::fuzz_target;

#[path = "../../crates/fuzz/tests/it/readers/coverage.rs"]
mod coverage;

// The test's examples come first, so even a run with an empty corpus checks that the readers work.
fuzz_target!(init: coverage::EXAMPLES.iter().for_each(|example| coverage::check(example.as_bytes())), |bytes: &[u8]| coverage::check(bytes));
