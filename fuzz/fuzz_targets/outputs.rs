//! Any bytes as a solver's output: `cargo +nightly fuzz run outputs`. The body is shared with `cargo test -p fuzz --test readers`.
#![no_main]

use libfuzzer_sys::fuzz_target;

// The examples are the test's, and make a corpus.
#[allow(dead_code)]
#[path = "../../crates/fuzz/tests/readers/outputs.rs"]
mod outputs;

fuzz_target!(|bytes: &[u8]| outputs::check(bytes));
