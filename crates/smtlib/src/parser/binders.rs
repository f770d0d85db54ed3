//! Constructs that bind names: `let`, quantifiers, `lambda`, `match` and annotations.
//!
//! A bound variable whose name already has a meaning is renamed (`x!1`), so that a term means the same in every
//! context: names inside a term never capture. The printer restores the original name.

use super::frame::{AnnotationPart, Annotations, ParseFrame};
use super::reader::Parser;
use crate::decl::{Binder, MatchCase};
use crate::error::Error;
use crate::lexer::{Token, TokenKind};
use crate::op::Kind;
use crate::sort::{DatatypeId, Sort, SortId};
use crate::standard::Binding;
use crate::symbol::Symbol;
use crate::term::TermId;

/// What gives a name another meaning.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Shadow {
    /// `let`, whose names do not occur in terms.
    Let,
    /// A bound variable under this name.
    Variable,
    /// A bound variable that has another name in the term.
    Renamed,
}

/// The most shadowed names that are searched for those of `let`.
const SEARCHED: usize = 64;

impl Parser<'_> {
    /// Binds `name` until [`Parser::unshadow`].
    pub(super) fn shadow(&mut self, name: Symbol, binding: Binding, by: Shadow) {
        self.shadowed.push((name, self.scope.get(name), by));
        self.scope.set(name, binding);
    }

    /// Whether a term may contain `name` with another meaning than that of a new bound variable. Names of `let` are replaced by their
    /// terms, so those alone do not count: the printed text would lack them, and be read as another term.
    fn is_taken(&self, name: Symbol) -> bool {
        let mut meaning = self.scope.get(name);
        for (shadowed, old, by) in self.shadowed.iter().rev().take(SEARCHED) {
            match *shadowed == name {
                true if *by != Shadow::Let => break,
                true => meaning = *old,
                false => {}
            }
            if meaning == Binding::Unbound {
                return false;
            }
        }
        meaning != Binding::Unbound
    }

    /// Ends the bindings made since `mark`.
    pub(super) fn unshadow(&mut self, mark: usize) {
        while self.shadowed.len() > mark {
            let Some((name, old, by)) = self.shadowed.pop() else { return };
            self.scope.set(name, old);
            if by == Shadow::Renamed
                && let Some(count) = self.scope.renamed.get_mut(&name)
            {
                *count -= 1;
            }
        }
    }

    /// Binds a variable, under a new name if the old one already has a meaning; returns the name in the term.
    pub(super) fn bind_variable(&mut self, name: Symbol, sort: SortId) -> Symbol {
        if !self.is_taken(name) {
            let term = self.store.bound_variable(name, sort);
            self.shadow(name, Binding::Term(term), Shadow::Variable);
            return name;
        }
        let mut n = self.scope.renamed.get(&name).copied().unwrap_or(0);
        let own = loop {
            n += 1;
            let candidate = format!("{}!{n}", self.store.name(name));
            let candidate = self.store.symbols.intern(&candidate);
            if self.scope.get(candidate) == Binding::Unbound {
                break candidate;
            }
        };
        *self.scope.renamed.entry(name).or_default() += 1;
        self.store.own_names.insert(own, name);
        let term = self.store.bound_variable(own, sort);
        self.shadow(name, Binding::Term(term), Shadow::Renamed);
        // The new name is taken, too, so that no inner variable gets it.
        self.shadow(own, Binding::Term(term), Shadow::Variable);
        own
    }

    /// After `(let`.
    pub(super) fn open_let(&mut self) -> Result<(), Error> {
        self.expect(TokenKind::Open, "the bindings of `let`: ((x t) …)")?;
        self.frames.push(ParseFrame::LetBindings { names: self.let_names.len(), base: self.operands.len() });
        self.expect(TokenKind::Open, "a binding (x t)")?;
        let (name, _) = self.symbol("a variable")?;
        self.let_names.push(name);
        Ok(())
    }

    /// After the term of a binding: the next binding, or the body.
    pub(super) fn next_let_binding(&mut self) -> Result<Option<TermId>, Error> {
        self.expect(TokenKind::Close, "`)` after the binding")?;
        let token = self.next()?;
        match token.kind {
            TokenKind::Open => {
                let (name, _) = self.symbol("a variable")?;
                self.let_names.push(name);
            }
            TokenKind::Close => {
                let Some(ParseFrame::LetBindings { names, base }) = self.frames.pop() else { return Ok(None) };
                let mark = self.shadowed.len();
                // The bindings are parallel: none of them sees another.
                for n in 0..self.let_names.len() - names {
                    self.shadow(self.let_names[names + n], Binding::Term(self.operands[base + n]), Shadow::Let);
                }
                self.let_names.truncate(names);
                self.operands.truncate(base);
                self.frames.push(ParseFrame::LetBody { mark });
            }
            _ => return Err(self.unexpected(token, "another binding or `)`")),
        }
        Ok(None)
    }

    /// `((x S) …)`: the names as written, with their sorts.
    pub(super) fn sorted_vars(&mut self) -> Result<Vec<(Symbol, SortId)>, Error> {
        self.expect(TokenKind::Open, "variables with their sorts: ((x S) …)")?;
        let mut vars = Vec::new();
        loop {
            let token = self.next()?;
            match token.kind {
                TokenKind::Close => return Ok(vars),
                TokenKind::Open => {
                    let (name, _) = self.symbol("a variable")?;
                    let sort = self.sort()?;
                    self.expect(TokenKind::Close, "`)`")?;
                    vars.push((name, sort));
                }
                _ => return Err(self.unexpected(token, "(x S) or `)`")),
            }
        }
    }

    /// After the word `forall`, `exists` or `lambda`.
    pub(super) fn open_binder(&mut self, kind: Kind, at: Token) -> Result<(), Error> {
        let mut vars = self.sorted_vars()?;
        if vars.is_empty() {
            return Err(Error::new(at.span(), "a binder without variables").help("expected ((x S) …)"));
        }
        let mark = self.shadowed.len();
        for var in &mut vars {
            var.0 = self.bind_variable(var.0, var.1);
        }
        self.frames.push(ParseFrame::Binder { kind, vars, mark, at, annotations: Annotations::default() });
        Ok(())
    }

    /// After the body of a binder.
    pub(super) fn finish_binder(&mut self, body: TermId) -> Result<TermId, Error> {
        let end = self.expect(TokenKind::Close, "`)` after the body")?;
        let Some(ParseFrame::Binder { kind, vars, mark, at, annotations }) = self.frames.pop() else { return Ok(body) };
        self.unshadow(mark);
        let binder = Binder {
            vars: vars.into(),
            patterns: annotations.patterns.into(),
            no_patterns: annotations.no_pattern_terms.len() as u32,
            qid: annotations.qid,
            weight: annotations.weight,
        };
        let mut args = vec![body];
        args.extend(annotations.pattern_terms);
        args.extend(annotations.no_pattern_terms);
        self.store.bind(kind, binder, &args).map_err(|e| Error::new(at.start..end.end, e.to_string()))
    }

    /// Parses the attributes of `(! t …)`, up to its `)` or to a term inside them.
    pub(super) fn attributes(&mut self) -> Result<Option<TermId>, Error> {
        loop {
            let token = self.next()?;
            match token.kind {
                TokenKind::Close => return self.finish_annotation(),
                TokenKind::Keyword => {}
                _ => return Err(self.unexpected(token, "an attribute or `)`")),
            }
            match self.text(token) {
                ":named" => {
                    let (symbol, at) = self.symbol("a name")?;
                    if let Some(ParseFrame::Annotated { name, .. }) = self.frames.last_mut() {
                        *name = Some((symbol, at));
                    }
                }
                ":pattern" => {
                    self.expect(TokenKind::Open, "the terms of the pattern: (t …)")?;
                    return Ok(self.set_part(AnnotationPart::Pattern(0)));
                }
                ":no-pattern" | ":nopattern" => return Ok(self.set_part(AnnotationPart::NoPattern)),
                ":qid" if matches!(self.peek()?.kind, TokenKind::Symbol | TokenKind::Quoted) => {
                    let (symbol, _) = self.symbol("a name")?;
                    if let Some(ParseFrame::Annotated { annotations, .. }) = self.frames.last_mut() {
                        annotations.qid = Some(symbol);
                    }
                }
                ":weight" if self.peek()?.kind == TokenKind::Numeral => {
                    let weight = self.index("a weight")?;
                    if let Some(ParseFrame::Annotated { annotations, .. }) = self.frames.last_mut() {
                        annotations.weight = Some(weight);
                    }
                }
                _ => {
                    // Other attributes do not affect the term's meaning.
                    if !matches!(self.peek()?.kind, TokenKind::Keyword | TokenKind::Close) {
                        self.skip_expression("a value")?;
                    }
                }
            }
        }
    }

    fn set_part(&mut self, new: AnnotationPart) -> Option<TermId> {
        if let Some(ParseFrame::Annotated { part, .. }) = self.frames.last_mut() {
            *part = new;
        }
        None
    }

    fn finish_annotation(&mut self) -> Result<Option<TermId>, Error> {
        let Some(ParseFrame::Annotated { base, name, annotations, .. }) = self.frames.pop() else { return Ok(None) };
        let term = self.operands[base];
        self.operands.truncate(base);
        if let Some((name, at)) = name {
            self.name_closed_term(name, at, term)?;
        }
        // Patterns belong to the quantifier of this body, even through `let`s and annotations around the body. An
        // annotation passes them to the next outer one: searching for the quantifier each time would be quadratic.
        let is_around = |f: &&mut ParseFrame| !matches!(f, ParseFrame::LetBody { .. });
        match self.frames.iter_mut().rev().find(is_around) {
            Some(ParseFrame::Binder { annotations: own, .. })
            | Some(ParseFrame::Annotated { annotations: own, part: AnnotationPart::Term, .. }) => own.take(annotations),
            _ => {}
        }
        Ok(Some(term))
    }

    /// Gives a term its `:named` name, which later commands may use (SMT-LIB 2.6, section 3.6.1).
    fn name_closed_term(&mut self, name: Symbol, at: Token, term: TermId) -> Result<(), Error> {
        self.new_name(name, at)?;
        // A name of a term with free variables would carry them out of their scope.
        if !self.free.is_closed(self.store, term) {
            return Err(Error::new(at.span(), "`:named` on a term with free variables")
                .help("only a closed term can have a name; leave the name out"));
        }
        self.scope.declare(name, Binding::Term(term));
        self.labels.push((name, term));
        // Commands keep only the name of their whole term; inner names are inlined where they are used.
        if self.frames.is_empty() {
            self.outer_name = Some(name);
        }
        Ok(())
    }

    /// After the scrutinee or a case's body: the next case, or the end of the `match`.
    pub(super) fn next_case(&mut self) -> Result<Option<TermId>, Error> {
        let Some(ParseFrame::Match { base, mut cases, mark, at }) = self.frames.pop() else { return Ok(None) };
        self.unshadow(mark);
        let scrutinee = self.operands[base];
        let sort = self.store.sort(scrutinee);
        let Sort::Datatype(datatype, _) = *self.store.sorts.get(sort) else {
            let sort = self.store.sort_text(sort);
            return Err(Error::new(at.span(), format!("`match` on a term of sort {sort}")).help("expected a datatype"));
        };
        if cases.is_empty() {
            self.expect(TokenKind::Open, "the cases of the match: ((pattern t) …)")?;
        } else {
            self.expect(TokenKind::Close, "`)` after the case")?;
        }
        let token = self.next()?;
        match token.kind {
            TokenKind::Open => {
                let case = self.case_pattern(datatype, sort)?;
                cases.push(case);
                self.frames.push(ParseFrame::Match { base, cases, mark, at });
                Ok(None)
            }
            TokenKind::Close => {
                let end = self.expect(TokenKind::Close, "`)` after the cases")?;
                self.check_exhaustive(datatype, &cases, at)?;
                let args: Vec<TermId> = self.operands.drain(base..).collect();
                let term = self.store.match_term(cases.into(), &args);
                term.map(Some).map_err(|e| Error::new(at.start..end.end, e.to_string()))
            }
            _ => Err(self.unexpected(token, "a case (pattern t) or `)`")),
        }
    }

    /// Parses the pattern of a case; binds its variables.
    fn case_pattern(&mut self, datatype: DatatypeId, sort: SortId) -> Result<MatchCase, Error> {
        let open = self.peek()?;
        if open.kind != TokenKind::Open {
            let token = self.next()?;
            let is_wildcard = token.kind == TokenKind::Symbol && self.text(token) == "_";
            if is_wildcard {
                return Ok(MatchCase { constructor: None, vars: Box::new([None]) });
            }
            if !matches!(token.kind, TokenKind::Symbol | TokenKind::Quoted) {
                return Err(self.unexpected(token, "a constructor or a variable"));
            }
            let name = self.store.symbols.intern(self.name_of(token));
            if let Some(c) = self.constructor_of(name, datatype) {
                self.check_fields(datatype, c, 0, token)?;
                return Ok(MatchCase { constructor: Some(c), vars: Box::new([]) });
            }
            let own = self.bind_variable(name, sort);
            return Ok(MatchCase { constructor: None, vars: Box::new([Some(own)]) });
        }
        self.next()?;
        let (name, token) = self.symbol("a constructor")?;
        let Some(c) = self.constructor_of(name, datatype) else {
            let dt = self.store.name(self.store.datatype(datatype).name);
            return Err(Error::new(token.span(), format!("not a constructor of {dt}")));
        };
        let mut names = Vec::new();
        while self.peek()?.kind != TokenKind::Close {
            let token = self.next()?;
            if !matches!(token.kind, TokenKind::Symbol | TokenKind::Quoted) {
                return Err(self.unexpected(token, "a variable or `_`"));
            }
            let wildcard = token.kind == TokenKind::Symbol && self.text(token) == "_";
            names.push((!wildcard).then(|| self.store.symbols.intern(self.name_of(token))));
        }
        self.next()?;
        self.check_fields(datatype, c, names.len(), token)?;
        let sorts = self.store.field_sorts(sort, c as usize);
        let vars = names.into_iter().zip(sorts).map(|(n, s)| n.map(|n| self.bind_variable(n, s))).collect();
        Ok(MatchCase { constructor: Some(c), vars })
    }

    fn check_fields(&self, datatype: DatatypeId, constructor: u32, given: usize, at: Token) -> Result<(), Error> {
        let fields = self.store.datatype(datatype).constructors[constructor as usize].fields.len();
        if fields == given {
            return Ok(());
        }
        Err(Error::new(at.span(), format!("a pattern with {given} variables")).help(format!("expected {fields}")))
    }

    fn check_exhaustive(&self, datatype: DatatypeId, cases: &[MatchCase], at: Token) -> Result<(), Error> {
        let constructors = &self.store.datatype(datatype).constructors;
        let catch_all = cases.iter().any(|c| c.constructor.is_none());
        let missing = (0..constructors.len() as u32).find(|n| !cases.iter().any(|c| c.constructor == Some(*n)));
        match missing {
            Some(n) if !catch_all => {
                let name = self.store.name(constructors[n as usize].name);
                Err(Error::new(at.span(), format!("no case for the constructor `{name}`")))
            }
            _ => Ok(()),
        }
    }
}
