//! Checks solvers' rewrite rules one by one: cvc5's rules are data, written in RARE. Each rule is an equation that exhaustion decides at
//! small sizes.
//!
//! `read` contains the parser, `instance` finds widths, sorts, lengths of lists and numbers at which a rule applies, `build` makes its
//! terms, and `check` decides each instance.

mod build;
mod check;
mod instance;
mod operator;
mod read;
mod rule;

pub use check::{RuleCounterexample, RuleReport, RuleVerdict, check};
pub use operator::RuleOperator;
pub use read::{RuleFile, UnreadRule, read};
pub use rule::{Rule, RuleExpression, RuleNode, RulePlace, RuleSort, RuleVariable};
