//! Any bytes as a message between machines: `cargo +nightly fuzz run messages`. The body is shared with `cargo test -p fuzz --test it readers::`.
#![no_main]

use libfuzzer_sys::fuzz_target;

#[path = "../../crates/fuzz/tests/it/readers/messages.rs"]
mod messages;

// The test's examples come first, so even a run with an empty corpus checks that the reader works.
fuzz_target!(init: messages::EXAMPLES.iter().for_each(|example| messages::check(example.as_bytes())), |bytes: &[u8]| messages::check(bytes));
