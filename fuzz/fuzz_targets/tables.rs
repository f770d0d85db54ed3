//! Any bytes as a table written by users: `cargo +nightly fuzz run tables`. The body is shared with `cargo test -p fuzz --test it readers::`.
#![no_main]

use libfuzzer_sys::fuzz_target;

#[path = "../../crates/fuzz/tests/it/readers/tables.rs"]
mod tables;

// The test's examples come first, so even a run with an empty corpus checks that the reader works.
fuzz_target!(init: tables::EXAMPLES.iter().for_each(|example| tables::check(example.as_bytes())), |bytes: &[u8]| tables::check(bytes));
