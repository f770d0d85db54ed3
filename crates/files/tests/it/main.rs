//! Tests of reading, writing and walking, in one binary of which each file is a module.
//!
//! A test that changes or measures its own process is a separate binary next to this folder.

mod atomic;
mod inside;
mod read;
mod walk;
