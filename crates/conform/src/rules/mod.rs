//! Rewrite rules of solvers checked rule by rule: cvc5's are data, written in RARE, and each is an equation that exhaustion decides at
//! small sizes.
//!
//! `read` has the reader, `instance` finds widths, sorts, lengths of lists and numbers at which a rule applies, `build` makes its terms
//! there, and `check` decides each instance.

mod build;
mod check;
mod instance;
mod operator;
mod place;
mod read;
mod rule;

pub use check::{RuleCounterexample, RuleReport, RuleVerdict, check};
pub use operator::RuleOperator;
pub use place::RulePlace;
pub use read::{RuleFile, UnreadRule, read};
pub use rule::{Rule, RuleExpression, RuleNode, RuleSort, RuleVariable};
