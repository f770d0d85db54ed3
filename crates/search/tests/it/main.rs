//! Tests of the search, in one binary of which each file is a module.
//!
//! A test that changes or measures its own process is a binary of its own beside this folder.

mod agreement;
mod answers;
mod layout;
