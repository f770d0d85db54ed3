//! Tests of grouping and triage, in one binary of which each file is a module.
//!
//! A test that changes or measures its own process has a binary of its own in the folder above.

mod explanation;
mod folder;
mod hit_groups;
mod ledger;
mod reduction_yield;
mod releases;
mod suite;
mod support;
mod words;
