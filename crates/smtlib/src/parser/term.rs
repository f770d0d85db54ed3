//! Parses terms in one loop with an explicit stack.

use super::frame::{AnnotationPart, Annotations, AppliedHead, ParseFrame};
use super::reader::{Parser, shorten};
use crate::error::Error;
use crate::error::suggestion;
use crate::lexer::{Token, TokenKind};
use crate::literal;
use crate::op::Kind;
use crate::standard::Binding;
use crate::symbol::Symbol;
use crate::term::TermId;
use crate::theories::extensions;

impl Parser<'_> {
    /// Parses one term.
    pub(super) fn term(&mut self) -> Result<TermId, Error> {
        let floor = self.frames.len();
        self.outer_name = None;
        loop {
            let token = self.next()?;
            let value = match token.kind {
                TokenKind::Open => self.open()?,
                TokenKind::Close => self.close(token, floor)?,
                TokenKind::End | TokenKind::Keyword => return Err(self.unexpected(token, "a term")),
                _ => Some(self.atom(token)?),
            };
            let Some(mut value) = value else { continue };
            // A finished term may finish the constructs around it.
            loop {
                if self.frames.len() == floor {
                    return Ok(value);
                }
                match self.deliver(value)? {
                    Some(done) => value = done,
                    None => break,
                }
            }
        }
    }

    /// Parses a term that is one token.
    fn atom(&mut self, token: Token) -> Result<TermId, Error> {
        match token.kind {
            TokenKind::Symbol | TokenKind::Quoted => {
                let symbol = self.store.symbols.intern(self.name_of(token));
                self.name_term(symbol, token)
            }
            _ => self.literal(token),
        }
    }

    fn literal(&mut self, token: Token) -> Result<TermId, Error> {
        let text = self.text(token);
        if text.len() > 64 {
            return self.literal_term(token);
        }
        // Short literals repeat: their terms are cached by spelling.
        let symbol = self.store.symbols.intern(text);
        if let Some(Some(known)) = self.scope.literals.get(symbol.index()) {
            return Ok(*known);
        }
        let term = self.literal_term(token)?;
        if self.scope.literals.len() <= symbol.index() {
            self.scope.literals.resize((symbol.index() + 1).next_power_of_two(), None);
        }
        self.scope.literals[symbol.index()] = Some(term);
        Ok(term)
    }

    fn literal_term(&mut self, token: Token) -> Result<TermId, Error> {
        let text = self.text(token);
        let too_long = || {
            Error::new(token.span(), format!("a literal of {} characters", text.len())).help(format!(
                "numerals may have at most {} digits, decimals {}, bit-vectors {} bits, and all numbers of {} digits or more {} together",
                literal::MAX_DIGITS,
                literal::MAX_DECIMAL_DIGITS,
                crate::signature::MAX_WIDTH,
                literal::LONG_DIGITS,
                literal::MAX_LONG_DIGITS
            ))
        };
        match token.kind {
            TokenKind::Numeral => {
                let n = self.number(text).and_then(literal::numeral).ok_or_else(too_long)?;
                Ok(if self.scope.numerals_are_real { self.store.real(&n.into()) } else { self.store.int(&n.into()) })
            }
            TokenKind::Decimal => {
                let r = self.number(text).and_then(literal::decimal).ok_or_else(too_long)?;
                Ok(self.store.real(&r))
            }
            TokenKind::String => {
                let inside = &text[1..text.len() - 1];
                let points = literal::unescape(inside, literal::Escapes::Standard).ok_or_else(|| {
                    Error::new(token.span(), "a character above 0x2FFFF")
                        .help("SMT-LIB characters are the code points 0 to 0x2FFFF")
                })?;
                Ok(self.store.literal(crate::Constant::String(points)))
            }
            TokenKind::FieldElement => {
                let (value, order) = self.number(text).and_then(literal::field_element).ok_or_else(too_long)?;
                let sort = self.field_sort(order, token)?;
                self.element(sort, &value, token)
            }
            _ => {
                let value = literal::bit_vector(text).ok_or_else(too_long)?;
                Ok(self.store.literal(value))
            }
        }
    }

    /// Returns a name standing alone as a term.
    fn name_term(&mut self, symbol: Symbol, token: Token) -> Result<TermId, Error> {
        match self.scope.get(symbol) {
            Binding::Term(t) => Ok(t),
            Binding::Func(f) => {
                let func = self.store.func(f);
                if func.params.is_empty() {
                    self.store.apply(f, &[]).map_err(|e| Error::new(token.span(), e.to_string()))
                } else {
                    self.store.func_value(f).map_err(|e| Error::new(token.span(), e.to_string()))
                }
            }
            Binding::Theory(group) => self.theory_app(group, &[], &[], token),
            Binding::Constructor(d, c) => {
                self.store.construct(d, c as usize, &[], None).map_err(|e| Error::new(token.span(), e.to_string()))
            }
            Binding::Overloaded(number) => self.overloaded_constant(number, symbol, token),
            Binding::Opaque => Err(Error::opaque(token.span())),
            Binding::Selector(..) | Binding::Tester(..) => {
                Err(Error::new(token.span(), "a selector needs an argument"))
            }
            Binding::Unbound => match self.signed_literal(token) {
                Some(term) => Ok(term),
                None if self.store.name(symbol) == "tuple.unit" => {
                    self.store.tuple(&[]).map_err(|e| Error::new(token.span(), e.to_string()))
                }
                None => self.unbound(symbol, token),
            },
        }
    }

    /// `-2` and `-0.5` are symbols in the standard, but unbound ones are meant as numbers.
    fn signed_literal(&mut self, token: Token) -> Option<TermId> {
        let magnitude = self.text(token).strip_prefix('-').filter(|_| token.kind == TokenKind::Symbol)?;
        if !magnitude.bytes().all(|b| b.is_ascii_digit() || b == b'.')
            || !magnitude.as_bytes().first()?.is_ascii_digit()
        {
            return None;
        }
        let magnitude = self.number(magnitude)?;
        if let Some(value) = literal::decimal(magnitude) {
            return Some(self.store.real(&-value));
        }
        let value = dashu_int::IBig::from(literal::numeral(magnitude)?);
        Some(if self.scope.numerals_are_real { self.store.real(&(-value).into()) } else { self.store.int(&-value) })
    }

    /// An unbound name: `bv5[8]` and the like are not read; a solver's own name makes the command opaque.
    pub(super) fn unbound<T>(&self, symbol: Symbol, token: Token) -> Result<T, Error> {
        let name = self.store.name(symbol);
        if extensions::is_extension(name) {
            return Err(Error::opaque(token.span()));
        }
        let error = Error::new(token.span(), format!("unknown symbol `{}`", shorten(name)));
        let hint = if self.scope.takes_hint() { suggestion(name, self.scope.bound_names(self.store)) } else { None };
        Err(match hint {
            Some(help) => error.help(help),
            None => error.help("declare it before its first use"),
        })
    }

    /// After `(`: pushes a frame, or returns a term that needs none.
    fn open(&mut self) -> Result<Option<TermId>, Error> {
        let token = self.next()?;
        match token.kind {
            TokenKind::Symbol => match self.text(token) {
                "let" => self.open_let().map(|()| None),
                "forall" => self.open_binder(Kind::Forall, token).map(|()| None),
                "exists" => self.open_binder(Kind::Exists, token).map(|()| None),
                "lambda" => self.open_binder(Kind::Lambda, token).map(|()| None),
                "match" => {
                    let (base, mark) = (self.operands.len(), self.shadowed.len());
                    self.frames.push(ParseFrame::Match { base, cases: Vec::new(), mark, at: token });
                    Ok(None)
                }
                "!" => {
                    self.frames.push(ParseFrame::Annotated {
                        base: self.operands.len(),
                        name: None,
                        annotations: Annotations::default(),
                        part: AnnotationPart::Term,
                    });
                    Ok(None)
                }
                "_" => self.underscore(token),
                "as" => self.qualified_constant().map(Some),
                name => {
                    let symbol = self.store.symbols.intern(name);
                    let head = self.named_head(symbol, token)?;
                    self.push_apply(head, token)
                }
            },
            TokenKind::Quoted => {
                let symbol = self.store.symbols.intern(self.name_of(token));
                let head = self.named_head(symbol, token)?;
                self.push_apply(head, token)
            }
            TokenKind::Open if self.has_term_as_head()? => {
                self.push_apply(AppliedHead::ApplyMap, token)?;
                self.lexer.seek(token.start);
                Ok(None)
            }
            TokenKind::Open => {
                let head = self.compound_head(token)?;
                self.push_apply(head, token)
            }
            _ => Err(self.unexpected(token, "an operator or function")),
        }
    }

    pub(super) fn push_apply(&mut self, head: AppliedHead, at: Token) -> Result<Option<TermId>, Error> {
        self.frames.push(ParseFrame::Apply { head, base: self.operands.len(), at });
        Ok(None)
    }

    /// At `)`: finishes the innermost construct, or a `:pattern` inside it.
    fn close(&mut self, token: Token, floor: usize) -> Result<Option<TermId>, Error> {
        if self.frames.len() == floor {
            return Err(self.unexpected(token, "a term"));
        }
        match self.frames.pop() {
            Some(ParseFrame::Apply { head, base, at }) => {
                if base == self.operands.len() && self.is_constant(head) {
                    return Err(Error::new(at.span(), "a constant in its own parentheses")
                        .help("write it without: only what takes arguments is applied"));
                }
                // The operands leave the stack for the call, so that the call may use the parser.
                let args = std::mem::take(&mut self.operands);
                let result = self.apply(head, &args[base..], Token { end: token.end, ..at });
                self.operands = args;
                self.operands.truncate(base);
                result.map(Some)
            }
            Some(ParseFrame::Annotated { part: AnnotationPart::Pattern(count), base, name, mut annotations })
                if count > 0 =>
            {
                annotations.patterns.push(count);
                annotations.pattern_terms.extend(self.operands.drain(base + 1..));
                self.frames.push(ParseFrame::Annotated { base, name, annotations, part: AnnotationPart::Term });
                self.attributes()
            }
            _ => Err(self.unexpected(token, "a term")),
        }
    }

    /// Passes a finished term to the innermost construct; returns the construct's term if that finishes it.
    fn deliver(&mut self, value: TermId) -> Result<Option<TermId>, Error> {
        match self.frames.last_mut() {
            None | Some(ParseFrame::Apply { .. }) => {
                self.operands.push(value);
                Ok(None)
            }
            Some(ParseFrame::LetBindings { .. }) => {
                self.operands.push(value);
                self.next_let_binding()
            }
            Some(ParseFrame::LetBody { mark }) => {
                let mark = *mark;
                self.frames.pop();
                self.unshadow(mark);
                self.expect(TokenKind::Close, "`)` after the body of `let`")?;
                Ok(Some(value))
            }
            Some(ParseFrame::Binder { .. }) => self.finish_binder(value).map(Some),
            Some(ParseFrame::Annotated { part: AnnotationPart::Pattern(count), .. }) => {
                *count += 1;
                self.operands.push(value);
                Ok(None)
            }
            Some(ParseFrame::Annotated { part: part @ AnnotationPart::NoPattern, annotations, .. }) => {
                *part = AnnotationPart::Term;
                annotations.no_pattern_terms.push(value);
                self.attributes()
            }
            Some(ParseFrame::Annotated { .. }) => {
                self.operands.push(value);
                self.attributes()
            }
            Some(ParseFrame::Match { .. }) => {
                self.operands.push(value);
                self.next_case()
            }
        }
    }
}
