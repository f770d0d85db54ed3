//! Tests of the readers and of the judge of proofs, in one binary of which each file is a module.

mod files;
mod hostile;
mod laws;
mod mutated;
mod proofs;
