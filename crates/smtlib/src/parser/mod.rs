//! Text to commands and terms.
//!
//! Invariant: nothing here recurses on the nesting of terms; sorts and s-expressions are bounded or scanned flat.

mod beyond;
mod binders;
mod command;
mod datatype;
mod define;
mod frame;
mod head;
mod maps;
mod overload;
mod reader;
mod rows;
mod rules;
mod scope;
mod sort;
mod sums;
mod term;
mod theory;
mod tuples;

pub use scope::Scope;

use crate::error::Error;
use crate::lexer::TokenKind;
use crate::script::Script;
use crate::sort::SortId;
use crate::symbol::Symbol;
use crate::term::{Store, TermId};
use reader::Parser;
use std::ops::Range;

pub use crate::error::MAX_ERRORS;
pub use crate::sort::MAX_SORT_DEPTH;

/// The result of reading a text: all readable commands, and all errors.
#[derive(Clone, Debug, Default)]
pub struct Parsed {
    /// The correct commands.
    pub script: Script,
    /// The span of each command: its bytes in the source, from parenthesis to parenthesis.
    pub spans: Vec<Range<usize>>,
    /// The `:named` terms, including inner ones, each with the index of its command.
    pub labels: Vec<(usize, Symbol, TermId)>,
    /// The errors, in order. Reading continues at the next command after each, up to [`MAX_ERRORS`]; one more then says so.
    pub errors: Vec<Error>,
}

/// Reads a script from a fresh symbol table.
pub fn parse(store: &mut Store, source: &str) -> Parsed {
    let mut scope = Scope::new(store);
    store.reserve(source.len());
    parse_commands(store, &mut scope, source)
}

/// Reads bytes as a script.
/// Errors: not UTF-8; the span is the first offending byte.
pub fn parse_bytes(store: &mut Store, bytes: &[u8]) -> Result<Parsed, Error> {
    match std::str::from_utf8(bytes) {
        Ok(text) => Ok(parse(store, text)),
        Err(e) => {
            let at = e.valid_up_to();
            Err(Error::new(at..at + 1, "the text is not UTF-8")
                .help("SMT-LIB texts are ASCII or UTF-8; convert the file"))
        }
    }
}

/// Reads commands in a given scope, which they extend.
pub fn parse_commands(store: &mut Store, scope: &mut Scope, source: &str) -> Parsed {
    let mut parsed = Parsed::default();
    let mut parser = Parser::new(store, scope, source);
    loop {
        let start = parser.lexer.position();
        match parser.command() {
            Ok(Some((command, open))) => {
                let place = parsed.script.commands.len();
                parsed.labels.extend(parser.labels.drain(..).map(|(name, term)| (place, name, term)));
                parsed.script.commands.push(command);
                parsed.spans.push(open..parser.lexer.position());
            }
            Ok(None) => return parsed,
            Err(error) => {
                parser.labels.clear();
                parsed.errors.push(error);
                parser.recover(start);
                parser.bind_failed(start);
                if parsed.errors.len() == MAX_ERRORS {
                    let end = parser.lexer.position();
                    parsed.errors.push(
                        Error::new(end..end, format!("{MAX_ERRORS} errors; the rest is not read"))
                            .help("fix the first ones, which may cause the others"),
                    );
                    return parsed;
                }
            }
        }
    }
}

/// Reads one term in a given scope; the text must contain nothing else.
/// Errors: the first error, with its position.
pub fn parse_term(store: &mut Store, scope: &mut Scope, source: &str) -> Result<TermId, Error> {
    let mut parser = Parser::new(store, scope, source);
    let whole = |parser: &mut Parser<'_>| {
        let term = parser.term()?;
        let rest = parser.next()?;
        if rest.kind != TokenKind::End {
            return Err(Error::new(rest.span(), "text after the term"));
        }
        Ok(term)
    };
    let term = whole(&mut parser);
    // A term with an error leaves nothing bound.
    parser.unwind();
    term
}

/// Applies the operator that a text names (`f`, `(_ extract 3 0)`, `(as const S)`) to terms, as the term reader would.
/// Errors: the text names no operator, or it does not apply to these terms.
pub fn parse_application(store: &mut Store, scope: &mut Scope, head: &str, args: &[TermId]) -> Result<TermId, Error> {
    let mut parser = Parser::new(store, scope, head);
    let token = parser.next()?;
    let applied = match token.kind {
        TokenKind::Open => parser.compound_head(token)?,
        TokenKind::Symbol | TokenKind::Quoted => {
            let symbol = parser.store.symbols.intern(parser.name_of(token));
            parser.named_head(symbol, token)?
        }
        _ => return Err(parser.unexpected(token, "an identifier")),
    };
    let rest = parser.next()?;
    if rest.kind != TokenKind::End {
        return Err(Error::new(rest.span(), "text after the identifier"));
    }
    parser.apply(applied, args, token)
}

/// Reads one sort in a given scope; the text must contain nothing else.
/// Errors: the first error, with its position.
pub fn parse_sort(store: &mut Store, scope: &mut Scope, source: &str) -> Result<SortId, Error> {
    let mut parser = Parser::new(store, scope, source);
    let sort = parser.sort()?;
    let rest = parser.next()?;
    if rest.kind != TokenKind::End {
        return Err(Error::new(rest.span(), "text after the sort"));
    }
    Ok(sort)
}
