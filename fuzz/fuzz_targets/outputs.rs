//! Any bytes as a solver's output: `cargo +nightly fuzz run outputs`. The body is shared with `cargo test -p fuzz --test it readers::`.
#![no_main]

use libfuzzer_sys::fuzz_target;

#[path = "../../crates/fuzz/tests/it/readers/outputs.rs"]
mod outputs;

// The test's examples come first, so even a run with an empty corpus checks that the reader works.
fuzz_target!(init: outputs::EXAMPLES.iter().for_each(|example| outputs::check(example.as_bytes())), |bytes: &[u8]| outputs::check(bytes));
