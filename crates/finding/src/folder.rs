//! The names of the files in a finding's folder.

/// The longest name of a finding, in bytes.
const MAX_NAME: usize = 200;

/// Whether a text can be a finding's name, which names folders and files: no path, nothing hidden, nothing but plain letters.
pub fn is_name(text: &str) -> bool {
    let plain = |b: u8| b.is_ascii_alphanumeric() || b"._-@+".contains(&b);
    !text.is_empty() && text.len() <= MAX_NAME && !text.starts_with('.') && text.bytes().all(plain)
}

/// The record.
pub const RECORD: &str = "finding.json";
/// The script that was sent.
pub const MUTANT: &str = "mutant.smt2";
/// The scripts that must go before it in the same process, each ended by `(reset)`; there are none as a rule.
pub const PREDECESSORS: &str = "predecessors.smt2";
/// Definitions that make every assertion of the script true.
pub const WITNESS: &str = "witness.smt2";
/// A copy of the seed, where the script is a mutant of one.
pub const SEED: &str = "seed.smt2";
/// What the solver printed.
pub const OUTPUT: &str = "output.txt";
/// The reduced script; its witness, predecessors and account have the same stem.
pub const REDUCED: &str = "reduced.smt2";
/// The vector of answers to the reduced script.
pub const VECTOR: &str = "vector.json";
/// Which versions err.
pub const BISECTION: &str = "bisection.json";
/// What the finding hangs on.
pub const EXPLANATION: &str = "explain.json";
