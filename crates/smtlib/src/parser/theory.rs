//! Theories as data: `(set-info :squall-theory "COMMANDS")` defines the sorts and operators of a theory over sorts that are there.
//!
//! The commands are `define-sort` (a sort and its encoding), `define-fun` (an operator and its meaning over the encodings),
//! `declare-datatypes`, and `(set-info :names (SOLVER (NAME OTHER) …))`. Functions `S!decode` and `S!encode` before the definition of S
//! say that only some values of the encoding are of S, and by what they are numbered.
//! In the script itself each sort is a datatype around its encoding, and each operator a function that applies the meaning to the
//! contents of its arguments. So evaluation, exhaustion and models need nothing else, and a script prints as it was read.

use super::define::DefinitionHead;
use super::frame::{AppliedHead, HeadRole};
use super::reader::Parser;
use super::scope::Scope;
use crate::decl::{Constructor, Datatype, Func, FuncBody};
use crate::error::Error;
use crate::lexer::{Token, TokenKind};
use crate::script::Command;
use crate::sort::{DatatypeId, Sort, SortId};
use crate::standard::{Binding, SortBinding};
use crate::symbol::{FuncId, Symbol, TermId};
use crate::term::Store;
use rustc_hash::FxHashMap;

/// The encoding of a sort of the theory.
struct Encoding {
    datatype: DatatypeId,
    /// The functions from what the datatype holds to the encoding, and back.
    codec: Option<[FuncId; 2]>,
}

/// The sorts of the theory read so far.
type TheorySorts = FxHashMap<SortId, Encoding>;

impl Parser<'_> {
    /// After `(set-info :squall-theory`: the commands as a string, since some solvers take no list.
    pub(super) fn theory(&mut self) -> Result<Command, Error> {
        let at = self.expect(TokenKind::String, "the commands of the theory, as a string")?;
        let quoted = self.text(at);
        let text = quoted[1..quoted.len() - 1].replace("\"\"", "\"");
        let mut inner = Parser::new(self.store, self.scope, &text);
        let read = inner.theory_commands();
        inner.unwind();
        let within =
            |error: Error| Error { span: at.span(), message: format!("in this theory: {}", error.message), ..error };
        read.map_err(within).map(|()| Command::Theory(quoted.into()))
    }

    fn theory_commands(&mut self) -> Result<(), Error> {
        let mut scope = Scope::new(self.store);
        let mut sorts = TheorySorts::default();
        while self.peek()?.kind != TokenKind::End {
            let at = self.lexer.position();
            self.expect(TokenKind::Open, "a command of the theory, which begins with `(`")?;
            let word = self.next()?;
            if self.text(word) == "set-info" {
                self.dialect_names()?;
                continue;
            }
            let mut inner = Parser::new(self.store, &mut scope, self.source);
            inner.lexer.seek(at);
            let command = inner.command()?.map(|(command, _)| command);
            let end = inner.lexer.position();
            match command {
                Some(Command::DefineSort(name, params, encoding)) if params.is_empty() => {
                    self.theory_sort(name, encoding, &scope, &mut sorts)?;
                }
                Some(Command::DeclareDatatypes(first, count)) => self.bind_known(first, count)?,
                Some(Command::DefineFun(meaning)) => {
                    // The other names are those of codecs.
                    if !self.store.name(self.store.func(meaning).name).contains('!') {
                        self.operator(word, meaning, &sorts)?;
                    }
                }
                _ => return Err(self.unexpected(word, "define-sort, define-fun, declare-datatypes or set-info :names")),
            }
            self.lexer.seek(end);
        }
        Ok(())
    }

    /// Declares a sort.
    fn theory_sort(
        &mut self,
        name: Symbol,
        encoding: SortId,
        scope: &Scope,
        sorts: &mut TheorySorts,
    ) -> Result<(), Error> {
        let text = self.store.name(name).to_string();
        let own = |what: &str| self.store.symbols.intern(&format!("{text}!{what}"));
        let [decode, encode, constructor, selector] = ["decode", "encode", "of", "value"].map(own);
        let codec = match (scope.get(decode), scope.get(encode)) {
            (Binding::Func(decode), Binding::Func(encode)) => Some([decode, encode]),
            _ => None,
        };
        let held = codec.map_or(encoding, |[_, encode]| self.store.func(encode).result);
        let constructors = vec![Constructor { name: constructor, fields: vec![(selector, held)] }];
        let first = DatatypeId(self.store.datatypes.len() as u32);
        self.store.datatypes.push(Datatype { name, params: [].into(), constructors, group: (first, 1) });
        let datatype = self.intern_group(first);
        self.bind_known(datatype, 1)?;
        self.store.theory_names.entry(name).or_default();
        let sort = self.store.sorts.intern(Sort::Datatype(datatype, [].into()));
        sorts.insert(sort, Encoding { datatype, codec });
        Ok(())
    }

    /// Binds the names of a datatype of the theory, unless the script has the theory already.
    fn bind_known(&mut self, first: DatatypeId, count: u32) -> Result<(), Error> {
        let (name, here) = (self.store.datatype(first).name, self.peek()?);
        if self.scope.sort(name) == SortBinding::Datatype(first) {
            return Ok(());
        }
        self.new_sort_name(name, here)?;
        self.bind_group(first, count, &[])
    }

    /// Declares the operator of a `define-fun` after the word of the definition, given its meaning.
    fn operator(&mut self, word: Token, meaning: FuncId, sorts: &TheorySorts) -> Result<(), Error> {
        self.lexer.seek(word.end);
        let DefinitionHead { name, at, vars: written, result } = self.signature(true)?;
        let raw = self.store.func(meaning).clone();
        let mark = self.shadowed.len();
        let vars: Box<[Symbol]> = written.iter().map(|&(n, s)| self.bind_variable(n, s)).collect();
        self.unshadow(mark);
        let mut args = Vec::with_capacity(vars.len());
        for ((&var, &(_, sort)), &encoding) in vars.iter().zip(&written).zip(&raw.params) {
            let term = self.store.bound_variable(var, sort);
            args.push(self.content(term, encoding, sorts, at)?);
        }
        let applied = self.store.apply(meaning, &args).map_err(|e| Error::new(at.span(), e.to_string()))?;
        let body = self.wrapped(applied, result, sorts, at)?;
        let params = written.iter().map(|v| v.1).collect();
        let func = self.store.declare(Func { name, params, result, body: FuncBody::Defined { vars, body } });
        self.store.theory_names.entry(name).or_default();
        self.bind_operator(name, at, func)
    }

    fn bind_operator(&mut self, name: Symbol, at: Token, func: FuncId) -> Result<(), Error> {
        let known = self.scope.meanings(self.scope.get(name));
        if known.contains(&Binding::Func(func)) { Ok(()) } else { self.declare_name(name, at, Binding::Func(func)) }
    }

    /// Returns the encoding of a term.
    fn content(&mut self, t: TermId, encoding: SortId, sorts: &TheorySorts, at: Token) -> Result<TermId, Error> {
        let sort = self.store.sort(t);
        let held = match sorts.get(&sort) {
            None if sort == encoding => return Ok(t),
            None => return Err(self.nested_sort(sort, at)),
            Some(Encoding { datatype, codec }) => self.store.selector(*datatype, 0, 0, t).map(|held| (held, codec)),
        };
        let content =
            held.and_then(|(held, codec)| codec.map_or(Ok(held), |[decode, _]| self.store.apply(decode, &[held])));
        content.map_err(|e| Error::new(at.span(), e.to_string()))
    }

    /// Returns the value of `sort` whose encoding is a term.
    fn wrapped(&mut self, t: TermId, sort: SortId, sorts: &TheorySorts, at: Token) -> Result<TermId, Error> {
        let Some(Encoding { datatype, codec }) = sorts.get(&sort) else {
            return if sort == self.store.sort(t) { Ok(t) } else { Err(self.nested_sort(sort, at)) };
        };
        let held = codec.map_or(Ok(t), |[_, encode]| self.store.apply(encode, &[t]));
        let wrapped = held.and_then(|held| self.store.construct(*datatype, 0, &[held], None));
        wrapped.map_err(|e| Error::new(at.span(), e.to_string()))
    }

    fn nested_sort(&self, sort: SortId, at: Token) -> Error {
        let sort = self.store.sort_text(sort);
        Error::new(at.span(), format!("a sort of the theory inside {sort}"))
            .help("an argument and a result are of a sort of the theory itself, or of one without such a sort")
    }

    /// After `(set-info` in a theory: `:names (SOLVER (NAME OTHER) …))`.
    fn dialect_names(&mut self) -> Result<(), Error> {
        let key = self.next()?;
        if self.text(key) != ":names" {
            return Err(self.unexpected(key, ":names"));
        }
        self.expect(TokenKind::Open, "a solver and its names: (SOLVER (NAME OTHER) …)")?;
        let (solver, _) = self.symbol("a solver")?;
        while self.peek()?.kind != TokenKind::Close {
            self.expect(TokenKind::Open, "(NAME OTHER)")?;
            let (name, at) = self.symbol("a name of the theory")?;
            let (other, place) = self.symbol("its name in that solver")?;
            self.expect(TokenKind::Close, "`)`")?;
            match (self.scope.sort(name), self.scope.get(name)) {
                (SortBinding::Datatype(d), _) if self.scope.sort(other) == SortBinding::Datatype(d) => {}
                (SortBinding::Datatype(d), _) => {
                    self.new_sort_name(other, place)?;
                    self.scope.declare_sort(other, SortBinding::Datatype(d));
                }
                (_, binding @ (Binding::Func(_) | Binding::Overloaded(_))) => {
                    for meaning in self.scope.meanings(binding) {
                        if let Binding::Func(f) = meaning {
                            self.bind_operator(other, place, f)?;
                        }
                    }
                }
                _ => return Err(Error::new(at.span(), format!("the theory has no `{}`", self.store.name(name)))),
            }
            let names = self.store.theory_names.entry(name).or_default();
            if !names.contains(&(solver, other)) {
                names.push((solver, other));
            }
        }
        self.next()?;
        self.expect(TokenKind::Close, "`)`")?;
        Ok(())
    }
}

impl Parser<'_> {
    /// Returns the operator that a theory names by a whole indexed identifier, `(_ name i …)`, after its `(_ name`; nothing is
    /// consumed if there is none.
    pub(super) fn indexed_operator(&mut self, name: Token) -> Option<AppliedHead> {
        if self.store.theory_names.is_empty() {
            return None;
        }
        let start = self.lexer.position();
        let mut text = format!("(_ {}", self.name_of(name));
        while let Ok(index @ Token { kind: TokenKind::Numeral, .. }) = self.next() {
            text.extend([" ", self.text(index)]);
        }
        text.push(')');
        let binding = self.store.symbols.get(&text).map(|symbol| self.scope.get(symbol));
        match binding {
            // A declared name in bars may look like one.
            Some(Binding::Func(f)) if !self.store.func(f).is_declared() => Some(AppliedHead::Func(f)),
            Some(Binding::Overloaded(number)) => Some(AppliedHead::Overloaded(number, HeadRole::Plain, None)),
            _ => {
                self.lexer.seek(start);
                None
            }
        }
    }
}

impl Scope {
    /// Returns the sorts and the operators of the theories as data that are in scope, in the order of their names' first use.
    pub fn theory(&self, store: &mut Store) -> (Vec<SortId>, Vec<FuncId>) {
        let mut names: Vec<Symbol> = store.theory_names.keys().copied().collect();
        names.sort_unstable();
        let (mut sorts, mut operators) = (Vec::new(), Vec::new());
        for name in names {
            if let SortBinding::Datatype(d) = self.sort(name) {
                sorts.push(store.sorts.intern(Sort::Datatype(d, [].into())));
            }
            operators.extend(self.meanings(self.get(name)).into_iter().filter_map(|meaning| match meaning {
                Binding::Func(f) => Some(f),
                _ => None,
            }));
        }
        (sorts, operators)
    }
}

impl Store {
    /// Whether a name is that of a sort or operator of a theory as data.
    pub fn is_of_theory(&self, name: Symbol) -> bool {
        self.theory_names.contains_key(&name)
    }
}
