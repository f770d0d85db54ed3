//! Tests of the mutators, in one binary of which each file is a module.
//!
//! A test that changes or measures its own process is a separate binary next to this folder.

mod chain;
mod config;
mod equal;
mod exec;
mod finite;
mod fragments;
mod fusion;
mod generative;
mod heaps;
mod holes;
mod horn;
mod lambdas;
mod logic;
mod mutators;
mod narrow;
mod objectives;
mod operator;
mod orders;
mod pipe;
mod pools;
mod problems;
mod random_strategies;
mod recursion;
mod relations;
mod rescoped;
mod reworded;
mod rng;
mod searched;
mod shrink;
mod skeleton;
mod solver;
mod splice;
mod storm;
mod support;
mod tactical;
mod theory_file;
mod truths;
mod weave;
