//! The parser's state, and reading token by token.

use super::binders::Shadow;
use super::frame::ParseFrame;
use super::scope::Scope;
use super::sums::FormulaSum;
use crate::error::Error;
use crate::free_vars::FreeVars;
use crate::lexer::{Lexer, Token, TokenKind};
use crate::literal;
use crate::names::RESERVED;
use crate::standard::Binding;
use crate::symbol::Symbol;
use crate::term::{Store, TermId};
use std::cell::Cell;

/// A reader at a position of a text.
pub(super) struct Parser<'a> {
    pub(super) store: &'a mut Store,
    pub(super) scope: &'a mut Scope,
    pub(super) source: &'a str,
    pub(super) lexer: Lexer<'a>,
    /// Operands of the applications being read.
    pub(super) operands: Vec<TermId>,
    pub(super) frames: Vec<ParseFrame>,
    /// Names shadowed by `let` and binders, with their former meanings.
    pub(super) shadowed: Vec<(Symbol, Binding, Shadow)>,
    /// Names of the `let`s being read, before they are bound.
    pub(super) let_names: Vec<Symbol>,
    /// The name of the `(! … :named n)` around the whole term last read.
    pub(super) outer_name: Option<Symbol>,
    /// The `:named` terms of the command being read.
    pub(super) labels: Vec<(Symbol, TermId)>,
    /// The sums of formulas met so far.
    pub(super) sums: Vec<FormulaSum>,
    pub(super) free: FreeVars,
    /// The digits left for long numbers of the text.
    digits_left: Cell<usize>,
}

impl<'a> Parser<'a> {
    pub(super) fn new(store: &'a mut Store, scope: &'a mut Scope, source: &'a str) -> Parser<'a> {
        Parser {
            store,
            scope,
            source,
            lexer: Lexer::new(source),
            operands: Vec::new(),
            frames: Vec::new(),
            shadowed: Vec::new(),
            let_names: Vec::new(),
            outer_name: None,
            labels: Vec::new(),
            sums: Vec::new(),
            free: FreeVars::default(),
            digits_left: Cell::new(literal::MAX_LONG_DIGITS),
        }
    }

    /// Returns a number's text, if all long numbers so far together have few enough digits.
    pub(super) fn number<'t>(&self, text: &'t str) -> Option<&'t str> {
        if text.len() >= literal::LONG_DIGITS {
            self.digits_left.set(self.digits_left.get().checked_sub(text.len())?);
        }
        Some(text)
    }

    pub(super) fn next(&mut self) -> Result<Token, Error> {
        self.lexer.next()
    }

    pub(super) fn peek(&mut self) -> Result<Token, Error> {
        let at = self.lexer.position();
        let token = self.lexer.next();
        self.lexer.seek(at);
        token
    }

    pub(super) fn text(&self, token: Token) -> &'a str {
        &self.source[token.span()]
    }

    /// Returns the name of a symbol token.
    pub(super) fn name_of(&self, token: Token) -> &'a str {
        match token.kind {
            TokenKind::Quoted => &self.source[token.start + 1..token.end - 1],
            _ => self.text(token),
        }
    }

    pub(super) fn expect(&mut self, kind: TokenKind, what: &str) -> Result<Token, Error> {
        let token = self.next()?;
        if token.kind == kind { Ok(token) } else { Err(self.unexpected(token, what)) }
    }

    pub(super) fn unexpected(&self, token: Token, what: &str) -> Error {
        let found = match token.kind {
            TokenKind::End => "the text ends here".to_string(),
            TokenKind::Close => "unexpected `)`".to_string(),
            TokenKind::Open => "unexpected `(`".to_string(),
            _ => format!("unexpected `{}`", shorten(self.text(token))),
        };
        Error::new(token.span(), found).help(format!("expected {what}"))
    }

    /// Returns a symbol, interned.
    pub(super) fn symbol(&mut self, what: &str) -> Result<(Symbol, Token), Error> {
        let token = self.next()?;
        match token.kind {
            TokenKind::Symbol | TokenKind::Quoted => {
                let name = self.name_of(token);
                // `lambda` and `match` are reserved only since later versions: older files use them as names.
                let reserved = RESERVED.contains(&name) && !matches!(name, "lambda" | "match");
                if token.kind == TokenKind::Symbol && reserved {
                    return Err(Error::new(token.span(), format!("`{name}` is a reserved word"))
                        .help(format!("expected {what}; in bars it would be a name: |{name}|")));
                }
                Ok((self.store.symbols.intern(name), token))
            }
            _ => Err(self.unexpected(token, what)),
        }
    }

    /// Returns a numeral that fits `u32`.
    pub(super) fn index(&mut self, what: &str) -> Result<u32, Error> {
        let token = self.expect(TokenKind::Numeral, what)?;
        self.text(token)
            .parse()
            .map_err(|_| Error::new(token.span(), "this number is too large").help("at most 4294967295 here"))
    }

    /// Skips one s-expression, however deep, and returns its text.
    pub(super) fn skip_expression(&mut self, what: &str) -> Result<&'a str, Error> {
        let first = self.next()?;
        if matches!(first.kind, TokenKind::Close | TokenKind::End) {
            return Err(self.unexpected(first, what));
        }
        if first.kind == TokenKind::Open {
            self.skip_to_close(first)?;
        }
        Ok(&self.source[first.start..self.lexer.position()])
    }

    /// Skips to the `)` that closes `open`.
    pub(super) fn skip_to_close(&mut self, open: Token) -> Result<(), Error> {
        self.lexer.skip_to_close(open)
    }

    /// Continues after the failed command that began at `start`, and drops its unfinished parts.
    pub(super) fn recover(&mut self, start: usize) {
        self.unwind();
        let reached = self.lexer.position();
        self.lexer.seek(start);
        let mut depth = 0u64;
        loop {
            match self.next() {
                Ok(Token { kind: TokenKind::Open, .. }) => depth += 1,
                Ok(Token { kind: TokenKind::Close, .. }) => depth = depth.saturating_sub(1),
                Ok(Token { kind: TokenKind::End, .. }) => return,
                Ok(_) => {}
                // A bad character is skipped; an endless string or symbol is at the end of the text.
                Err(_) => {
                    if self.lexer.position() >= self.source.len() {
                        return;
                    }
                }
            }
            if depth == 0 && self.lexer.position() >= reached.min(self.source.len()) {
                return;
            }
        }
    }

    /// Undoes the bindings of unfinished terms.
    pub(super) fn unwind(&mut self) {
        self.frames.clear();
        self.operands.clear();
        self.let_names.clear();
        self.unshadow(0);
    }
}

/// At most 40 characters of a text, for messages.
pub(super) fn shorten(text: &str) -> String {
    match text.char_indices().nth(40) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_string(),
    }
}
