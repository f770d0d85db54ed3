//! Findings on disk: the folder, the witness, the words of the record, and what nobody could resolve.

pub mod disagreements;
pub mod outdir;
pub mod witness_file;
pub mod words;
