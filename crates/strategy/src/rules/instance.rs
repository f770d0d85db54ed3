//! Rules at given widths as terms of a store: built, matched and applied.

use super::search::{ArgumentOrder, FoundMatch, MatchSearch, Meeting};
use super::text::RuleText;
use rewrite::PassError;
use rewrite::pass::PassMeter;
use rewrite::simplify::Simplifier;
use rewrite::walk::{Rebuild, visit};
use smtlib::parser::{parse_commands, parse_term};
use smtlib::{Command, FuncId, Kind, Op, Scope, Store, TermId};

/// A rule at given widths, over variables that are constants of the store, possibly those of a goal: their meaning does not matter.
#[derive(Clone, Debug)]
pub(super) struct SizedRule {
    /// The variables in order: the symbol, and its term.
    pub variables: Vec<(FuncId, TermId)>,
    pub left: TermId,
    pub right: TermId,
    pub when: Option<TermId>,
}

/// The bindings of the variables, `None` if unbound.
pub(super) type BindingSearch = MatchSearch<TermId, Vec<Option<TermId>>>;

impl SizedRule {
    /// Returns the rule at these widths.
    /// Errors: it has no meaning there, and why.
    pub fn of(store: &mut Store, rule: &RuleText, widths: &[u32]) -> Result<SizedRule, String> {
        let written = |expression| {
            rule.written(expression, widths).ok_or_else(|| "an index is no number from 0 to 2^32 - 1".to_string())
        };
        let mut scope = Scope::new(store);
        let mut variables = Vec::with_capacity(rule.variables.len());
        for (name, sort) in &rule.variables {
            let text = format!("(declare-const {name} {})", written(sort)?);
            let parsed = parse_commands(store, &mut scope, &text);
            match (parsed.errors.first(), parsed.script.commands.first()) {
                (None, Some(&Command::DeclareFun(f))) => {
                    let term = store.constant_of(f).map_err(|error| error.to_string())?;
                    variables.push((f, term));
                }
                (Some(error), _) => return Err(format!("in the variable `{name}`: {error}")),
                (None, _) => return Err(format!("`{name}` is no variable")),
            }
        }
        let mut term = |store: &mut Store, what: &str, expression| {
            parse_term(store, &mut scope, &written(expression)?).map_err(|error| format!("{what}: {error}"))
        };
        let left = term(store, "on the left side", &rule.left)?;
        let right = term(store, "on the right side", &rule.right)?;
        let when = match &rule.when {
            Some(condition) => Some(term(store, "in the condition", condition)?),
            None => None,
        };
        let instance = SizedRule { variables, left, right, when };
        instance.well_formed(store, rule)?;
        Ok(instance)
    }

    fn well_formed(&self, store: &Store, rule: &RuleText) -> Result<(), String> {
        let (left, right) = (store.sort(self.left), store.sort(self.right));
        if left != right {
            let [left, right] = [left, right].map(|sort| store.sort_text(sort));
            return Err(format!("the left side has the sort {left}, the right side the sort {right}"));
        }
        if self.left == self.right {
            return Err("both sides are the same".to_string());
        }
        if self.when.is_some_and(|when| !store.is_bool(when)) {
            return Err("the condition is no formula".to_string());
        }
        if self.variables.iter().any(|&(_, term)| term == self.left) {
            return Err("the left side is a variable alone, which matches every term".to_string());
        }
        let mut binds = false;
        visit(store, [self.left, self.right].into_iter().chain(self.when), |t| {
            binds |= store.op(t).binder().is_some();
        });
        if binds {
            return Err("rules have no quantifiers or other binders".to_string());
        }
        let mut matched = vec![false; self.variables.len()];
        visit(store, [self.left], |t| {
            if let Some(n) = self.variables.iter().position(|&(_, term)| term == t) {
                matched[n] = true;
            }
        });
        match matched.iter().position(|is_matched| !is_matched) {
            Some(n) => Err(format!(
                "the variable `{}` does not occur on the left side, so that no match gives it a value",
                rule.variables[n].0
            )),
            None => Ok(()),
        }
    }

    /// Returns a search for the ways in which the left side matches a term.
    pub fn search(&self, t: TermId, order: ArgumentOrder) -> BindingSearch {
        MatchSearch::new(self.left, t, vec![None; self.variables.len()], order)
    }

    /// Returns the next match of a search.
    pub fn next_match(&self, store: &Store, search: &mut BindingSearch) -> Option<FoundMatch<Vec<TermId>>> {
        let FoundMatch { found, rest } = search.next(store, |pattern, t, bound| self.meet(store, pattern, t, bound))?;
        Some(FoundMatch { found: found.into_iter().collect::<Option<_>>()?, rest })
    }

    fn meet(&self, store: &Store, pattern: TermId, t: TermId, bound: &mut [Option<TermId>]) -> Meeting<TermId> {
        if store.sort(pattern) != store.sort(t) {
            return Meeting::Not;
        }
        if let Some(n) = self.variables.iter().position(|&(_, term)| term == pattern) {
            return if *bound[n].get_or_insert(t) == t { Meeting::Whole } else { Meeting::Not };
        }
        let own = store.args(pattern);
        match own.is_empty() {
            true if pattern == t => Meeting::Whole,
            false if store.op(pattern) == store.op(t) => Meeting::Parts(own.to_vec()),
            _ => Meeting::Not,
        }
    }

    /// Returns the right side for a match, with `change` applied to every term of it bottom-up; `None` if the condition does not simplify
    /// to true.
    pub fn replaced(
        &self,
        store: &mut Store,
        bound: &[TermId],
        watch: &mut PassMeter<'_>,
        change: impl FnMut(&mut Store, TermId) -> Result<TermId, PassError>,
    ) -> Result<Option<TermId>, PassError> {
        let mut rebuild = Rebuild::default();
        for (&(_, variable), &term) in self.variables.iter().zip(bound) {
            rebuild.preset(variable, term);
        }
        if let Some(when) = self.when {
            let when = rebuild.run(store, when, watch, |_, t| Ok(t))?;
            let when = Simplifier::heeding(watch.stop()).simplify(store, when, watch)?;
            if store.kind(when) != Kind::True {
                return Ok(None);
            }
        }
        rebuild.run(store, self.right, watch, change).map(Some)
    }

    /// Returns the condition under which the rule is wrong.
    pub fn negation(&self, store: &mut Store) -> Result<TermId, String> {
        let same = store.app(Op::new(Kind::Eq), &[self.left, self.right]).map_err(|error| error.to_string())?;
        let differ = store.not(same);
        Ok(match self.when {
            Some(when) => store.and(&[when, differ]),
            None => differ,
        })
    }
}
