//! The passes: one file each, and one line each in the registries here.

pub mod simplify;

use crate::pass::{Pass, Split};

/// All passes.
pub static PASSES: &[&dyn Pass] = &[&simplify::Simplify];

/// All splits.
pub static SPLITS: &[&dyn Split] = &[];

/// The pass of a name.
pub fn pass(name: &str) -> Option<&'static dyn Pass> {
    PASSES.iter().copied().find(|p| p.name() == name)
}

/// The split of a name.
pub fn split(name: &str) -> Option<&'static dyn Split> {
    SPLITS.iter().copied().find(|s| s.name() == name)
}
