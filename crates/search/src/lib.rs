//! The fuzzing solver: satisfying assignments found by search over compiled constraints.
//!
//! [`solve`] simplifies assertions by the passes of the crate `rewrite`, lowers them to a [`Program`](ir::Program) over one packed input
//! buffer, runs it millions of times a second on inputs that strategies generate, and checks successful inputs with the exact evaluator
//! on the original assertions.
//!
//! A satisfying assignment is found and checked:
//!
//! ```
//! use search::{SearchConfig, SearchOutcome, solve};
//! use semantics::{Verdict, validate};
//!
//! let mut store = smtlib::Store::new();
//! let text = "(declare-const x Float64) (assert (fp.eq (fp.mul RNE x x) ((_ to_fp 11 53) RNE 2.25))) (check-sat)";
//! let assertions = &smtlib::parse(&mut store, text).script.instances()[0].assertions;
//! let config = SearchConfig { executions: Some(3_000_000), ..SearchConfig::default() };
//! let (outcome, _) = solve(&mut store, assertions, &config);
//! let SearchOutcome::Sat(model) = outcome else { panic!("{outcome:?}") };
//! assert_eq!(validate(&store, assertions, model), Verdict::Valid);
//! ```

mod analysis;
pub mod assignment;
mod builder;
mod distance;
mod exact;
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
pub mod types;
pub mod word;

pub use exact::words_of;
pub use interpreter::InputScore;
pub use machine::Executor;
pub use searcher::Improvement;
pub use solve::{SearchConfig, SearchOutcome, StartingPoints, Stats, UndecidedReason, solve};

pub use strategy::StrategyChoice;
