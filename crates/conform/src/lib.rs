//! Conformance: the evaluator against solvers, on random ground applications of every operator of a theory.

pub mod application;
pub mod explained;
mod numbers;
mod question;
pub mod round;
mod setting;
pub mod tally;
mod values;

pub use application::{Application, Block};
pub use explained::{Explained, Explanation, TableError};
pub use round::{Agreement, SolverUnderTest};
pub use tally::Tally;
