//! Tests of the passes, in one binary of which each file is a module.
//!
//! A test that changes or measures its own process has a binary of its own in the folder above.

mod algebra;
mod deep;
mod definitions;
mod goal;
mod interval;
mod passes;
mod pipeline;
mod simplify_rules;
mod support;
