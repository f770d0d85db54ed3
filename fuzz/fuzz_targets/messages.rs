//! Any bytes as a message between machines: `cargo +nightly fuzz run messages`. The body is shared with `cargo test -p fuzz --test readers`.
#![no_main]

use libfuzzer_sys::fuzz_target;

// The examples are the test's, and make a corpus.
#[allow(dead_code)]
#[path = "../../crates/fuzz/tests/readers/messages.rs"]
mod messages;

fuzz_target!(|bytes: &[u8]| messages::check(bytes));
