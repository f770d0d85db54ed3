//! Any bytes as a solver's model: `cargo +nightly fuzz run models`. The body is shared with `cargo test -p fuzz --test it readers::`.
#![no_main]

use libfuzzer_sys::fuzz_target;

#[path = "../../crates/fuzz/tests/it/readers/models.rs"]
mod models;

// The test's examples come first, so even a run with an empty corpus checks that the reader works.
fuzz_target!(init: models::EXAMPLES.iter().for_each(|example| models::check(example.as_bytes())), |bytes: &[u8]| models::check(bytes));
