//! Datatype declarations, in the style of 2.6 and of 2.5, and `define-sort`.

use super::reader::Parser;
use crate::decl::{Constructor, Datatype};
use crate::error::Error;
use crate::lexer::{Token, TokenKind};
use crate::script::Command;
use crate::sort::{DatatypeId, Sort, SortId};
use crate::standard::{Binding, SortBinding};
use crate::symbol::Symbol;

impl Parser<'_> {
    /// After `define-sort`.
    pub(super) fn define_sort(&mut self) -> Result<Command, Error> {
        let (name, at) = self.symbol("the name of the sort")?;
        self.new_sort_name(name, at)?;
        let params = self.parameter_names()?;
        let old = self.bind_parameters(&params);
        let body = self.sort();
        self.unbind_parameters(old);
        let (params, body): (Box<[Symbol]>, SortId) = (params.into(), body?);
        self.scope.declare_sort(name, SortBinding::Defined(params.clone(), body));
        Ok(Command::DefineSort(name, params, body))
    }

    /// `(A B …)`.
    fn parameter_names(&mut self) -> Result<Vec<Symbol>, Error> {
        self.expect(TokenKind::Open, "sort parameters: (A …)")?;
        let mut names = Vec::new();
        while self.peek()?.kind != TokenKind::Close {
            names.push(self.symbol("a sort parameter")?.0);
        }
        self.next()?;
        Ok(names)
    }

    fn bind_parameters(&mut self, params: &[Symbol]) -> Vec<(Symbol, SortBinding)> {
        let bind = |&name: &Symbol| {
            let sort = self.store.sorts.intern(Sort::Parameter(name));
            (name, self.scope.shadow_sort(name, SortBinding::Simple(sort)))
        };
        params.iter().map(bind).collect()
    }

    fn unbind_parameters(&mut self, old: Vec<(Symbol, SortBinding)>) {
        for (name, binding) in old.into_iter().rev() {
            self.scope.restore_sort(name, binding);
        }
    }

    /// After `declare-datatype`.
    pub(super) fn declare_datatype(&mut self) -> Result<Command, Error> {
        let name = self.symbol("the name of the datatype")?;
        self.datatype_group(vec![(name.0, name.1, None)], None, ConstructorStyle::Single)
    }

    /// After `declare-datatypes`.
    pub(super) fn declare_datatypes(&mut self) -> Result<Command, Error> {
        self.expect(TokenKind::Open, "the names: ((T n) …)")?;
        let first = self.peek()?;
        if first.kind != TokenKind::Open {
            // 2.5: (declare-datatypes (A …) ((T (c …) …) …)).
            let mut params = Vec::new();
            while self.peek()?.kind != TokenKind::Close {
                params.push(self.symbol("a sort parameter")?.0);
            }
            self.next()?;
            return self.datatypes25(params);
        }
        let mut names = Vec::new();
        while self.peek()?.kind != TokenKind::Close {
            self.expect(TokenKind::Open, "(T n)")?;
            let (name, at) = self.symbol("the name of a datatype")?;
            names.push((name, at, Some(self.index("an arity")?)));
            self.expect(TokenKind::Close, "`)`")?;
        }
        self.next()?;
        self.expect(TokenKind::Open, "the constructors of each datatype")?;
        let command = self.datatype_group(names, None, ConstructorStyle::Modern)?;
        self.expect(TokenKind::Close, "`)` after the datatypes")?;
        Ok(command)
    }

    /// Parses the list of datatypes in the style of 2.5; a first pass finds its names.
    fn datatypes25(&mut self, params: Vec<Symbol>) -> Result<Command, Error> {
        self.expect(TokenKind::Open, "the datatypes: ((T (c …) …) …)")?;
        let start = self.lexer.position();
        let mut names = Vec::new();
        while self.peek()?.kind != TokenKind::Close {
            let open = self.expect(TokenKind::Open, "(T (c …) …)")?;
            let (name, at) = self.symbol("the name of a datatype")?;
            names.push((name, at, None));
            self.skip_to_close(open)?;
        }
        self.lexer.seek(start);
        let command = self.datatype_group(names, Some(params), ConstructorStyle::Old)?;
        self.expect(TokenKind::Close, "`)` after the datatypes")?;
        Ok(command)
    }

    /// Reads the constructors of a group of datatypes and declares it.
    fn datatype_group(
        &mut self,
        names: Vec<(Symbol, Token, Option<u32>)>,
        shared: Option<Vec<Symbol>>,
        style: ConstructorStyle,
    ) -> Result<Command, Error> {
        let first = DatatypeId(self.store.datatypes.len() as u32);
        let count = names.len() as u32;
        let mut seen = rustc_hash::FxHashSet::default();
        for &(name, at, _) in &names {
            self.new_sort_name(name, at)?;
            if !seen.insert(name) {
                return Err(Error::new(at.span(), format!("`{}` is declared twice here", self.store.name(name))));
            }
        }
        let mut old = Vec::new();
        for (n, &(name, ..)) in names.iter().enumerate() {
            let id = DatatypeId(first.0 + n as u32);
            old.push((name, self.scope.shadow_sort(name, SortBinding::Datatype(id))));
            let params = shared.clone().unwrap_or_default().into();
            self.store.datatypes.push(Datatype { name, params, constructors: Vec::new(), group: (first, count) });
        }
        let mut places = Vec::new();
        let mut read = self.datatype_bodies(first, count, shared, style, &mut places);
        self.unbind_parameters(old);
        if read.is_ok() {
            read = self.check_group(first, &names);
        }
        if let Err(error) = read {
            self.store.datatypes.truncate(first.index());
            return Err(error);
        }
        let group = self.intern_group(first);
        self.bind_group(group, count, &places)?;
        Ok(Command::DeclareDatatypes(group, count))
    }

    fn datatype_bodies(
        &mut self,
        first: DatatypeId,
        count: u32,
        shared: Option<Vec<Symbol>>,
        style: ConstructorStyle,
        places: &mut Vec<Token>,
    ) -> Result<(), Error> {
        if style == ConstructorStyle::Modern {
            // Selector sorts may use a later parametric datatype, so its parameters must be known first.
            self.find_parameters(first, count)?;
        }
        for n in 0..count {
            let open = self.expect(TokenKind::Open, "the constructors: ((c …) …)")?;
            let mut params = shared.clone().unwrap_or_default();
            let mut par = false;
            if style == ConstructorStyle::Old {
                self.next()?;
            } else {
                let word = self.peek()?;
                par = word.kind == TokenKind::Symbol && self.text(word) == "par";
                if par {
                    self.next()?;
                    params = self.parameter_names()?;
                    self.store.datatypes[(first.0 + n) as usize].params = params.clone().into();
                    self.expect(TokenKind::Open, "the constructors: ((c …) …)")?;
                }
            }
            let old = self.bind_parameters(&params);
            let constructors = self.constructors(places);
            self.unbind_parameters(old);
            let constructors = constructors?;
            if constructors.is_empty() {
                return Err(Error::new(open.span(), "a datatype without constructors"));
            }
            self.store.datatypes[(first.0 + n) as usize].constructors = constructors;
            if par {
                self.expect(TokenKind::Close, "`)` after the constructors")?;
            }
        }
        Ok(())
    }

    /// Looks ahead for the `par` lists of a group.
    fn find_parameters(&mut self, first: DatatypeId, count: u32) -> Result<(), Error> {
        let start = self.lexer.position();
        for n in 0..count {
            let open = self.expect(TokenKind::Open, "the constructors: ((c …) …)")?;
            let word = self.peek()?;
            if word.kind == TokenKind::Symbol && self.text(word) == "par" {
                self.next()?;
                self.store.datatypes[(first.0 + n) as usize].params = self.parameter_names()?.into();
            }
            self.skip_to_close(open)?;
        }
        self.lexer.seek(start);
        Ok(())
    }

    /// Constructors up to and including the `)`, and the positions of their names and selectors.
    fn constructors(&mut self, places: &mut Vec<Token>) -> Result<Vec<Constructor>, Error> {
        let mut list = Vec::new();
        let mut seen = rustc_hash::FxHashSet::default();
        let mut is_new = |parser: &Self, name, at: Token| {
            places.push(at);
            if seen.insert(name) {
                return Ok(());
            }
            let name = parser.store.name(name);
            Err(Error::new(at.span(), format!("`{name}` is declared twice in this datatype")))
        };
        loop {
            let token = self.next()?;
            match token.kind {
                TokenKind::Close => return Ok(list),
                // A constructor without fields may be a bare name in the style of 2.5.
                TokenKind::Symbol | TokenKind::Quoted => {
                    let name = self.store.symbols.intern(self.name_of(token));
                    is_new(self, name, token)?;
                    list.push(Constructor { name, fields: Vec::new() });
                }
                TokenKind::Open => {
                    let (name, at) = self.symbol("the name of a constructor")?;
                    is_new(self, name, at)?;
                    let mut fields = Vec::new();
                    while self.peek()?.kind != TokenKind::Close {
                        self.expect(TokenKind::Open, "a selector with its sort: (s S)")?;
                        let (selector, at) = self.symbol("a selector")?;
                        is_new(self, selector, at)?;
                        fields.push((selector, self.sort()?));
                        self.expect(TokenKind::Close, "`)`")?;
                    }
                    self.next()?;
                    if list.len() >= 0xffff || fields.len() > 0xffff {
                        return Err(Error::new(at.span(), "more than 65535 constructors or fields"));
                    }
                    list.push(Constructor { name, fields });
                }
                _ => return Err(self.unexpected(token, "a constructor (c (s S) …) or `)`")),
            }
        }
    }

    /// Checks the arities of the group at the end of the store's list, and that each of its datatypes has a finite value, as
    /// SMT-LIB 2.6, section 4.2.3, requires: otherwise no interpretation exists at all.
    fn check_group(&self, first: DatatypeId, names: &[(Symbol, Token, Option<u32>)]) -> Result<(), Error> {
        let group = &self.store.datatypes[first.index()..];
        for (dt, &(_, at, arity)) in group.iter().zip(names) {
            if let Some(arity) = arity.filter(|&a| a as usize != dt.params.len()) {
                return Err(Error::new(at.span(), format!("an arity of {arity}"))
                    .help(format!("its constructors have {} sort parameters", dt.params.len())));
            }
        }
        let mut finite = vec![false; group.len()];
        let has_value = |finite: &[bool], sort: SortId| match self.store.sorts.get(sort) {
            Sort::Datatype(d, _) if *d >= first => finite[d.index() - first.index()],
            _ => true,
        };
        loop {
            let before = finite.iter().filter(|&&f| f).count();
            for (n, dt) in group.iter().enumerate() {
                finite[n] =
                    finite[n] || dt.constructors.iter().any(|c| c.fields.iter().all(|f| has_value(&finite, f.1)));
            }
            if finite.iter().filter(|&&f| f).count() == before {
                break;
            }
        }
        match finite.iter().position(|f| !f) {
            None => Ok(()),
            Some(n) => Err(Error::new(names[n].1.span(), "a datatype without a finite value")
                .help("some constructor must not need a value of the datatype itself")),
        }
    }

    /// Returns the group at the end of the store's list, or an equal earlier one.
    pub(super) fn intern_group(&mut self, first: DatatypeId) -> DatatypeId {
        let mut key = Vec::new();
        for dt in &self.store.datatypes[first.index()..] {
            key.extend([dt.name.0, dt.params.len() as u32]);
            key.extend(dt.params.iter().map(|p| p.0));
            key.push(dt.constructors.len() as u32);
            for c in &dt.constructors {
                key.extend([c.name.0, c.fields.len() as u32]);
                for &(selector, sort) in &c.fields {
                    key.push(selector.0);
                    self.encode_sort(sort, first, &mut key);
                }
            }
        }
        let key: Box<[u32]> = key.into();
        if let Some(&known) = self.store.datatype_ids.get(&key) {
            self.store.datatypes.truncate(first.index());
            return known;
        }
        self.store.datatype_ids.insert(key, first);
        first
    }

    /// Encodes a sort as numbers that do not depend on the group's position.
    fn encode_sort(&self, sort: SortId, first: DatatypeId, key: &mut Vec<u32>) {
        let children = self.store.sorts.children(sort);
        match self.store.sorts.get(sort) {
            Sort::Datatype(d, _) if *d >= first => key.extend([1, d.0 - first.0]),
            _ if children.is_empty() => key.extend([0, sort.0]),
            Sort::Array(..) => key.push(2),
            Sort::Map(..) => key.push(3),
            Sort::Set(_) => key.push(7),
            Sort::Datatype(d, _) => key.extend([4, d.0]),
            Sort::Seq(_) => key.push(8),
            Sort::Bag(_) => key.push(9),
            Sort::Uninterpreted(name, _) => key.extend([5, name.0]),
            Sort::Extension(name, _) => key.extend([6, name.0]),
            _ => key.extend([0, sort.0]),
        }
        key.push(children.len() as u32);
        for child in children {
            self.encode_sort(child, first, key);
        }
    }

    /// Declares the names of a group, found at `places`.
    pub(super) fn bind_group(&mut self, first: DatatypeId, count: u32, places: &[Token]) -> Result<(), Error> {
        let mut places = places.iter().copied();
        let mut place = || places.next().unwrap_or(Token { kind: TokenKind::End, start: 0, end: 0 });
        let group = (0..count).map(|n| DatatypeId(first.0 + n));
        for id in group.clone() {
            self.scope.declare_sort(self.store.datatype(id).name, SortBinding::Datatype(id));
        }
        for id in group {
            for (c, constructor) in self.store.datatype(id).constructors.clone().into_iter().enumerate() {
                let at = place();
                self.declare_name(constructor.name, at, Binding::Constructor(id, c as u32))?;
                for (f, field) in constructor.fields.iter().enumerate() {
                    self.declare_name(field.0, place(), Binding::Selector(id, c as u16, f as u16))?;
                }
                let tester = format!("is-{}", self.store.name(constructor.name));
                let tester = self.store.symbols.intern(&tester);
                if matches!(self.scope.get(tester), Binding::Unbound | Binding::Tester(..) | Binding::Overloaded(_)) {
                    self.declare_name(tester, at, Binding::Tester(id, c as u32))?;
                }
            }
        }
        Ok(())
    }
}

/// How the constructors of a group are written.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ConstructorStyle {
    /// `declare-datatype`.
    Single,
    /// `declare-datatypes` of 2.6.
    Modern,
    /// `declare-datatypes` of 2.5.
    Old,
}
