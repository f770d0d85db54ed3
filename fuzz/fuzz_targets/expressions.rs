//! Any bytes as s-expressions: `cargo +nightly fuzz run expressions fuzz/corpus/expressions seeds`. The body is shared with
//! the tests `sexpr` and `mutated` of `smtlib`.
#![no_main]

use libfuzzer_sys::fuzz_target;

#[path = "../../crates/smtlib/tests/it/support/expressions.rs"]
mod expressions;

fuzz_target!(|bytes: &[u8]| expressions::check(bytes));
