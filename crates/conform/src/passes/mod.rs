//! Passes of solvers checked: a problem before a pass and what the pass makes of it are both decided by exhaustion.

mod after;
mod asking;
mod check;
mod command;
mod problem;
mod spelling;
mod tally;
mod truth;
mod verdict;

pub use check::PassChecker;
pub use command::{PassCommand, PassSyntax};
pub use problem::{PassProblem, ProblemSource};
pub use tally::{PassDifference, PassTally};
pub use truth::WorldTruth;
