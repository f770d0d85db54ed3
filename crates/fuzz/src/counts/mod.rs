//! Counts of work and answers, and the status of workers.

pub mod answer_counts;
pub mod error_texts;
pub mod stats;
pub mod status;
pub mod untested;
