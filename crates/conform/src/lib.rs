//! Conformance: compares the evaluator with solvers, on random ground applications of every operator of a theory, and on the results of
//! solvers' passes for small finite problems; decides solvers' rewrite rules at small sizes.
//!
//! Applications of one operator, each with our value, which solvers confirm or contradict:
//!
//! ```
//! use conform::ApplicationBlock;
//! use smtlib::{Dialect, Kind, theories};
//!
//! let row = theories::row(Kind::BvAdd).ok_or("no such operator")?;
//! let block = ApplicationBlock::new(row, 1, 0)?;
//! assert!(!block.applications.is_empty());
//! for application in &block.applications {
//!     assert!(block.text(application.equation, &Dialect::default()).starts_with("(= (bvadd "));
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

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
