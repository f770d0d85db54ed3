//! Function definitions, plain and recursive.

use super::Parser;
use super::scope::Binding;
use crate::decl::{Func, FuncBody, FuncId};
use crate::error::Error;
use crate::lexer::{Token, TokenKind};
use crate::script::Command;
use crate::sort::SortId;
use crate::symbol::Symbol;
use crate::term::TermId;
use rustc_hash::FxHashMap;

/// The head of a definition: name, parameters as written, result.
struct Signature {
    name: Symbol,
    at: Token,
    vars: Vec<(Symbol, SortId)>,
    result: SortId,
}

impl Parser<'_> {
    /// After `define-fun`, or (without parameters) `define-const`.
    pub(super) fn define_fun(&mut self, with_parameters: bool) -> Result<Command, Error> {
        let signature = self.signature(with_parameters)?;
        self.new_name(signature.name, signature.at)?;
        let (vars, body) = self.definition_body(&signature)?;
        let func = self.store.declare(Func {
            name: signature.name,
            params: signature.vars.iter().map(|v| v.1).collect(),
            result: signature.result,
            body: FuncBody::Defined { vars, body },
        });
        self.scope.declare(signature.name, Binding::Func(func));
        Ok(Command::DefineFun(func))
    }

    /// After `define-fun-rec`.
    pub(super) fn define_fun_rec(&mut self) -> Result<Command, Error> {
        let signature = self.signature(true)?;
        self.recursive_group(vec![signature], |parser, signatures| Ok(vec![parser.definition_body(&signatures[0])?]))
    }

    /// After `define-funs-rec`.
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

    fn signature(&mut self, with_parameters: bool) -> Result<Signature, Error> {
        let (name, at) = self.symbol("the name of the function")?;
        let vars = if with_parameters { self.sorted_vars()? } else { Vec::new() };
        let result = self.sort()?;
        Ok(Signature { name, at, vars, result })
    }

    /// The body of a definition: its parameter names in the term, and the term.
    fn definition_body(&mut self, signature: &Signature) -> Result<(Box<[Symbol]>, TermId), Error> {
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
        if sort != signature.result && !self.is_array_for(sort, signature.result) {
            let (given, expected) = (self.store.sort_text(sort), self.store.sort_text(signature.result));
            let span = start.start..self.lexer.position();
            return Err(Error::new(span, format!("the body is of sort {given}")).help(format!("expected {expected}")));
        }
        Ok((vars, body))
    }

    /// Whether a `lambda` of sort `map` stands for an array of sort `array`, as some solvers print models.
    fn is_array_for(&self, map: SortId, array: SortId) -> bool {
        match (self.store.sorts.get(map), self.store.sorts.get(array)) {
            (crate::Sort::Map(a, b), crate::Sort::Array(c, d)) => a == c && (b == d || self.is_array_for(*b, *d)),
            _ => false,
        }
    }

    /// Functions that may mention each other: declared first, then given the bodies that `read` reads.
    fn recursive_group(
        &mut self,
        signatures: Vec<Signature>,
        read: impl FnOnce(&mut Self, &[Signature]) -> Result<Vec<(Box<[Symbol]>, TermId)>, Error>,
    ) -> Result<Command, Error> {
        let first = self.store.next_func();
        let mut old = Vec::new();
        for (n, s) in signatures.iter().enumerate() {
            self.new_name(s.name, s.at)?;
            let id = FuncId(first.0 + n as u32);
            let params = s.vars.iter().map(|v| v.1).collect();
            // The place is taken at once and not shared: bodies will refer to it.
            self.store.funcs.push(Func { name: s.name, params, result: s.result, body: FuncBody::Declared });
            old.push((s.name, self.scope.get(s.name)));
            self.scope.set(s.name, Binding::Func(id));
        }
        let mark = self.shadowed.len();
        let bodies = read(self, &signatures);
        // A body that is wrong in the middle may have hidden a function by a variable of its name.
        self.unshadow(mark);
        for (name, binding) in old {
            self.scope.set(name, binding);
        }
        for (n, (vars, body)) in bodies?.into_iter().enumerate() {
            self.store.funcs[first.index() + n].body = FuncBody::Recursive { vars, body };
        }
        let group = self.intern_recursive(first, signatures.len());
        for (s, &f) in signatures.iter().zip(&group) {
            self.scope.declare(s.name, Binding::Func(f));
        }
        Ok(Command::DefineFunsRec(group.into()))
    }

    /// The group of functions from `first` on, or an equal one defined before: equal names and ranks, and bodies that are
    /// equal once the new functions are replaced by the old.
    fn intern_recursive(&mut self, first: FuncId, count: usize) -> Vec<FuncId> {
        let new: Vec<FuncId> = (0..count as u32).map(|n| FuncId(first.0 + n)).collect();
        let name = self.store.func(first).name;
        let groups = self.store.recursive.entry(name).or_default();
        let places: Vec<usize> = groups.iter().map(|f| f.index()).collect();
        groups.push(first);
        let known = places.into_iter().filter(|start| start + count <= first.index()).find(|&start| {
            new.iter().enumerate().all(|(n, &f)| {
                let (a, b) = (&self.store.funcs[start + n], self.store.func(f));
                a.name == b.name
                    && a.params == b.params
                    && a.result == b.result
                    && matches!(a.body, FuncBody::Recursive { .. })
            })
        });
        let Some(start) = known else { return new };
        let old: Vec<FuncId> = (0..count as u32).map(|n| FuncId(start as u32 + n)).collect();
        let map: FxHashMap<FuncId, FuncId> = new.iter().copied().zip(old.iter().copied()).collect();
        let same = new.iter().zip(&old).all(|(&n, &o)| {
            let (Some((nv, nb)), Some((ov, ob))) = (self.store.func(n).definition(), self.store.func(o).definition())
            else {
                return false;
            };
            if nv != ov {
                return false;
            }
            self.store.replace_functions(nb, &map) == ob
        });
        if same { old } else { new }
    }
}
