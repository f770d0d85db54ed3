//! Comparisons of solvers, searches, strategies and reductions on the same problems: who is run, on what, and what the times say.

pub mod contender;
pub mod minimization;
pub mod portfolio;
pub mod problem;
pub mod results;
pub mod statistics;
