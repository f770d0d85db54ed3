//! Commands beyond the standard whose terms are read: objectives, questions about a term, and commands that are marked as errors.

use super::reader::Parser;
use crate::error::Error;
use crate::lexer::TokenKind;
use crate::script::Command;
use crate::sort::Sort;

/// The commands that may be marked as errors: a failed one leaves nothing behind.
const MARKED: &[&str] = &["assert", "declare-const", "declare-fun", "pop", "set-option"];

/// The commands about one term.
pub(super) const ABOUT_TERMS: &[&str] =
    &["assert-soft", "eval", "get-abduct", "get-interpolant", "get-qe", "maximize", "minimize", "simplify"];

impl Parser<'_> {
    /// Parses the rest of a mark and the command after it, which must be an error, up to that command's `)`.
    pub(super) fn erroneous(&mut self) -> Result<Command, Error> {
        self.skip_expression("`true`")?;
        self.expect(TokenKind::Close, "`)` after the mark")?;
        let open = self.expect(TokenKind::Open, "the command that is an error")?;
        let word = self.next()?;
        let name = self.text(word);
        let is_error = MARKED.contains(&name)
            && match self.command_body(name, word) {
                Ok(_) => false,
                Err(error) => !error.opaque,
            };
        self.unwind();
        self.lexer.seek(open.end);
        self.skip_to_close(open)?;
        let end = self.lexer.position();
        let text = &self.source[open.start..end];
        // A name bound before the error is found would stay.
        if !is_error || text.contains(":named") {
            return Err(Error::new(open.start..end, "this command is marked as an error, and is none that is known"));
        }
        self.lexer.seek(end - 1);
        Ok(Command::Erroneous(text.into()))
    }

    /// Parses a command about one term up to its `)`.
    pub(super) fn about_term(&mut self, name: &str) -> Result<Command, Error> {
        let mut before = name.to_string();
        if matches!(name, "get-abduct" | "get-interpolant") {
            before.extend([" ", self.skip_expression("the name of the answer")?]);
        }
        let start = self.peek()?;
        let is_formula = matches!(name, "assert-soft" | "get-abduct" | "get-interpolant" | "get-qe");
        let t = if is_formula { self.boolean(start)? } else { self.term()? };
        // A name of the whole term is bound, and like names within it not printed.
        self.outer_name = None;
        let is_ordered = matches!(self.store.sorts.get(self.store.sort(t)), Sort::Int | Sort::Real | Sort::BitVec(_));
        if matches!(name, "maximize" | "minimize") && !is_ordered {
            return Err(Error::new(start.span(), "only integers, reals and bit-vectors have a best value"));
        }
        let rest = self.rest("an attribute")?;
        Ok(Command::Extension(before.into(), t, rest))
    }

    /// Returns the rest of a command up to its `)`, each expression after a blank.
    pub(super) fn rest(&mut self, what: &str) -> Result<Box<str>, Error> {
        let mut rest = String::new();
        while self.peek()?.kind != TokenKind::Close {
            rest.extend([" ", self.skip_expression(what)?]);
        }
        Ok(rest.into())
    }
}
