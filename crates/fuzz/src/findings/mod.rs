//! Findings on disk: the folder, and what nobody could resolve.

pub mod disagreements;
pub mod outdir;
