//! Bytes to tokens (SMT-LIB 2.7, section 3.1).

use crate::error::Error;
use crate::names::is_symbol_byte;
use std::ops::Range;

/// The kind of a token.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum TokenKind {
    Open,
    Close,
    /// A simple symbol.
    Symbol,
    /// A symbol in bars; the span includes the bars.
    Quoted,
    /// `:name`.
    Keyword,
    Numeral,
    Decimal,
    /// `#x…`.
    Hexadecimal,
    /// `#b…`.
    Binary,
    /// `#f…m…`.
    FieldElement,
    /// A string literal; the span includes the quotes.
    String,
    /// The end of the text.
    End,
}

/// A token and its position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Token {
    pub kind: TokenKind,
    pub start: usize,
    pub end: usize,
}

impl Token {
    pub fn span(&self) -> Range<usize> {
        self.start..self.end
    }
}

/// A reader of tokens.
///
/// Positions are in bytes. Everything that ends a token is ASCII, so spans never split characters.
#[derive(Clone)]
pub(crate) struct Lexer<'s> {
    source: &'s [u8],
    pos: usize,
}

/// A region that hides parentheses.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Hiding {
    /// From `;` to the end of the line.
    Comment,
    /// From quote to quote; a doubled quote is part of it (since SMT-LIB 2.5).
    String,
    /// A quoted symbol, from bar to bar.
    Quoted,
}

impl Hiding {
    /// Returns the region that begins with this byte.
    pub fn opened_by(byte: u8) -> Option<Hiding> {
        match byte {
            b';' => Some(Hiding::Comment),
            b'"' => Some(Hiding::String),
            b'|' => Some(Hiding::Quoted),
            _ => None,
        }
    }

    /// Returns the position after the region, searched from `from` on; `None` if the text ends inside it.
    #[inline]
    pub fn end(self, text: &[u8], mut from: usize) -> Option<usize> {
        let closing = match self {
            Hiding::Comment => b'\n',
            Hiding::String => b'"',
            // The standard forbids backslashes in quoted symbols, but benchmark generators write them, and solvers read them literally.
            Hiding::Quoted => b'|',
        };
        loop {
            from += memchr::memchr(closing, text.get(from..)?)? + 1;
            if self != Hiding::String || text.get(from) != Some(&b'"') {
                return Some(from);
            }
            from += 1;
        }
    }
}

/// Text that is not a token.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Fault {
    Keyword,
    Number,
    Hash,
    BitVector,
    FieldElement,
    EndlessString,
    EndlessSymbol,
    Character,
}

/// The text at a position, token or not.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Loose {
    Open,
    Close,
    /// Any other token, or other text up to a blank or the next token.
    Atom,
    /// A string or quoted symbol that never ends.
    Endless,
}

const SYMBOL: u8 = 1;
const DIGIT: u8 = 2;
const SPACE: u8 = 4;
/// The end of text that is not a token.
const BREAK: u8 = 8;

/// The classes of every byte.
static CLASS: [u8; 256] = {
    let mut table = [0u8; 256];
    let mut b = 0usize;
    while b < 256 {
        let byte = b as u8;
        if is_symbol_byte(byte) {
            table[b] |= SYMBOL;
        }
        if byte.is_ascii_digit() {
            table[b] |= DIGIT;
        }
        if matches!(byte, b' ' | b'\t' | b'\r' | b'\n') {
            table[b] |= SPACE | BREAK;
        }
        if matches!(byte, b'(' | b')' | b';' | b'"' | b'|') {
            table[b] |= BREAK;
        }
        b += 1;
    }
    table
};

impl<'s> Lexer<'s> {
    pub fn new(source: &'s str) -> Lexer<'s> {
        Lexer::of_bytes(source.as_bytes())
    }

    pub fn of_bytes(source: &'s [u8]) -> Lexer<'s> {
        // A byte order mark is not text.
        let pos = if source.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 };
        Lexer { source, pos }
    }

    pub fn position(&self) -> usize {
        self.pos
    }

    pub fn seek(&mut self, pos: usize) {
        self.pos = pos;
    }

    fn skip_while(&mut self, class: u8) {
        while let Some(&b) = self.source.get(self.pos)
            && CLASS[b as usize] & class != 0
        {
            self.pos += 1;
        }
    }

    /// Returns the next token; at the end of the text always `End`.
    pub fn next(&mut self) -> Result<Token, Error> {
        let start = self.skip_blanks();
        match self.scan() {
            Ok(kind) => Ok(Token { kind, start, end: self.pos }),
            Err(fault) => Err(self.error(fault, start)),
        }
    }

    /// Skips past the `)` that closes `open`, which was just read.
    pub fn skip_to_close(&mut self, open: Token) -> Result<(), Error> {
        let mut depth = 1u64;
        while depth > 0 {
            match self.next()?.kind {
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

    /// Returns the next item and its position, in a text that need not be SMT-LIB; `None` at its end.
    pub fn next_loose(&mut self) -> Option<(Loose, Range<usize>)> {
        let start = self.skip_blanks();
        let what = match self.scan() {
            Ok(TokenKind::End) => return None,
            Ok(TokenKind::Open) => Loose::Open,
            Ok(TokenKind::Close) => Loose::Close,
            Ok(_) => Loose::Atom,
            Err(Fault::EndlessString | Fault::EndlessSymbol) => Loose::Endless,
            Err(_) => {
                while self.source.get(self.pos).is_some_and(|&b| CLASS[b as usize] & BREAK == 0) {
                    self.pos += 1;
                }
                Loose::Atom
            }
        };
        Some((what, start..self.pos))
    }

    /// Advances to the next token and returns its position.
    fn skip_blanks(&mut self) -> usize {
        loop {
            self.skip_while(SPACE);
            if self.source.get(self.pos) != Some(&b';') {
                return self.pos;
            }
            self.pos = Hiding::Comment.end(self.source, self.pos + 1).unwrap_or(self.source.len());
        }
    }

    /// Returns the token that begins here.
    #[inline]
    fn scan(&mut self) -> Result<TokenKind, Fault> {
        let Some(&first) = self.source.get(self.pos) else { return Ok(TokenKind::End) };
        match first {
            b'(' => {
                self.pos += 1;
                Ok(TokenKind::Open)
            }
            b')' => {
                self.pos += 1;
                Ok(TokenKind::Close)
            }
            b'0'..=b'9' => self.number(),
            b'#' => self.hash(),
            b'"' => self.hiding(Hiding::String, TokenKind::String, Fault::EndlessString),
            b'|' => self.hiding(Hiding::Quoted, TokenKind::Quoted, Fault::EndlessSymbol),
            b':' => {
                self.pos += 1;
                let name = self.pos;
                self.skip_while(SYMBOL);
                if self.pos == name { Err(Fault::Keyword) } else { Ok(TokenKind::Keyword) }
            }
            b if CLASS[b as usize] & SYMBOL != 0 => {
                self.pos += 1;
                self.skip_while(SYMBOL);
                Ok(TokenKind::Symbol)
            }
            _ => {
                // One character: a byte and its UTF-8 continuation.
                self.pos += 1;
                while self.source.get(self.pos).is_some_and(|b| b & 0xC0 == 0x80) {
                    self.pos += 1;
                }
                Err(Fault::Character)
            }
        }
    }

    fn number(&mut self) -> Result<TokenKind, Fault> {
        self.skip_while(DIGIT);
        let mut kind = TokenKind::Numeral;
        // `1.` is not a decimal of the standard, but some tools write it for `1.0`.
        if self.source.get(self.pos) == Some(&b'.') {
            self.pos += 1;
            self.skip_while(DIGIT);
            kind = TokenKind::Decimal;
        }
        if self.source.get(self.pos).is_some_and(|&b| CLASS[b as usize] & SYMBOL != 0) {
            self.skip_while(SYMBOL);
            return Err(Fault::Number);
        }
        Ok(kind)
    }

    fn hash(&mut self) -> Result<TokenKind, Fault> {
        self.pos += 1;
        let (kind, valid): (_, fn(&u8) -> bool) = match self.source.get(self.pos) {
            Some(b'x') => (TokenKind::Hexadecimal, u8::is_ascii_hexdigit),
            Some(b'b') => (TokenKind::Binary, |b| matches!(b, b'0' | b'1')),
            Some(b'f') => return self.field_element(),
            _ => return Err(Fault::Hash),
        };
        self.pos += 1;
        let digits = self.pos;
        self.skip_while(SYMBOL);
        if self.pos == digits || !self.source[digits..self.pos].iter().all(valid) {
            return Err(Fault::BitVector);
        }
        Ok(kind)
    }

    /// After `#`: `fNmP`, where N may have a sign.
    fn field_element(&mut self) -> Result<TokenKind, Fault> {
        self.pos += 1;
        let start = self.pos;
        self.skip_while(SYMBOL);
        let digits = |text: &[u8]| !text.is_empty() && text.iter().all(u8::is_ascii_digit);
        let text = &self.source[start..self.pos];
        let parts = memchr::memchr(b'm', text).map(|at| (&text[..at], &text[at + 1..]));
        match parts {
            Some((value, order)) if digits(value.strip_prefix(b"-").unwrap_or(value)) && digits(order) => {
                Ok(TokenKind::FieldElement)
            }
            _ => Err(Fault::FieldElement),
        }
    }

    fn hiding(&mut self, what: Hiding, kind: TokenKind, endless: Fault) -> Result<TokenKind, Fault> {
        match what.end(self.source, self.pos + 1) {
            Some(end) => {
                self.pos = end;
                Ok(kind)
            }
            None => {
                self.pos = self.source.len();
                Err(endless)
            }
        }
    }

    #[cold]
    fn error(&self, fault: Fault, start: usize) -> Error {
        let whole = start..self.pos;
        let first = start..start + 1;
        match fault {
            Fault::Keyword => Error::new(first, "a `:` without a keyword"),
            Fault::Number => Error::new(whole, "neither a number nor a symbol")
                .help("a symbol must not start with a digit, unless in bars: |1a|"),
            Fault::Hash => Error::new(whole, "`#` must begin #x…, #b… or #f…"),
            Fault::BitVector => Error::new(whole, "a malformed bit-vector literal")
                .help("expected #x and hexadecimal digits, or #b and binary digits"),
            Fault::FieldElement => Error::new(whole, "a malformed literal of a finite field")
                .help("expected #fNmP, the element N of the field of P elements"),
            Fault::EndlessString => Error::new(first, "a string that never ends").help("expected a closing \""),
            Fault::EndlessSymbol => Error::new(first, "a quoted symbol that never ends").help("expected a closing |"),
            Fault::Character => {
                let c = String::from_utf8_lossy(&self.source[whole.clone()]).chars().next().unwrap_or(' ');
                Error::new(whole, format!("unexpected character {c:?}"))
                    .help("other characters are allowed only in strings, comments and |quoted symbols|")
            }
        }
    }
}
