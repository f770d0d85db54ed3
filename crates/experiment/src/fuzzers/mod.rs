//! Squall beside other fuzzers: the same seeds and solver, the same CPU time, and one oracle for what each of them keeps.

pub mod hits;
pub mod mutants;
pub mod peer;
pub mod run;
pub mod seeds;
