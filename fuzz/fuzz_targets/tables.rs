//! Any bytes as a table that users write: `cargo +nightly fuzz run tables`. The body is shared with `cargo test -p fuzz --test readers`.
#![no_main]

use libfuzzer_sys::fuzz_target;

// The examples are the test's, and make a corpus.
#[allow(dead_code)]
#[path = "../../crates/fuzz/tests/readers/tables.rs"]
mod tables;

fuzz_target!(|bytes: &[u8]| tables::check(bytes));
