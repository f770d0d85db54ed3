//! Tests of grouping and triage, in one binary of which each file is a module.
//!
//! A test that changes or measures its own process has a binary of its own in the folder above.

mod causes;
mod explanation;
mod folder;
mod ledger;
mod reduced_causes;
mod releases;
mod suite;
mod support;
mod words;
