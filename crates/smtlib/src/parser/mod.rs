//! Text to commands and terms.
//!
//! Invariant: nothing here recurses on the nesting of terms; sorts and s-expressions are bounded or scanned flat.

mod binders;
mod command;
mod datatype;
mod define;
mod head;
mod scope;
mod sort;
mod term;

pub use scope::Scope;
pub(crate) use scope::{Binding, SortBinding};

use crate::error::Error;
use crate::free_vars::FreeVars;
use crate::lexer::{Lexer, Token, TokenKind};
use crate::script::Script;
use crate::symbol::Symbol;
use crate::term::{Store, TermId};
use std::ops::Range;

pub use crate::sort::MAX_SORT_DEPTH;

/// Reading stops after so many mistakes: the text is not SMT-LIB, or not worth more.
pub const MAX_ERRORS: usize = 100;

/// The outcome of reading a text: all commands that could be read, and all mistakes.
#[derive(Clone, Debug, Default)]
pub struct Parsed {
    /// The commands that are right.
    pub script: Script,
    /// Where each of these commands stands: its bytes in the source, from parenthesis to parenthesis.
    pub spans: Vec<Range<usize>>,
    /// The mistakes, in order. Reading goes on at the next command after each, up to [`MAX_ERRORS`]; one more then says so.
    pub errors: Vec<Error>,
}

/// Reads a script from a fresh symbol table.
pub fn parse(store: &mut Store, source: &str) -> Parsed {
    let mut scope = Scope::new(store);
    store.reserve(source.len());
    parse_commands(store, &mut scope, source)
}

/// Reads bytes as a script.
///
/// # Errors
/// Not UTF-8; the span is the first offending byte.
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
                parsed.script.commands.push(command);
                parsed.spans.push(open..parser.lexer.position());
            }
            Ok(None) => return parsed,
            Err(error) => {
                parsed.errors.push(error);
                parser.recover(start);
                if parsed.errors.len() == MAX_ERRORS {
                    let end = parser.lexer.position();
                    parsed.errors.push(
                        Error::new(end..end, format!("{MAX_ERRORS} mistakes; the rest is not read"))
                            .help("repair the first ones, which may cause the others"),
                    );
                    return parsed;
                }
            }
        }
    }
}

/// Reads one term in a given scope; the text must hold nothing else.
///
/// # Errors
/// The first mistake.
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
    // A term that is wrong in the middle leaves nothing bound.
    parser.unwind();
    term
}

/// A reader at a place of a text.
struct Parser<'a> {
    store: &'a mut Store,
    scope: &'a mut Scope,
    source: &'a str,
    lexer: Lexer<'a>,
    /// Operands of the applications being read.
    operands: Vec<TermId>,
    frames: Vec<term::Frame>,
    /// Names shadowed by `let` and binders, with what they meant.
    shadowed: Vec<(Symbol, scope::Binding, bool)>,
    /// Names of the `let`s being read, before they are bound.
    let_names: Vec<Symbol>,
    /// The name of the `(! … :named n)` around the whole term last read.
    outer_name: Option<Symbol>,
    free: FreeVars,
}

impl<'a> Parser<'a> {
    fn new(store: &'a mut Store, scope: &'a mut Scope, source: &'a str) -> Parser<'a> {
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
            free: FreeVars::default(),
        }
    }

    fn next(&mut self) -> Result<Token, Error> {
        self.lexer.next()
    }

    fn peek(&mut self) -> Result<Token, Error> {
        let at = self.lexer.position();
        let token = self.lexer.next();
        self.lexer.seek(at);
        token
    }

    fn text(&self, token: Token) -> &'a str {
        &self.source[token.span()]
    }

    /// The name a symbol token stands for.
    fn name_of(&self, token: Token) -> &'a str {
        match token.kind {
            TokenKind::Quoted => &self.source[token.start + 1..token.end - 1],
            _ => self.text(token),
        }
    }

    fn expect(&mut self, kind: TokenKind, what: &str) -> Result<Token, Error> {
        let token = self.next()?;
        if token.kind == kind { Ok(token) } else { Err(self.unexpected(token, what)) }
    }

    fn unexpected(&self, token: Token, what: &str) -> Error {
        let found = match token.kind {
            TokenKind::End => "the text ends here".to_string(),
            TokenKind::Close => "unexpected `)`".to_string(),
            TokenKind::Open => "unexpected `(`".to_string(),
            _ => format!("unexpected `{}`", shorten(self.text(token))),
        };
        Error::new(token.span(), found).help(format!("expected {what}"))
    }

    /// A symbol, interned.
    fn symbol(&mut self, what: &str) -> Result<(Symbol, Token), Error> {
        let token = self.next()?;
        match token.kind {
            TokenKind::Symbol | TokenKind::Quoted => {
                let name = self.name_of(token);
                // `lambda` and `match` are reserved only since later versions: older files use them as names.
                let reserved = crate::printer::RESERVED.contains(&name) && !matches!(name, "lambda" | "match");
                if token.kind == TokenKind::Symbol && reserved {
                    return Err(Error::new(token.span(), format!("`{name}` is a reserved word"))
                        .help(format!("expected {what}; in bars it would be a name: |{name}|")));
                }
                Ok((self.store.symbols.intern(name), token))
            }
            _ => Err(self.unexpected(token, what)),
        }
    }

    /// A numeral that fits `u32`.
    fn index(&mut self, what: &str) -> Result<u32, Error> {
        let token = self.expect(TokenKind::Numeral, what)?;
        self.text(token)
            .parse()
            .map_err(|_| Error::new(token.span(), "this number is too large").help("at most 4294967295 here"))
    }

    /// Skips one s-expression, however deep, and returns its text.
    fn skip_expression(&mut self, what: &str) -> Result<&'a str, Error> {
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
    fn skip_to_close(&mut self, open: Token) -> Result<(), Error> {
        let mut depth = 1u64;
        while depth > 0 {
            let token = self.next()?;
            match token.kind {
                TokenKind::Open => depth += 1,
                TokenKind::Close => depth -= 1,
                TokenKind::End => {
                    return Err(
                        Error::new(open.span(), "this `(` is never closed").help("the text ends before its `)`")
                    );
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Goes on after the command that began at `start` and went wrong, and forgets what it left half read.
    fn recover(&mut self, start: usize) {
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
                // A bad character moves on; an endless string or symbol is at the end of the text.
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

    /// Undoes the bindings of terms that were not read to their end.
    fn unwind(&mut self) {
        self.frames.clear();
        self.operands.clear();
        self.let_names.clear();
        self.unshadow(0);
    }
}

/// At most 40 characters of a text, for messages.
fn shorten(text: &str) -> String {
    match text.char_indices().nth(40) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_string(),
    }
}

/// The names nearest to `name` among `known`, as a help text.
fn suggestion<'n>(name: &str, known: impl Iterator<Item = &'n str>) -> Option<String> {
    if name.len() > 40 {
        return None;
    }
    // A hint that shares nothing with the name is none.
    let limit = (1 + name.len() / 4).min(name.len().saturating_sub(1));
    let close = known.filter(|k| k.len().abs_diff(name.len()) <= limit).map(|k| (distance(name, k), k));
    let best = close.filter(|(d, _)| *d <= limit).min()?;
    Some(format!("did you mean `{}`?", best.1))
}

/// The names nearest to `name` among `known` (at most three), as a help text.
pub(crate) fn nearest_names<'n>(name: &str, known: impl Iterator<Item = &'n str>) -> Option<String> {
    if name.len() > 40 {
        return None;
    }
    let limit = (1 + name.len() / 3).min(name.len().saturating_sub(1));
    let close = known.filter(|k| k.len().abs_diff(name.len()) <= limit).map(|k| (distance(name, k), k));
    let mut close: Vec<(usize, &str)> = close.filter(|(d, _)| *d <= limit).collect();
    close.sort_unstable();
    close.dedup();
    let names: Vec<String> = close.iter().take(3).map(|(_, k)| format!("`{k}`")).collect();
    (!names.is_empty()).then(|| format!("did you mean {}?", names.join(" or ")))
}

/// Levenshtein distance in bytes.
fn distance(a: &str, b: &str) -> usize {
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.bytes().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in b.bytes().enumerate() {
            let substituted = diagonal + usize::from(x != y);
            diagonal = row[j + 1];
            row[j + 1] = substituted.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
}
