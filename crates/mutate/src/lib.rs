//! Mutators: seeds with truths in, mutants with truths out.
//!
//! A [`Mutator`] turns one unit of work into a [`Batch`], which makes mutants by their index, each with the answers a right
//! solver gives. [`REGISTRY`] lists the mutators; to add one: a file here and a line there.

pub mod assignment;
pub mod chain;
pub mod choice;
pub mod data_file;
pub mod edit;
pub mod equal;
pub mod exec;
pub mod finite;
pub mod fragments;
pub mod fusion;
pub mod generative;
pub mod guards;
pub mod mutator;
pub mod operator;
pub mod parameter;
pub mod preamble;
pub mod problems;
pub mod registry;
pub mod rng;
pub mod shrink;
pub mod small_values;
pub mod small_world;
pub mod storm;
pub mod witness_check;

pub use mutator::{
    Batch, Expected, Mutant, MutantRequest, Mutator, MutatorEntry, Parent, TargetSpelling, Truth, Unfit, UnnamedLogic,
};
pub use registry::REGISTRY;
pub use rng::{RandomStream, Unit, unit_rng};
