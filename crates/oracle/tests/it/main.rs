//! Tests of the oracle, in one binary of which each file is a module.

mod proofs;
mod rendering;
mod witness;
