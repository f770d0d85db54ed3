//! Tests of the search, in one binary of which each file is a module.
//!
//! A test that changes or measures its own process has a binary of its own in the folder above.

mod agreement;
mod answers;
mod layout;
#[path = "support/trial.rs"]
mod trial;
