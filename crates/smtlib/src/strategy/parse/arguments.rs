//! Arguments of tacticals that are texts: solvers, commands, files.

use super::{NameUse, StrategyReader};
use crate::error::Error;
use crate::lexer::TokenKind;

impl StrategyReader<'_> {
    /// The solver that an expression names.
    pub(super) fn spec(&mut self, head: &NameUse<'_>) -> Result<String, Error> {
        const EXAMPLES: &str = "write for example (solver z3@4.15.4) or (solver \"./my-solver --flag\")";
        if self.at_close()? {
            return Err(self.too_few(head));
        }
        let token = self.lexer.next()?;
        let spec = match token.kind {
            TokenKind::Symbol => self.text(token).to_string(),
            TokenKind::Quoted => self.source[token.start + 1..token.end - 1].to_string(),
            TokenKind::String => self.source[token.start + 1..token.end - 1].replace("\"\"", "\""),
            _ => {
                let found = self.text(token);
                return Err(Error::new(token.span(), format!("`{found}` names no solver")).help(EXAMPLES));
            }
        };
        match spec.trim().is_empty() {
            true => Err(Error::new(token.span(), "no solver is named").help(EXAMPLES)),
            false => Ok(spec),
        }
    }

    /// The string that an expression holds: `what` it is to be.
    pub(super) fn quoted(&mut self, head: &NameUse<'_>, what: &str) -> Result<String, Error> {
        if self.at_close()? {
            return Err(self.too_few(head));
        }
        let token = self.lexer.next()?;
        let text = match token.kind {
            TokenKind::String => self.source[token.start + 1..token.end - 1].replace("\"\"", "\""),
            _ => {
                let found = self.text(token);
                let error = Error::new(token.span(), format!("`{found}` stands where {what} belongs, as a string"));
                return Err(self.wants(error, head));
            }
        };
        match text.trim().is_empty() {
            true => {
                Err(self.wants(Error::new(token.span(), format!("the string is empty where {what} belongs")), head))
            }
            false => Ok(text),
        }
    }
}
