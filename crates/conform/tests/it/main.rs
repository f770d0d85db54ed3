//! Tests of the blocks of questions, of models and of rewrite rules, in one binary of which each file is a module.
//!
//! A test that changes or measures its own process has a binary of its own in the folder above.

mod blocks;
mod finite_fields;
mod models;
mod mutated;
#[path = "../../../smtlib/tests/it/support/mutated_examples.rs"]
mod mutated_examples;
mod passes_command;
mod rule_bytes;
mod rules;
