//! Any bytes as what an instrumented program leaves: `cargo +nightly fuzz run coverage`. The body is shared with `cargo test -p fuzz --test it readers::`.
#![no_main]

use libfuzzer_sys::fuzz_target;

#[path = "../../crates/fuzz/tests/it/readers/coverage.rs"]
mod coverage;

// The examples of the test come first: with an empty corpus, too, it shows at once that the readers work.
fuzz_target!(init: coverage::EXAMPLES.iter().for_each(|example| coverage::check(example.as_bytes())), |bytes: &[u8]| coverage::check(bytes));
