//! What the branches of a strategy tell each other: lemmas that always hold, and units and bounds of the goal that they began with.
//!
//! Models of weaker goals are told as [`search::StartingPoints`].

pub mod facts;
pub mod lemmas;

pub use facts::SharedFacts;
pub use lemmas::{LemmaReader, SharedLemmas};
