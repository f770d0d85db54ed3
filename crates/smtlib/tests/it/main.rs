//! Tests of reading and printing, in one binary of which each file is a module.
//!
//! A test that changes or measures its own process is a separate binary next to this folder.

mod binders;
mod commands;
mod corpus;
mod declarations;
mod field_order;
mod finite_fields;
mod hostile;
mod laws;
mod logic;
mod mutated;
mod sequences;
mod sexpr;
mod strategy;
mod support;
mod symbol;
mod theories;
