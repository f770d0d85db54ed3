//! Tests of the blocks of questions and of models, in one binary of which each file is a module.
//!
//! A test that changes or measures its own process is a binary of its own beside this folder.

mod blocks;
mod models;
