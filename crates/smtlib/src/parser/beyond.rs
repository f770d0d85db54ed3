//! Commands beyond the standard whose terms are read: objectives.

use super::reader::Parser;
use crate::error::Error;
use crate::lexer::TokenKind;
use crate::script::Command;
use crate::sort::Sort;

impl Parser<'_> {
    /// Parses an objective up to its `)`.
    pub(super) fn objective(&mut self, name: &str) -> Result<Command, Error> {
        let start = self.peek()?;
        let t = if name == "assert-soft" { self.boolean(start)? } else { self.term()? };
        // A name of the whole term is bound, and like names within it not printed.
        self.outer_name = None;
        let is_ordered = matches!(self.store.sorts.get(self.store.sort(t)), Sort::Int | Sort::Real | Sort::BitVec(_));
        if name != "assert-soft" && !is_ordered {
            return Err(Error::new(start.span(), "only integers, reals and bit-vectors have a best value"));
        }
        let mut attributes = String::new();
        while self.peek()?.kind != TokenKind::Close {
            attributes.extend([" ", self.skip_expression("an attribute")?]);
        }
        Ok(Command::Objective(name.into(), t, attributes.into()))
    }
}
