//! The decision engines, one file each.

use crate::engine::EngineEntry;

/// All engines, in the order in which they are listed. To add one: its file beside this one, and its line here.
pub const ENGINES: &[EngineEntry] = &[];
