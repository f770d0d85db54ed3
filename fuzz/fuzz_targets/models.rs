//! Any bytes as a solver's model: `cargo +nightly fuzz run models`. The body is shared with `cargo test -p fuzz --test readers`.
#![no_main]

use libfuzzer_sys::fuzz_target;

// The examples are the test's, and make a corpus.
#[allow(dead_code)]
#[path = "../../crates/fuzz/tests/readers/models.rs"]
mod models;

fuzz_target!(|bytes: &[u8]| models::check(bytes));
