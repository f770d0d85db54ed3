//! The parser of rules on mutated examples: a deterministic stand-in for the fuzz target `rules`, which shares its file.
//!
//! `SQUALL_FUZZ_ROUNDS` sets the number of mutants per example.

use crate::mutated_examples::feed;
use crate::rule_bytes::{EXAMPLES, check};

#[test]
fn rules_of_solvers() {
    feed(check, EXAMPLES, 400);
}
