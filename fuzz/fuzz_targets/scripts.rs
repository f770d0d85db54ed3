//! Any bytes: the reader must refuse them with a message or read what prints and reads back as the same script.
//!
//! `cargo +nightly fuzz run scripts` from the project's folder; the seeds make a good corpus:
//! `cargo +nightly fuzz run scripts fuzz/corpus/scripts seeds`. The body is shared with a test that mutates the seeds on any
//! compiler, `cargo test -p smtlib --test it mutated::`.
#![no_main]

use libfuzzer_sys::fuzz_target;

#[path = "../../crates/smtlib/tests/it/support/reader.rs"]
mod reader;

fuzz_target!(|bytes: &[u8]| reader::check(bytes));
