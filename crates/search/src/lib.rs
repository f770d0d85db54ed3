//! The fuzzing solver: satisfying assignments found by search over compiled constraints.
//!
//! [`solve`] simplifies assertions by the passes of the crate `rewrite`, lowers them to a [`Program`](ir::Program) over one
//! packed input buffer, runs it millions of times a second on inputs that strategies generate, and checks what passes with the
//! exact evaluator on the original assertions.

mod analysis;
mod assignment;
mod builder;
mod distance;
mod exact;
mod float_word;
pub mod interpreter;
pub mod ir;
pub mod jit;
pub mod layout;
pub mod lower;
pub mod machine;
pub mod rng;
mod rounding;
mod searcher;
mod simplify;
mod solve;
mod strategy;
pub mod trial;
pub mod types;
pub mod word;

pub use interpreter::InputScore;
pub use machine::Executor;
pub use searcher::Improvement;
pub use solve::{SearchConfig, SearchOutcome, Stats, UndecidedReason, solve};
pub use strategy::StrategyChoice;
