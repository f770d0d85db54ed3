//! Tests of running, installing and describing solvers, in one binary of which each file is a module.
//!
//! A test that changes or measures its own process has a binary of its own in the folder above.

mod batch;
mod build;
mod consent;
mod coverage;
mod gate;
mod install;
mod known_bugs;
mod launchers;
mod misread;
mod parallel;
mod profiles;
mod response;
mod runner;
mod spec;
mod version;
