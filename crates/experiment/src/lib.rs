//! Comparisons of solvers, searches and strategies on the same problems: who is run, on what, and what the times say.

pub mod contender;
pub mod portfolio;
pub mod problem;
pub mod results;
pub mod statistics;
