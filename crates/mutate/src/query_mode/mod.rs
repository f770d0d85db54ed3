//! How the mutants of recombined fragments ask: one check, a check by a tactic, or several checks among push and pop.

mod config;
mod levels;
mod strategies;
mod tactical;

pub use config::{QueryConfig, QueryMode, tactics_row};
pub use levels::{LevelChange, OpenLevels};
pub use strategies::{PREFIX as RANDOM_STRATEGIES, StrategyNames};
pub use tactical::{TacticalBatch, TacticalQueries};
