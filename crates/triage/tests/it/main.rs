//! Tests of grouping and triage, in one binary of which each file is a module.
//!
//! A test that changes or measures its own process is a binary of its own beside this folder.

mod causes;
mod explain_bound;
mod explanation_words;
mod folder;
mod ledger;
mod reduced_causes;
mod releases;
mod suite;
mod support;
mod words;
