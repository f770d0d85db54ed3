//! Tests of the program, in one binary of which each file is a module.
//!
//! A test that changes or measures its own process is a binary of its own beside this folder.

mod access;
mod action;
mod bench;
mod campaign;
mod ci;
mod cluster;
mod command_line;
mod conform;
mod corpus;
mod defaults;
mod demo;
mod distill;
mod docs;
mod eval;
mod evolution;
mod experiment;
mod files;
mod findings_build;
mod finite;
mod found;
mod fuzz;
mod fuzz_command;
mod fuzz_solvers;
mod fuzzers;
mod grades;
mod issues;
mod layers;
mod mutate;
mod progress;
mod release;
mod schemas;
mod self_checks;
mod shell;
mod silent;
mod snapshots;
mod solve;
mod solver_build;
mod streams;
mod support;
mod triage;
mod tutorial;
mod validate;
mod validate_seeds;
mod watch;
