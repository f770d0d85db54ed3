//! Tests of findings and their folders, in one binary of which each file is a module.
//!
//! A test that changes or measures its own process is a separate binary next to this folder.

mod answer_vector;
mod build;
mod cause;
mod class;
mod event;
mod folder;
mod instrument;
mod kind;
mod label;
mod reward;
mod symptom;
mod trust;
