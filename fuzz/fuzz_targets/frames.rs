//! Any bytes as the frames of a mutator program: `cargo +nightly fuzz run frames`. The body is shared with `cargo test -p fuzz --test it readers::`.
#![no_main]

use libfuzzer_sys::fuzz_target;

#[path = "../../crates/fuzz/tests/it/readers/frames.rs"]
mod frames;

// The test's examples come first, so even a run with an empty corpus checks that the reader works.
fuzz_target!(init: frames::EXAMPLES.iter().for_each(|example| frames::check(example.as_bytes())), |bytes: &[u8]| frames::check(bytes));
