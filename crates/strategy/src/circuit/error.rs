//! Why a goal cannot be written as a circuit.

use crate::engines::bitblast::TranslateError;

/// Why a circuit cannot be written.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum CircuitError {
    /// The goal is not a circuit, or too large.
    #[error(transparent)]
    Translate(#[from] TranslateError),
    /// A symbol has two meanings, of which the model conversion covers only one.
    #[error("the symbol `{0}` means one thing in the goal and another one on the way back; rename it")]
    Ambiguous(String),
    /// A symbol's name does not fit into a comment of one line.
    #[error("the symbol {0} has a line break in its name, and comments are one line each; rename it")]
    LineBreak(String),
}
