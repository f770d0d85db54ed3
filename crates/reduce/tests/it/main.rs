//! Tests of reductions, their passes and their groups, in one binary of which each file is a module.
//!
//! A test that changes or measures its own process is a binary of its own beside this folder.

mod carried;
mod commits;
mod cpu_budget;
mod encoding;
mod groups;
mod histories;
mod known_bugs;
mod laws;
mod readable;
mod reduced;
mod reductions;
mod support;
mod text_passes;
