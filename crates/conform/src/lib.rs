//! Conformance: the evaluator against solvers, on random ground applications of every operator of a theory, and on what
//! solvers' passes make of small finite problems; solvers' rewrite rules decided at small sizes.

pub mod application;
pub mod evidence;
pub mod explained;
mod hidden;
mod numbers;
pub mod passes;
mod question;
mod reading;
pub mod round;
pub mod rules;
mod setting;
pub mod tally;
mod values;

pub use application::{Application, ApplicationBlock};
pub use evidence::DisagreementScript;
pub use explained::{Explained, Explanation, TableError};
pub use round::{Agreement, Ask, SolverUnderTest};
pub use tally::Tally;
