//! The reader of rules over mutated examples: a deterministic stand-in for the fuzz target `rules`, which shares its file.
//!
//! `SQUALL_FUZZ_ROUNDS` sets the mutants an example.

use crate::mutation::{Random, mutate, transplant};
use crate::rule_bytes::{EXAMPLES, check};

#[test]
fn rules_of_solvers() {
    let rounds = testing::amount("SQUALL_FUZZ_ROUNDS", 400);
    for (n, example) in EXAMPLES.iter().enumerate() {
        check(example.as_bytes());
        for round in 0..rounds {
            let mut random = Random((n as u64) << 32 | round);
            let mut mutant = example.as_bytes().to_vec();
            let other = EXAMPLES[random.below(EXAMPLES.len())].as_bytes();
            match round % 3 {
                0 => transplant(&mut mutant, &mut random),
                _ => mutate(&mut mutant, other, &mut random),
            }
            if std::panic::catch_unwind(|| check(&mutant)).is_err() {
                panic!("example {n}, round {round}:\n{}", String::from_utf8_lossy(&mutant));
            }
        }
    }
}
