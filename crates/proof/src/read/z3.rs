//! z3's proofs, which are terms.

use super::terms::{AppliedTo, Meaning};
use super::{ProofReadError, ProofReader};
use smtlib::sexpr::SexprNode;

impl<'a> ProofReader<'a> {
    /// Reads all commands.
    pub(super) fn z3(&mut self, _commands: &[SexprNode]) -> Result<(), ProofReadError> {
        Ok(())
    }

    /// The step that a term is, if it is one.
    pub(super) fn z3_step(
        &mut self,
        _node: SexprNode,
        _head: &AppliedTo<'a>,
        _values: &[Meaning],
    ) -> Result<Option<Meaning>, ProofReadError> {
        Ok(None)
    }
}
