//! Sorts.

use super::reader::{Parser, shorten};
use crate::constant::OrderError;
use crate::error::Error;
use crate::error::suggestion;
use crate::lexer::{Token, TokenKind};
use crate::literal;
use crate::signature::{MAX_WIDTH, float};
use crate::sort::{MAX_SORT_DEPTH, MAX_SORT_SIZE, Sort, SortId};
use crate::standard::SortBinding;
use crate::symbol::Symbol;
use dashu_int::UBig;

impl Parser<'_> {
    pub(super) fn sort(&mut self) -> Result<SortId, Error> {
        self.sort_at(0)
    }

    /// Parses a sort inside `depth` others.
    fn sort_at(&mut self, depth: usize) -> Result<SortId, Error> {
        let token = self.next()?;
        match token.kind {
            TokenKind::Symbol | TokenKind::Quoted => {
                let name = self.store.symbols.intern(self.name_of(token));
                self.apply_sort(name, token, &[])
            }
            TokenKind::Open if depth >= MAX_SORT_DEPTH => {
                Err(Error::new(token.span(), format!("sorts nested deeper than {MAX_SORT_DEPTH}")))
            }
            TokenKind::Open => {
                let head = self.next()?;
                if head.kind == TokenKind::Symbol && self.text(head) == "_" {
                    return self.indexed_sort();
                }
                if !matches!(head.kind, TokenKind::Symbol | TokenKind::Quoted) {
                    return Err(self.unexpected(head, "the name of a sort"));
                }
                let name = self.store.symbols.intern(self.name_of(head));
                let mut args = Vec::new();
                while self.peek()?.kind != TokenKind::Close {
                    args.push(self.sort_at(depth + 1)?);
                }
                self.next()?;
                self.apply_sort(name, head, &args)
            }
            _ => Err(self.unexpected(token, "a sort")),
        }
    }

    /// Parses an indexed sort after its `(_`.
    fn indexed_sort(&mut self) -> Result<SortId, Error> {
        let (name, token) = self.symbol("the name of an indexed sort")?;
        let sort = match self.scope.sort(name) {
            SortBinding::BitVec => {
                let at = self.peek()?;
                let width = self.index("a width")?;
                if !(1..=MAX_WIDTH).contains(&width) {
                    return Err(Error::new(at.span(), format!("a width of {width}"))
                        .help(format!("expected 1 to {MAX_WIDTH} bits")));
                }
                self.store.sorts.bitvec(width)
            }
            SortBinding::FloatingPoint => {
                let at = self.peek()?;
                let eb = self.index("the number of exponent bits")?;
                let sb = self.index("the number of significand bits")?;
                float(eb, sb, &mut self.store.sorts).ok_or_else(|| {
                    Error::new(
                        at.start..self.lexer.position(),
                        format!("no floating-point sort has {eb} and {sb} bits"),
                    )
                    .help("exponent and significand bits must each be more than 1")
                })?
            }
            SortBinding::FiniteField => {
                let at = self.expect(TokenKind::Numeral, "the number of elements, a prime")?;
                let order = self.number(self.text(at)).and_then(literal::numeral).ok_or_else(|| {
                    Error::new(at.span(), "this number is too large").help(OrderError::TooLarge.to_string())
                })?;
                self.field_sort(order, at)?
            }
            SortBinding::Extension => {
                // The indices become part of the name, so that sorts with different indices differ.
                let mut indexed = format!("(_ {}", self.store.name(name));
                while self.peek()?.kind != TokenKind::Close {
                    indexed.push(' ');
                    indexed.push_str(self.skip_expression("an index")?);
                }
                indexed.push(')');
                let name = self.store.symbols.intern(&indexed);
                self.store.sorts.intern(Sort::Extension(name, Box::new([])))
            }
            _ => return Err(self.unknown_sort(name, token)),
        };
        self.expect(TokenKind::Close, "`)`")?;
        Ok(sort)
    }

    /// Returns the finite field whose order is at a token.
    pub(super) fn field_sort(&mut self, order: UBig, at: Token) -> Result<SortId, Error> {
        let written = self.text(at);
        self.store.sorts.finite_field(order).map_err(|error| {
            let what =
                if at.kind == TokenKind::Numeral { "a finite field of order" } else { "an element of no field:" };
            Error::new(at.span(), format!("{what} {}", shorten(written))).help(error.to_string())
        })
    }

    fn apply_sort(&mut self, name: Symbol, token: Token, args: &[SortId]) -> Result<SortId, Error> {
        let sort = self.applied_sort(name, token, args)?;
        if self.store.sorts.is_bounded(sort) {
            return Ok(sort);
        }
        Err(Error::new(token.span(), "this sort is too large")
            .help(format!("at most {MAX_SORT_DEPTH} levels and {MAX_SORT_SIZE} names, definitions expanded")))
    }

    fn applied_sort(&mut self, name: Symbol, token: Token, args: &[SortId]) -> Result<SortId, Error> {
        let wrong = |expected: &str| {
            Err(Error::new(token.span(), format!("this sort is given {} arguments", args.len()))
                .help(format!("expected {expected}")))
        };
        let sort = match self.scope.sort(name) {
            SortBinding::Simple(sort) if args.is_empty() => return Ok(sort),
            SortBinding::Simple(_) => return wrong("none"),
            SortBinding::Array => match *args {
                [index, element] => Sort::Array(index, element),
                // Arrays of several indices are one solver's extension.
                [_, _, _, ..] => Sort::Extension(name, args.into()),
                _ => return wrong("an index sort and an element sort"),
            },
            SortBinding::Set => match *args {
                [element] => Sort::Set(element),
                _ => return wrong("an element sort"),
            },
            SortBinding::Bag => match *args {
                [element] => Sort::Bag(element),
                _ => return wrong("an element sort"),
            },
            SortBinding::Map => {
                let [first @ .., last] = args else { return wrong("two or more") };
                if first.is_empty() {
                    return wrong("two or more");
                }
                let mut to = *last;
                for &from in first.iter().rev() {
                    to = self.store.sorts.intern(Sort::Map(from, to));
                }
                return Ok(to);
            }
            SortBinding::Seq => match *args {
                [element] => Sort::Seq(element),
                _ => return wrong("the sort of the elements"),
            },
            SortBinding::Declared(arity) if arity as usize == args.len() => Sort::Uninterpreted(name, args.into()),
            SortBinding::Declared(arity) => return wrong(&arity.to_string()),
            SortBinding::Datatype(d) => {
                let params = self.store.datatype(d).params.clone();
                // Inside its own declaration in the style of 2.5, a parametric datatype has no arguments.
                if args.is_empty() && !params.is_empty() {
                    let own: Option<Box<[SortId]>> = params.iter().map(|&p| self.parameter_in_scope(p)).collect();
                    match own {
                        Some(own) => Sort::Datatype(d, own),
                        None => return wrong(&params.len().to_string()),
                    }
                } else if params.len() != args.len() {
                    return wrong(&params.len().to_string());
                } else {
                    Sort::Datatype(d, args.into())
                }
            }
            SortBinding::Defined(params, body) if params.len() == args.len() => {
                let bindings: Vec<_> = params.iter().copied().zip(args.iter().copied()).collect();
                return Ok(self.store.sorts.instantiate(body, &bindings));
            }
            SortBinding::Defined(params, _) => return wrong(&params.len().to_string()),
            SortBinding::Extension => match self.tuple_sort(name, args) {
                Some(sort) => return Ok(sort),
                None => Sort::Extension(name, args.into()),
            },
            SortBinding::BitVec => {
                return Err(Error::new(token.span(), "a bit-vector sort needs a width").help("write (_ BitVec 8)"));
            }
            SortBinding::FloatingPoint => {
                return Err(Error::new(token.span(), "a floating-point sort needs its sizes")
                    .help("write (_ FloatingPoint 8 24)"));
            }
            SortBinding::FiniteField => {
                return Err(Error::new(token.span(), "a finite field needs its order").help("write (_ FiniteField 7)"));
            }
            SortBinding::Unbound => return Err(self.unknown_sort(name, token)),
        };
        Ok(self.store.sorts.intern(sort))
    }

    fn parameter_in_scope(&self, name: Symbol) -> Option<SortId> {
        match self.scope.sort(name) {
            SortBinding::Simple(sort) => Some(sort),
            _ => None,
        }
    }

    fn unknown_sort(&self, name: Symbol, token: Token) -> Error {
        let text = self.store.name(name);
        let error = Error::new(token.span(), format!("unknown sort `{}`", shorten(text)));
        let hint = if self.scope.takes_hint() { suggestion(text, self.scope.sort_names(self.store)) } else { None };
        match hint {
            Some(help) => error.help(help),
            None => error.help("declare it before its first use: (declare-sort S 0)"),
        }
    }
}
