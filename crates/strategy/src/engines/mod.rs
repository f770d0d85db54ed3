//! The decision engines, one file each.

pub mod arithmetic;
pub mod bitblast;
#[cfg(feature = "sat")]
pub mod clauses;
pub mod conjunctions;
pub mod exhaust;
mod guess;
#[cfg(feature = "sat")]
pub mod mbqi;
pub mod nonlinear;
#[cfg(feature = "sat")]
mod quantified_smt;
#[cfg(feature = "sat")]
pub mod sat;
pub mod search;
#[cfg(feature = "sat")]
pub mod smt;

use crate::engine::EngineEntry;

/// All engines, in the order in which they are listed. To add one: its file in this folder, and its line here.
pub const ENGINES: &[EngineEntry] = &[
    conjunctions::SIMPLEX,
    conjunctions::FLOYD_WARSHALL,
    nonlinear::coverings::ENTRY,
    nonlinear::coverings::OVER,
    nonlinear::gb::ENTRY,
    nonlinear::icp::ENTRY,
    nonlinear::pcad::ENTRY,
    #[cfg(feature = "sat")]
    sat::ENTRY,
    #[cfg(feature = "sat")]
    quantified_smt::ENTRY,
    #[cfg(feature = "sat")]
    smt::OVER,
    #[cfg(feature = "sat")]
    mbqi::ENTRY,
    exhaust::ENTRY,
    guess::ENTRY,
    search::ENTRY,
];
