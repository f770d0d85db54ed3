//! Readers over mutated examples: a deterministic stand-in for fuzz targets.

#[path = "mutation.rs"]
pub mod mutation;

use mutation::{Random, mutate, transplant};

/// Feeds a reader its examples, and of each as many mutants as `SQUALL_FUZZ_ROUNDS` says, or `rounds`.
pub fn feed(reader: fn(&[u8]), examples: &[&str], rounds: u64) {
    let rounds = testing::amount("SQUALL_FUZZ_ROUNDS", rounds);
    for (n, example) in examples.iter().enumerate() {
        reader(example.as_bytes());
        for round in 0..rounds {
            let mut random = Random((n as u64) << 32 | round);
            let mut mutant = example.as_bytes().to_vec();
            let other = examples[random.below(examples.len())].as_bytes();
            match round % 3 {
                0 => transplant(&mut mutant, &mut random),
                _ => mutate(&mut mutant, other, &mut random),
            }
            if std::panic::catch_unwind(|| reader(&mutant)).is_err() {
                panic!("example {n}, round {round}:\n{}", String::from_utf8_lossy(&mutant));
            }
        }
    }
}
