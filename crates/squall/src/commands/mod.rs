//! The subcommands, one file each: its arguments, what it calls, and what it says.

pub mod apply;
pub mod bisect;
pub mod check;
#[cfg(feature = "store")]
pub mod ci;
pub mod completions;
pub mod config;
pub mod conform;
pub mod corpus;
pub mod cover;
pub mod demo;
pub mod distill;
pub mod doctor;
pub mod eval;
pub mod exhaust;
pub mod experiment;
pub mod explain;
pub mod findings;
pub mod fuzz;
pub mod man;
#[cfg(feature = "store")]
pub mod merge;
pub mod mutate;
pub mod mutators;
pub mod reduce;
pub mod replay;
pub mod report;
pub mod solve;
pub mod solver;
#[cfg(feature = "store")]
pub mod status;
pub mod tactics;
pub mod validate;
#[cfg_attr(not(feature = "nats"), path = "worker_without_nats.rs")]
pub mod worker;
pub mod worlds;
