//! Bytes to tokens (SMT-LIB 2.7, section 3.1).

use crate::error::Error;
use crate::printer::is_symbol_byte;
use std::ops::Range;

/// What a token is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum TokenKind {
    Open,
    Close,
    /// A simple symbol.
    Symbol,
    /// A symbol in bars; the span holds the bars.
    Quoted,
    /// `:name`.
    Keyword,
    Numeral,
    Decimal,
    /// `#x…`.
    Hexadecimal,
    /// `#b…`.
    Binary,
    /// A string literal; the span holds the quotes.
    String,
    /// The end of the text.
    End,
}

/// A token and where it stands.
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
#[derive(Clone)]
pub(crate) struct Lexer<'s> {
    source: &'s str,
    pos: usize,
}

const SYMBOL: u8 = 1;
const DIGIT: u8 = 2;
const SPACE: u8 = 4;

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
            table[b] |= SPACE;
        }
        b += 1;
    }
    table
};

impl<'s> Lexer<'s> {
    pub fn new(source: &'s str) -> Lexer<'s> {
        // A byte order mark is not text.
        let pos = if source.starts_with('\u{feff}') { 3 } else { 0 };
        Lexer { source, pos }
    }

    pub fn position(&self) -> usize {
        self.pos
    }

    pub fn seek(&mut self, pos: usize) {
        self.pos = pos;
    }

    fn skip_while(&mut self, class: u8) {
        let bytes = self.source.as_bytes();
        while let Some(&b) = bytes.get(self.pos)
            && CLASS[b as usize] & class != 0
        {
            self.pos += 1;
        }
    }

    /// The next token; at the end of the text, `End` for ever.
    pub fn next(&mut self) -> Result<Token, Error> {
        let bytes = self.source.as_bytes();
        loop {
            self.skip_while(SPACE);
            if bytes.get(self.pos) != Some(&b';') {
                break;
            }
            self.pos = memchr::memchr(b'\n', &bytes[self.pos..]).map_or(bytes.len(), |n| self.pos + n + 1);
        }
        let start = self.pos;
        let Some(&first) = bytes.get(start) else {
            return Ok(Token { kind: TokenKind::End, start, end: start });
        };
        let kind = match first {
            b'(' => {
                self.pos += 1;
                TokenKind::Open
            }
            b')' => {
                self.pos += 1;
                TokenKind::Close
            }
            b'0'..=b'9' => self.number(start)?,
            b'#' => self.hash(start)?,
            b'"' => self.string(start)?,
            b'|' => self.quoted(start)?,
            b':' => {
                self.pos += 1;
                self.skip_while(SYMBOL);
                if self.pos == start + 1 {
                    return Err(Error::new(start..start + 1, "a `:` without a keyword"));
                }
                TokenKind::Keyword
            }
            b if CLASS[b as usize] & SYMBOL != 0 => {
                self.pos += 1;
                self.skip_while(SYMBOL);
                TokenKind::Symbol
            }
            _ => {
                let c = self.source[start..].chars().next().unwrap_or(' ');
                self.pos += c.len_utf8();
                return Err(Error::new(start..self.pos, format!("unexpected character {c:?}"))
                    .help("other characters may stand in strings, comments and |quoted symbols| only"));
            }
        };
        Ok(Token { kind, start, end: self.pos })
    }

    fn number(&mut self, start: usize) -> Result<TokenKind, Error> {
        let bytes = self.source.as_bytes();
        self.skip_while(DIGIT);
        let mut kind = TokenKind::Numeral;
        // `1.` is no decimal of the standard, but what some tools write for `1.0`.
        if bytes.get(self.pos) == Some(&b'.') {
            self.pos += 1;
            self.skip_while(DIGIT);
            kind = TokenKind::Decimal;
        }
        if bytes.get(self.pos).is_some_and(|&b| CLASS[b as usize] & SYMBOL != 0) {
            self.skip_while(SYMBOL);
            return Err(Error::new(start..self.pos, "neither a number nor a symbol")
                .help("a symbol must not start with a digit, unless in bars: |1a|"));
        }
        Ok(kind)
    }

    fn hash(&mut self, start: usize) -> Result<TokenKind, Error> {
        let bytes = self.source.as_bytes();
        self.pos += 1;
        let (kind, valid): (_, fn(&u8) -> bool) = match bytes.get(self.pos) {
            Some(b'x') => (TokenKind::Hexadecimal, u8::is_ascii_hexdigit),
            Some(b'b') => (TokenKind::Binary, |b| matches!(b, b'0' | b'1')),
            _ => return Err(Error::new(start..self.pos, "`#` must begin #x… or #b…")),
        };
        self.pos += 1;
        let digits = self.pos;
        self.skip_while(SYMBOL);
        if self.pos == digits || !bytes[digits..self.pos].iter().all(valid) {
            return Err(Error::new(start..self.pos, "a malformed bit-vector literal")
                .help("expected #x and hexadecimal digits, or #b and binary digits"));
        }
        Ok(kind)
    }

    fn string(&mut self, start: usize) -> Result<TokenKind, Error> {
        let bytes = self.source.as_bytes();
        self.pos += 1;
        loop {
            let Some(n) = memchr::memchr(b'"', &bytes[self.pos..]) else {
                self.pos = bytes.len();
                return Err(Error::new(start..start + 1, "a string that never ends").help("expected a closing \""));
            };
            self.pos += n + 1;
            if bytes.get(self.pos) != Some(&b'"') {
                return Ok(TokenKind::String);
            }
            self.pos += 1;
        }
    }

    fn quoted(&mut self, start: usize) -> Result<TokenKind, Error> {
        let bytes = self.source.as_bytes();
        // The standard keeps backslashes out of quoted symbols; generators of benchmarks do not, and solvers read them as
        // they stand.
        let Some(n) = memchr::memchr(b'|', &bytes[start + 1..]) else {
            self.pos = bytes.len();
            return Err(Error::new(start..start + 1, "a quoted symbol that never ends").help("expected a closing |"));
        };
        self.pos = start + n + 2;
        Ok(TokenKind::Quoted)
    }
}
