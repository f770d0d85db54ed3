//! Counts of work and answers, and the status of workers.

pub mod answer_counts;
pub mod stats;
pub mod status;
pub mod untested;
