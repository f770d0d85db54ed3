//! Goals, tactics, tacticals and probes: decision engines orchestrated by a strategy language.
//!
//! A session decides the checks of a script by the default strategy of its logic:
//!
//! ```
//! use std::collections::BTreeMap;
//! use strategy::Solvers;
//! use strategy::session::{ByStrategy, Session};
//!
//! let mut decide = ByStrategy::new(Solvers::default(), &BTreeMap::new())?;
//! let mut out = String::new();
//! let text = "(set-logic QF_LIA) (declare-const x Int) (assert (< 5 (* 2 x) 8)) (check-sat) (get-value (x))";
//! Session::new(&mut decide).read(text, &mut out);
//! assert_eq!(out, "sat\n((x 3))\n");
//! # Ok::<(), strategy::session::NamedStrategyError>(())
//! ```

pub mod apply;
pub mod budget;
pub mod circuit;
pub mod claim_log;
pub mod claims;
pub mod constraint;
pub mod defaults;
pub mod delegated;
pub mod engine;
pub mod engines;
pub mod external;
mod floats;
pub mod incremental_process;
pub mod outcome;
pub mod passes;
pub mod plan;
pub mod probes;
pub mod proof;
mod reason;
pub mod registry;
pub mod rules;
pub mod run;
pub mod session;
pub mod shared_facts;
pub mod shared_lemmas;
pub mod solve;
pub mod solvers;
mod strategy_engine;
pub mod tactic;
pub mod trace;
pub mod z3;

pub use budget::{Budget, Stopped};
pub use engine::{Decision, Engine, EngineEntry, MakeEngine};
pub use outcome::{TacticFailure, TacticOutcome};
pub use plan::StrategyPlan;
pub use registry::{plan, vocabulary};
pub use run::{Shared, TacticRun};
pub use solve::{SolveAnswer, SolveReport, SolveRequest, solve};
pub use solvers::Solvers;
