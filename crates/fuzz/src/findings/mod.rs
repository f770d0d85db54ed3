//! Findings on disk: the folder, the witness, the words of the record.

pub mod outdir;
pub mod witness_file;
pub mod words;
