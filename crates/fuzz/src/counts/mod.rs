//! Counts of work and answers, and the status of workers.

pub mod cells;
pub mod desk;
pub mod stats;
