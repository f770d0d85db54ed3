//! The Alethe format (Barbosa and others, "The Alethe Proof Format").

use super::{ProofReadError, ProofReader};
use smtlib::sexpr::SexprNode;

impl ProofReader<'_> {
    /// Reads all commands.
    pub(super) fn alethe(&mut self, _commands: &[SexprNode]) -> Result<(), ProofReadError> {
        Ok(())
    }
}
