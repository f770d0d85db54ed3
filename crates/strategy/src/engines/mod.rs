//! The decision engines, one file each.

pub mod bitblast;
#[cfg(feature = "sat")]
pub mod clauses;
#[cfg(feature = "sat")]
pub mod sat;

use crate::engine::EngineEntry;

/// All engines, in the order in which they are listed. To add one: its file beside this one, and its line here.
pub const ENGINES: &[EngineEntry] = &[
    #[cfg(feature = "sat")]
    sat::ENTRY,
];
