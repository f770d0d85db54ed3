//! Changing a seed's assertions at places: what operator mutation and generative mutation have in common.

mod breed;
pub mod change;
mod config;
mod formula;
pub mod skeleton;

pub use breed::{Bred, Draw, EditBatch};
pub use change::{Change, Edit, Edits, Scratch};
pub use config::{EditConfig, TruthMode, configure, number, parsed, percent, settings_text};
pub use formula::{Body, Formula, Line, constructor_names, limits, names_extension, needs, refused};
pub use skeleton::{Place, Skeleton};
