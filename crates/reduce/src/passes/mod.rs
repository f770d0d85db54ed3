//! The passes of a reduction. To add one: its constant in a file here, and its line in [`REGISTRY`].

pub mod commands;
pub mod constants;
pub mod declarations;
pub mod functions;
pub mod levels;
pub mod names;
pub mod parts;
pub mod plainer;
pub mod quantifiers;
pub mod sorts;
pub mod tactics;
pub mod values;
pub mod variables;

pub use crate::pass::{Grouping, ReductionPass, View};
pub(crate) use crate::pass::{MAX_TERMS, by_level, levels, literal};

/// All passes in order: the most profitable come first.
pub const REGISTRY: &[&ReductionPass] = &[
    &commands::CHECKS,
    &levels::PASS,
    &commands::ASSERTIONS,
    &commands::QUERIES,
    &commands::OPTIONS,
    &tactics::PASS,
    &declarations::PASS,
    &values::TRUTH_VALUES,
    &parts::ARGUMENTS,
    &parts::CHILDREN,
    &functions::RECURSIVE_FUNCTIONS,
    &functions::DEFINITIONS,
    &plainer::SIMPLIFY,
    &values::DEFAULTS,
    &values::WITNESS_VALUES,
    &values::OCCURRENCES,
    &quantifiers::PASS,
    &variables::FRESH_VARIABLES,
    &variables::MERGE_VARIABLES,
    &plainer::REGEXES,
    &constants::PASS,
    &sorts::WIDTHS,
    &sorts::DATATYPES,
    &commands::LOGIC,
    &names::PASS,
];
