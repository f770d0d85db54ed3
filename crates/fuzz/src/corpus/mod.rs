//! The corpus: seeds, their labels and models, those in quarantine, and the corpora that are kept.

pub mod models;
pub mod partner;
pub mod quarantine;
pub mod seed;
pub mod stored;
