//! The passes of a reduction, one file each. To add one: its file, and its line in [`REGISTRY`].

pub mod arguments;
pub mod assertions;
pub mod checks;
pub mod children;
pub mod constants;
pub mod datatypes;
pub mod declarations;
pub mod defaults;
pub mod definitions;
pub mod fresh_variables;
pub mod levels;
pub mod logic;
pub mod merge_variables;
pub mod names;
pub mod occurrences;
pub mod options;
pub mod quantifiers;
pub mod queries;
pub mod recursive_functions;
pub mod regexes;
pub mod simplify;
pub mod tactics;
pub mod truth_values;
pub mod widths;
pub mod witness_values;

pub use crate::pass::{Grouping, ReductionPass, View};
pub(crate) use crate::pass::{MAX_TERMS, by_level, levels, literal};

/// All passes in the order they are tried: those that win most come first.
pub const REGISTRY: &[&ReductionPass] = &[
    &checks::PASS,
    &levels::PASS,
    &assertions::PASS,
    &queries::PASS,
    &options::PASS,
    &tactics::PASS,
    &declarations::PASS,
    &truth_values::PASS,
    &arguments::PASS,
    &children::PASS,
    &recursive_functions::PASS,
    &definitions::PASS,
    &simplify::PASS,
    &defaults::PASS,
    &witness_values::PASS,
    &occurrences::PASS,
    &quantifiers::PASS,
    &fresh_variables::PASS,
    &merge_variables::PASS,
    &regexes::PASS,
    &constants::PASS,
    &widths::PASS,
    &datatypes::PASS,
    &logic::PASS,
    &names::PASS,
];
