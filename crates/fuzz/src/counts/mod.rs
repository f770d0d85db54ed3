//! Counts of work and answers, and the status of workers.

pub mod cells;
pub mod stats;
pub mod status;
