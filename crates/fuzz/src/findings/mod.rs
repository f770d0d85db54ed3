//! Findings on disk: the record, the witness, the folder.

pub mod build;
pub mod finding;
pub mod outdir;
pub mod witness;
