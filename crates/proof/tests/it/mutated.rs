//! The readers over mutated examples: a deterministic stand-in for the fuzz target `proofs`.

use crate::proofs::{EXAMPLES, check};

#[path = "../../../smtlib/tests/it/support/mutated_examples.rs"]
mod mutated_examples;

#[test]
fn no_bytes_crash_the_reader_or_the_judge() {
    mutated_examples::feed(check, EXAMPLES, 150);
}
