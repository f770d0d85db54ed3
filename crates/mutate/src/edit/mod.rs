//! Changing a seed's assertions at places: what operator mutation and generative mutation have in common.

mod breed;
pub mod change;
mod config;
mod formula;
mod head;
pub mod printed_tree;

pub use breed::{Bred, Draw, EditBatch};
pub use change::{Change, Edit, Edits, Scratch};
pub use config::{EditConfig, TruthMode, configure};
pub use formula::{Body, Formula, Line, constructor_names, limits, names_extension, needs, refused};
pub use head::head_text;
pub use printed_tree::{Place, PrintedTree};
