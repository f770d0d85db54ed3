//! Tests of the oracle, in one binary of which each file is a module.

mod rendering;
mod witness;
