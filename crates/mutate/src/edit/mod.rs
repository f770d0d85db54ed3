//! Changing a seed's assertions at places: what operator mutation and generative mutation have in common.

pub mod change;
mod config;
mod formula;
mod generate;
mod head;
pub mod printed_tree;

pub use change::{Edits, Replacement, Scratch, TextEdit};
pub use config::{EditConfig, GUARDS, GuardUse, PARAMETERS, TRUTH, TruthMode, guards_row};
pub use formula::{
    Body, FormulaSource, SeedAssertion, SeedFormula, constructor_names, limits, names_extension, needs, refused,
    unfolded,
};
pub use generate::{DrawChange, EditBatch};
pub use head::head_text;
pub use printed_tree::{PrintedTree, TermSpan};
