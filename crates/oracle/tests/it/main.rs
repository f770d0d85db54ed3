//! Tests of the oracle, in one binary of which each file is a module.

mod exhaustion;
mod optimum;
mod proofs;
mod refusal;
mod relations;
mod rendering;
mod slowness;
mod stronger;
mod witness;
