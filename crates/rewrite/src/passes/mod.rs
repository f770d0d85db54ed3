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

use self::splits::Split;
use crate::pass::RewritePass;
pub use crate::simplify;

/// All passes.
pub static PASSES: &[&RewritePass] = &[
    &ackermannize::ACKERMANNIZE,
    &add_bounds::ADD_BOUNDS,
    &connectives::AND_HOISTING,
    &bool_abstraction::BOOL_ABSTRACTION,
    &whole_formulas::CONTRADICTION,
    &ctx_simplify::CTX_SIMPLIFY,
    &der::DER,
    &connectives::DISTINCT_EXPANSION,
    &connectives::ELIM_AND,
    &whole_formulas::ELIM_DUPLICATES,
    &elim_term_ite::ELIM_TERM_ITE,
    &whole_formulas::ELIM_TRUE,
    &elim_unconstrained::ELIM_UNCONSTRAINED,
    &expand_quantifiers::EXPAND_QUANTIFIERS,
    &extract_equalities::EXTRACT_EQUALITIES,
    &hoist_ite::HOIST_ITE,
    &lia2pb::LIA2PB,
    &lift_if::LIFT_IF,
    &macro_finder::MACRO_FINDER,
    &products::MUL2CONCAT,
    &nla2bv::NLA2BV,
    &connectives::NNF,
    &normalize_bounds::NORMALIZE_BOUNDS,
    &propagate_bounds::PROPAGATE_BOUNDS,
    &propagate_values::PROPAGATE_VALUES,
    &reduce_bv_size::REDUCE_BV_SIZE,
    &simplify::SIMPLIFY,
    &skolemize::SKOLEMIZE,
    &solve_diophantine::SOLVE_DIOPHANTINE,
    &solve_eqs::SOLVE_EQS,
    &products::SOM,
    &tseitin_cnf::TSEITIN_CNF,
];

/// All splits.
pub static SPLITS: &[&Split] = &[&splits::SPLIT_OR, &splits::SPLIT_INEQS, &splits::SPLIT_EQS];

/// Returns the pass with a name.
pub fn pass(name: &str) -> Option<&'static RewritePass> {
    PASSES.iter().copied().find(|p| p.name == name)
}

/// Returns the split with a name.
pub fn split(name: &str) -> Option<&'static Split> {
    SPLITS.iter().copied().find(|s| s.name == name)
}
