//! Tests of the passes, in one binary of which each file is a module.
//!
//! A test that changes or measures its own process is a binary of its own beside this folder.

mod algebra;
mod deep;
mod passes;
mod pipeline;
mod support;
