//! Goals as circuits and clauses in the formats of hardware checkers and SAT solvers: AIGER and DIMACS.
//!
//! Each file states in comments which of its variables are the bits of the problem's symbols, so a model of the file is a model of the
//! problem.

mod aiger;
mod dimacs;
mod goal;

pub use goal::{CircuitError, GoalCircuit, SymbolBits};

use rewrite::Stop;

/// A format of circuits or clauses.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CircuitFormat {
    /// Clauses: DIMACS CNF, the format of the SAT competitions.
    Dimacs,
    /// And-inverter graph as text: AIGER's `aag` (Biere, "The AIGER And-Inverter Graph (AIG) Format", version 20071012).
    AigerText,
    /// And-inverter graph in bytes: AIGER's `aig`.
    AigerBinary,
}

/// Writes a circuit in a format; `heading` becomes comments, one per line.
/// Errors: [`CircuitError::Translate`] when the time is up.
pub fn circuit_file(
    circuit: &GoalCircuit,
    heading: &[String],
    format: CircuitFormat,
    stop: &Stop,
) -> Result<Vec<u8>, CircuitError> {
    match format {
        CircuitFormat::Dimacs => dimacs::file(circuit, heading, stop),
        CircuitFormat::AigerText => aiger::file(circuit, heading, false, stop),
        CircuitFormat::AigerBinary => aiger::file(circuit, heading, true, stop),
    }
}
