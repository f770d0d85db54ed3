//! Any bytes as a strategy and a solver's name: `cargo +nightly fuzz run strategies`. The body is shared with `cargo test -p fuzz --test readers`.
#![no_main]

use libfuzzer_sys::fuzz_target;

// The examples are the test's, and make a corpus.
#[allow(dead_code)]
#[path = "../../crates/fuzz/tests/readers/strategies.rs"]
mod strategies;

fuzz_target!(|bytes: &[u8]| strategies::check(bytes));
