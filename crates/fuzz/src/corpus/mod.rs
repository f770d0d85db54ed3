//! The corpus: seeds, their labels and models, and those in quarantine.

pub mod models;
pub mod partner;
pub mod quarantine;
pub mod seed;
