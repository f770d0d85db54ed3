//! Regular languages: hash-consed expressions, their derivatives, membership, matches and emptiness.

mod build;
mod derivative;
mod emptiness;
mod matching;
mod membership;
mod reverse;
mod store;
mod union;
mod words;

pub use store::{RegexId, RegexStore, UNBOUNDED};
