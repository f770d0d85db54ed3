//! Any bytes as a solver's model: `cargo +nightly fuzz run models`. The body is shared with `cargo test -p fuzz --test it readers::`.
#![no_main]

use libfuzzer_sys::fuzz_target;

#[path = "../../crates/fuzz/tests/it/readers/models.rs"]
mod models;

// The examples of the test come first: whoever starts from an empty corpus sees at once that the reader works.
fuzz_target!(init: models::EXAMPLES.iter().for_each(|example| models::check(example.as_bytes())), |bytes: &[u8]| models::check(bytes));
