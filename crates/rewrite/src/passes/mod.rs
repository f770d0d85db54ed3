//! The passes: one file each, and one line each in the registries here.

pub mod and_hoisting;
pub mod contradiction;
pub mod distinct_expansion;
pub mod elim_duplicates;
pub mod elim_term_ite;
pub mod elim_true;
pub mod extract_equalities;
pub mod lift_if;
pub mod nnf;
pub mod propagate_values;
pub mod simplify;
pub mod solve_eqs;

use crate::pass::{Pass, Split};

/// All passes.
pub static PASSES: &[&dyn Pass] = &[
    &and_hoisting::AndHoisting,
    &contradiction::Contradiction,
    &distinct_expansion::DistinctExpansion,
    &elim_duplicates::ElimDuplicates,
    &elim_term_ite::ElimTermIte,
    &elim_true::ElimTrue,
    &extract_equalities::ExtractEqualities,
    &lift_if::LiftIf,
    &nnf::Nnf,
    &propagate_values::PropagateValues,
    &simplify::Simplify,
    &solve_eqs::SolveEqs,
];

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
