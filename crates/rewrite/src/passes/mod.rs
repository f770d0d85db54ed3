//! The passes and splits, each with its entry in a registry here, and the rounds of passes that eliminate symbols.

pub mod ackermannize;
pub mod add_bounds;
pub mod bool_abstraction;
pub mod connectives;
pub mod ctx_simplify;
pub mod der;
pub mod elim_term_ite;
pub mod elim_unconstrained;
pub mod expand_quantifiers;
pub mod extract_equalities;
pub mod hoist_ite;
pub mod lia2pb;
pub mod lift_if;
pub mod macro_finder;
pub mod nla2bv;
pub mod normalize_bounds;
pub mod products;
pub mod propagate_bounds;
pub mod propagate_values;
pub mod reduce_bv_size;
pub mod skolemize;
pub mod solve_diophantine;
pub mod solve_eqs;
pub mod splits;
pub mod tseitin_cnf;
pub mod unconstrained;
pub mod whole_formulas;

use crate::pass::{RewritePass, Split};
pub use crate::simplify;

/// All passes.
pub static PASSES: &[&dyn RewritePass] = &[
    &ackermannize::Ackermannize,
    &add_bounds::AddBounds,
    &connectives::AndHoisting,
    &bool_abstraction::BoolAbstraction,
    &whole_formulas::Contradiction,
    &ctx_simplify::CtxSimplify,
    &der::Der,
    &connectives::DistinctExpansion,
    &connectives::ElimAnd,
    &whole_formulas::ElimDuplicates,
    &elim_term_ite::ElimTermIte,
    &whole_formulas::ElimTrue,
    &elim_unconstrained::ElimUnconstrained,
    &expand_quantifiers::ExpandQuantifiers,
    &extract_equalities::ExtractEqualities,
    &hoist_ite::HoistIte,
    &lia2pb::Lia2Pb,
    &lift_if::LiftIf,
    &macro_finder::MacroFinder,
    &products::Mul2Concat,
    &nla2bv::Nla2Bv,
    &connectives::Nnf,
    &normalize_bounds::NormalizeBounds,
    &propagate_bounds::PropagateBounds,
    &propagate_values::PropagateValues,
    &reduce_bv_size::ReduceBvSize,
    &simplify::Simplify,
    &skolemize::Skolemize,
    &solve_diophantine::SolveDiophantine,
    &solve_eqs::SolveEqs,
    &products::Som,
    &tseitin_cnf::TseitinCnf,
];

/// All splits.
pub static SPLITS: &[&dyn Split] = &[&splits::SPLIT_OR, &splits::SPLIT_INEQS, &splits::SPLIT_EQS];

/// Returns the pass with a name.
pub fn pass(name: &str) -> Option<&'static dyn RewritePass> {
    PASSES.iter().copied().find(|p| p.name() == name)
}

/// Returns the split with a name.
pub fn split(name: &str) -> Option<&'static dyn Split> {
    SPLITS.iter().copied().find(|s| s.name() == name)
}
