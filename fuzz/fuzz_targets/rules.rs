//! Any bytes as rewrite rules: `cargo +nightly fuzz run rules`. The body is shared with `cargo test -p conform --test it mutated::`.
#![no_main]

use libfuzzer_sys::fuzz_target;

#[path = "../../crates/conform/tests/it/rule_bytes.rs"]
mod rules;

// The test's examples come first, so even a run with an empty corpus checks that the reader works.
fuzz_target!(init: rules::EXAMPLES.iter().for_each(|example| rules::check(example.as_bytes())), |bytes: &[u8]| rules::check(bytes));
