//! Tests of reductions, their passes and their groups, in one binary of which each file is a module.
//!
//! A test that changes or measures its own process has a binary of its own in the folder above.

mod carried;
mod cpu_budget;
mod groups;
mod histories;
mod known_bugs;
mod laws;
mod model_text;
mod raw;
mod readable;
mod reduced;
mod reductions;
mod support;
mod text_passes;
