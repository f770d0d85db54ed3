//! Rules of z3's fixed points: `declare-rel`, `declare-var`, `rule` and `query`.
//!
//! Variables are read as bound by a quantifier around each rule, and a query as the formula that is true if a fact is derived.

use super::binders::Shadow;
use super::reader::Parser;
use crate::build::BuildError;
use crate::decl::{Binder, Func, FuncBody, FuncId};
use crate::error::Error;
use crate::free_vars::FreeVars;
use crate::lexer::{Token, TokenKind};
use crate::op::Kind;
use crate::script::{Command, RuleVariables};
use crate::sort::SortId;
use crate::standard::Binding;
use crate::symbol::Symbol;
use crate::term::{Store, TermId};

impl Parser<'_> {
    /// Parses a command of rules up to its `)`; `None` if it is beyond what is read.
    pub(super) fn of_rules(&mut self, name: &str) -> Result<Option<Command>, Error> {
        // z3 may keep rules and variables beyond their level.
        if !self.scope.takes_rules() {
            return Ok(None);
        }
        match name {
            "declare-rel" => self.relation(),
            "declare-var" => {
                let (start, at) = (self.peek()?.start, self.symbol("the name of the variable")?);
                let sort = self.sort()?;
                let text = format!("(declare-var {})", &self.source[start..self.peek()?.start]);
                // Outside of rules it is a constant.
                self.declare_name(at.0, at.1, Binding::Opaque)?;
                self.scope.rule_variables.insert(at.0, sort);
                Ok(Some(Command::Query(text.into())))
            }
            "rule" => {
                let (clause, by) = self.rule()?;
                Ok(Some(Command::Rule(clause, by, self.rest("a name")?)))
            }
            _ => {
                let (name, _) = self.symbol("the name of a relation")?;
                let relation = match self.scope.get(name) {
                    Binding::Func(f) if self.store.func(f).body == FuncBody::Relation => f,
                    _ => return Ok(None),
                };
                let is_plain = self.peek()?.kind == TokenKind::Close;
                Ok(self.store.any_fact(relation).ok().filter(|_| is_plain).map(Command::Derive))
            }
        }
    }

    fn relation(&mut self) -> Result<Option<Command>, Error> {
        let (name, at) = self.symbol("the name of the relation")?;
        self.expect(TokenKind::Open, "the sorts of the arguments: (S …)")?;
        let mut params = Vec::new();
        while self.peek()?.kind != TokenKind::Close {
            params.push(self.sort()?);
        }
        self.next()?;
        // The representation in z3 may follow.
        if self.peek()?.kind != TokenKind::Close {
            return Ok(None);
        }
        let func = Func { name, params: params.into(), result: SortId::BOOL, body: FuncBody::Relation };
        let f = self.store.declare(func);
        self.declare_name(name, at, Binding::Func(f))?;
        Ok(Some(Command::DeclareFun(f)))
    }

    fn rule(&mut self) -> Result<(TermId, RuleVariables), Error> {
        let (mark, start) = (self.shadowed.len(), self.peek()?);
        let variables = self.rule_variables(start)?;
        for &(name, sort) in &variables {
            let term = self.store.bound_variable(name, sort);
            self.shadow(name, Binding::Term(term), Shadow::Variable);
        }
        let body = self.boolean(start)?;
        self.outer_name = None;
        self.unshadow(mark);
        let mut free = FreeVars::default();
        let used = |&(name, _): &(Symbol, SortId)| free.contains(self.store, body, name);
        let vars: Box<[_]> = variables.into_iter().filter(used).collect();
        let end = self.lexer.position();
        if vars.is_empty() {
            return Ok((body, RuleVariables::Quantified));
        }
        let bound = self.store.plainly_bound(Kind::Forall, vars, body);
        let clause = bound.map_err(|why| Error::new(start.start..end, why.to_string()))?;
        Ok((clause, RuleVariables::Declared))
    }
}

impl Parser<'_> {
    /// Returns the declared variables that the next expression mentions: a script may have many rules and many variables.
    fn rule_variables(&mut self, start: Token) -> Result<Vec<(Symbol, SortId)>, Error> {
        let (mut found, mut depth) = (Vec::new(), 0u64);
        loop {
            let token = self.next()?;
            match token.kind {
                TokenKind::Open => depth += 1,
                TokenKind::Close => depth = depth.saturating_sub(1),
                TokenKind::End => return Err(self.unexpected(token, "`)`")),
                TokenKind::Symbol | TokenKind::Quoted => {
                    let name = self.store.symbols.get(self.name_of(token));
                    found.extend(name.and_then(|name| Some((name, *self.scope.rule_variables.get(&name)?))));
                }
                _ => {}
            }
            if depth == 0 {
                break;
            }
        }
        self.lexer.seek(start.start);
        found.sort_unstable();
        found.dedup();
        Ok(found)
    }
}

impl Store {
    fn plainly_bound(&mut self, kind: Kind, vars: Box<[(Symbol, SortId)]>, body: TermId) -> Result<TermId, BuildError> {
        self.bind(kind, Binder { vars, patterns: [].into(), no_patterns: 0, qid: None, weight: None }, &[body])
    }

    /// Returns the formula that a relation holds for some values: `(exists ((x S) …) (p x …))`.
    /// Errors: [`BuildError`] if it is not a relation.
    pub fn any_fact(&mut self, relation: FuncId) -> Result<TermId, BuildError> {
        let params = self.func(relation).params.clone();
        let mut named = |n: usize, sort| self.named_variable(&format!("x!{n}"), sort);
        let (vars, args): (Vec<_>, Vec<_>) = params.iter().copied().enumerate().map(|(n, sort)| named(n, sort)).unzip();
        let vars: Box<[_]> = vars.into_iter().zip(params).collect();
        let fact = self.apply(relation, &args)?;
        if vars.is_empty() { Ok(fact) } else { self.plainly_bound(Kind::Exists, vars, fact) }
    }

    /// Returns the relation of such a formula.
    pub fn relation_of(&self, goal: TermId) -> Option<FuncId> {
        let fact = if self.kind(goal) == Kind::Exists { *self.args(goal).first()? } else { goal };
        self.applied(fact)
    }
}
