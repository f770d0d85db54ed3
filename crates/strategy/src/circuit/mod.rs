//! Goals as circuits, and as clauses in the format of SAT solvers, DIMACS.
//!
//! Each file states in comments which of its variables are the bits of the problem's symbols, so a model of the file is a model of the
//! problem.

mod dimacs;
mod goal;

pub use dimacs::file as dimacs_file;
pub use goal::{CircuitError, GoalCircuit, SymbolBits};
