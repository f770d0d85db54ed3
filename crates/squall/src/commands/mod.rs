//! The subcommands, one file each, with their arguments and messages.

pub mod bisect;
pub mod check;
#[cfg(feature = "store")]
pub mod ci;
pub mod cluster;
pub mod compare;
pub mod corpus;
pub mod demo;
pub mod doctor;
pub mod experiment;
pub mod explain;
pub mod fuzz;
pub mod mutate;
#[cfg(feature = "store")]
pub mod night;
pub mod proof;
pub mod reduce;
pub mod replay;
pub mod report;
pub mod setup;
pub mod solve;
pub mod solver;
#[cfg(feature = "store")]
pub mod status;
pub mod strategy;
pub mod validate;
