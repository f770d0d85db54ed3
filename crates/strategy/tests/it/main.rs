//! Tests of engines and strategies, in one binary of which each file is a module.
//!
//! A test that changes or measures its own process has a binary of its own in the folder above.

mod bitblast;
mod branches;
mod circuits;
mod delegated_reader;
mod differences;
mod engine_support;
mod engines;
mod flint;
mod fp_to_bv;
mod generated;
mod incremental_answers;
mod intervals;
mod mbqi;
mod passes;
mod polynomials;
mod programs;
mod rules;
mod session_splitter;
mod small_problems;
mod strategies;
mod sums;
mod without_solvers;
