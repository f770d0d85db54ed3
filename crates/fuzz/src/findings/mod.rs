//! Findings on disk: the record, the witness, the folder.

pub mod finding;
pub mod outdir;
pub mod witness;
