//! Function definitions, plain and recursive.

use super::reader::Parser;
use crate::decl::{Func, FuncBody};
use crate::error::Error;
use crate::lexer::{Token, TokenKind};
use crate::script::Command;
use crate::sort::SortId;
use crate::standard::Binding;
use crate::symbol::Symbol;
use crate::term::{HAS_HIDDEN, TermId};

/// The head of a definition: name, parameters as written, result.
pub(super) struct DefinitionHead {
    pub(super) name: Symbol,
    pub(super) at: Token,
    pub(super) vars: Vec<(Symbol, SortId)>,
    pub(super) result: SortId,
}

impl Parser<'_> {
    /// Parses a definition after `define-fun`, or (without parameters) after `define-const`.
    pub(super) fn define_fun(&mut self, with_parameters: bool) -> Result<Command, Error> {
        let signature = self.signature(with_parameters)?;
        let (vars, body) = self.definition_body(&signature)?;
        let func = self.store.declare(Func {
            name: signature.name,
            params: signature.vars.iter().map(|v| v.1).collect(),
            result: signature.result,
            body: FuncBody::Defined { vars, body },
        });
        self.declare_name(signature.name, signature.at, Binding::Func(func))?;
        Ok(Command::DefineFun(func))
    }

    /// Parses a definition after `define-fun-rec`.
    pub(super) fn define_fun_rec(&mut self) -> Result<Command, Error> {
        let signature = self.signature(true)?;
        self.recursive_group(vec![signature], |parser, signatures| Ok(vec![parser.definition_body(&signatures[0])?]))
    }

    /// Parses definitions after `define-funs-rec`.
    pub(super) fn define_funs_rec(&mut self) -> Result<Command, Error> {
        self.expect(TokenKind::Open, "the functions: ((f ((x S) …) R) …)")?;
        let mut signatures = Vec::new();
        while self.peek()?.kind != TokenKind::Close {
            self.expect(TokenKind::Open, "(f ((x S) …) R)")?;
            signatures.push(self.signature(true)?);
            self.expect(TokenKind::Close, "`)`")?;
        }
        self.next()?;
        self.recursive_group(signatures, |parser, signatures| {
            parser.expect(TokenKind::Open, "the bodies: (t …)")?;
            let bodies = signatures.iter().map(|s| parser.definition_body(s)).collect::<Result<_, _>>()?;
            parser.expect(TokenKind::Close, "`)` after the bodies")?;
            Ok(bodies)
        })
    }

    pub(super) fn signature(&mut self, with_parameters: bool) -> Result<DefinitionHead, Error> {
        let (name, at) = self.symbol("the name of the function")?;
        let vars = if with_parameters { self.sorted_vars()? } else { Vec::new() };
        let result = self.sort()?;
        Ok(DefinitionHead { name, at, vars, result })
    }

    /// Parses the body of a definition: its parameter names in the term, and the term.
    fn definition_body(&mut self, signature: &DefinitionHead) -> Result<(Box<[Symbol]>, TermId), Error> {
        let mark = self.shadowed.len();
        let start = self.peek()?;
        let vars: Box<[Symbol]> = signature.vars.iter().map(|&(n, s)| self.bind_variable(n, s)).collect();
        let body = self.term()?;
        self.unshadow(mark);
        let body = match self.coerce(&[signature.result], &[body]) {
            Some(coerced) => coerced[0],
            None => body,
        };
        let sort = self.store.sort(body);
        if sort != signature.result {
            let (given, expected) = (self.store.sort_text(sort), self.store.sort_text(signature.result));
            let span = start.start..self.lexer.position();
            return Err(Error::new(span, format!("the body is of sort {given}")).help(format!("expected {expected}")));
        }
        Ok((vars, body))
    }

    /// Defines functions that may mention each other: declares them first, then defines them by the bodies that `read` reads.
    fn recursive_group(
        &mut self,
        signatures: Vec<DefinitionHead>,
        read: impl FnOnce(&mut Self, &[DefinitionHead]) -> Result<Vec<(Box<[Symbol]>, TermId)>, Error>,
    ) -> Result<Command, Error> {
        let mut group = Vec::new();
        let mut old = Vec::new();
        for s in &signatures {
            self.new_name(s.name, s.at)?;
            let id = self.store.reserve_recursive(s.name, s.vars.iter().map(|v| v.1).collect(), s.result);
            group.push(id);
            old.push((s.name, self.scope.get(s.name)));
            self.scope.set(s.name, Binding::Func(id));
        }
        let mark = self.shadowed.len();
        let bodies = read(self, &signatures);
        // A body with an error may have left a function shadowed by a variable of its name.
        self.unshadow(mark);
        for (name, binding) in old {
            self.scope.set(name, binding);
        }
        let bodies = bodies?;
        // How a recursive predicate over heaps is to be read is open, and calls inside of the group do not show the heap.
        if let Some(s) = signatures.first().filter(|_| bodies.iter().any(|b| self.store.flags(b.1) & HAS_HIDDEN != 0)) {
            return Err(Error::opaque(s.at.span()));
        }
        let group = self.store.define_recursive(&group, bodies);
        for (s, &f) in signatures.iter().zip(&group) {
            self.scope.declare(s.name, Binding::Func(f));
        }
        Ok(Command::DefineFunsRec(group))
    }
}
