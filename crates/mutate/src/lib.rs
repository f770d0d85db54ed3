//! Mutators: turn seeds with known truths into mutants with known truths.
//!
//! A [`Mutator`] turns one unit of work into a [`Batch`], which makes mutants by their index, each with the answers of a
//! correct solver. [`REGISTRY`] lists the mutators; to add one, add a folder in `mutators/` and a row in its `mod.rs`.
//!
//! A mutant of STORM's, and the witness that certifies its answer:
//!
//! ```
//! use semantics::truth::witness::certify;
//! use mutate::{Mutant, MutantRequest, Parent, TargetSpelling, Unit, storm};
//!
//! let mut store = smtlib::Store::new();
//! let script = smtlib::parse(&mut store, "(declare-const x Int) (assert (< 4 (* x x))) (check-sat)").script;
//! let parent = Parent { instance: script.instances().remove(0), given: Default::default() };
//! let unit = Unit { campaign: 1, number: 0 };
//! let request = MutantRequest { parents: &[parent], target: &TargetSpelling::default(), unit };
//! let mut batch = (storm::ENTRY.build)(&[])?.prepare(&mut store, request)?;
//! let mut mutant = Mutant::default();
//! batch.mutant(0, &mut mutant);
//! assert_eq!(mutant.expected[0], smtlib::Status::Sat);
//! let witness = batch.witness(0).ok_or("no witness")?;
//! certify(batch.store(), &witness, &mutant.text, mutant.expected.len())?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod assignment;
pub mod chain;
pub mod choice;
pub mod data_file;
pub mod edit;
pub mod exec;
pub mod fragments;
pub mod guards;
mod joined;
pub mod mutator;
pub mod mutators;
pub mod parameter;
pub mod preamble;
pub mod problems;
pub mod query_mode;
pub mod rescoped;
pub mod reworded;
pub mod rewritten;
pub mod rng;
pub mod small_values;
pub mod small_world;
pub mod theory_file;

pub use mutator::{Batch, Mutant, MutantRequest, Mutator, MutatorEntry, Parent, TargetSpelling, Unfit, UnnamedLogic};
pub use mutators::*;
pub use rng::{RandomStream, Unit, unit_rng};
