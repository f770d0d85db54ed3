//! Any bytes as a proof: `cargo +nightly fuzz run proofs`. The body is shared with `cargo test -p proof --test it mutated::`.
#![no_main]

use libfuzzer_sys::fuzz_target;

#[path = "../../crates/proof/tests/it/proofs.rs"]
mod proofs;

// The test's examples come first, so even a run with an empty corpus checks that the reader works.
fuzz_target!(init: proofs::EXAMPLES.iter().for_each(|example| proofs::check(example.as_bytes())), |bytes: &[u8]| proofs::check(bytes));
