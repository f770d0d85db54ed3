//! Goals, tactics, tacticals and probes: decision engines orchestrated by a strategy language.

pub mod apply;
pub mod budget;
pub mod defaults;
pub mod engine;
pub mod engines;
pub mod external;
pub mod incremental_process;
pub mod outcome;
pub mod passes;
pub mod plan;
pub mod probes;
pub mod proof;
mod reason;
pub mod registry;
pub mod run;
pub mod session;
pub mod solve;
pub mod solvers;
mod strategy_engine;
pub mod tactic;
pub mod trace;

pub use budget::{Budget, Stopped};
pub use engine::{Decision, Engine, EngineEntry, MakeEngine};
pub use outcome::{TacticFailure, TacticOutcome};
pub use plan::StrategyPlan;
pub use registry::{plan, vocabulary};
pub use run::{Shared, TacticRun};
pub use solve::{SolveAnswer, SolveReport, SolveRequest, solve};
pub use solvers::Solvers;
