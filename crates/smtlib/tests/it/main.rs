//! Tests of reading and printing, in one binary of which each file is a module.
//!
//! A test that changes or measures its own process is a separate binary next to this folder.

mod binders;
mod corpus;
mod declarations;
mod dialects;
mod extension_commands;
mod field_order;
mod hostile;
mod laws;
mod logic;
mod mutated;
mod name_set;
mod names;
mod read;
mod sexpr;
mod strategy;
mod support;
mod symbol;
mod theories;
