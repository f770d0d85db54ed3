//! The readers over mutated examples: a deterministic stand-in for the fuzz target `proofs`.

use crate::proofs::{EXAMPLES, check};

#[path = "../../../smtlib/tests/it/support/mutation.rs"]
mod mutation;

use mutation::{Random, mutate, transplant};

#[test]
fn no_bytes_crash_the_reader_or_the_judge() {
    for (n, example) in EXAMPLES.iter().enumerate() {
        check(example.as_bytes());
        for round in 0..testing::amount("SQUALL_FUZZ_ROUNDS", 150) {
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
