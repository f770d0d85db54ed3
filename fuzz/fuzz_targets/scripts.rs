//! Any bytes as a script: the reader must reject them with a message, or read a script that prints and reads back as the same script.
//!
//! `cargo +nightly fuzz run scripts fuzz/corpus/scripts seeds` from the project's folder starts from the seeds. The body is shared with
//! `cargo test -p smtlib --test it mutated::`, which mutates the seeds with a stable compiler.
#![no_main]

use libfuzzer_sys::fuzz_target;

#[path = "../../crates/smtlib/tests/it/support/reader.rs"]
mod reader;

fuzz_target!(|bytes: &[u8]| reader::check(bytes));
