//! Rules at given widths as terms of a store: made, matched and applied.

use super::text::RuleText;
use rewrite::PassError;
use rewrite::pass::PassMeter;
use rewrite::simplify::Simplifier;
use rewrite::walk::{Rebuild, visit};
use smtlib::parser::{parse_commands, parse_term};
use smtlib::{Command, FuncId, Kind, Op, Scope, Sort, Store, TermId};

/// A rule at given widths, over variables that are constants of the store, perhaps those of a goal: what they stand for is not looked
/// into.
#[derive(Clone, Debug)]
pub(super) struct SizedRule {
    /// The variables in their order: the symbol, and its term.
    pub variables: Vec<(FuncId, TermId)>,
    pub left: TermId,
    pub right: TermId,
    pub when: Option<TermId>,
}

impl SizedRule {
    /// The rule at these widths.
    ///
    /// # Errors
    /// It has no meaning there, and why.
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

    /// What the variables stand for where the left side is the term.
    pub fn matches(&self, store: &Store, t: TermId) -> Option<Vec<TermId>> {
        let mut bound: Vec<Option<TermId>> = vec![None; self.variables.len()];
        let mut stack = vec![(self.left, t)];
        while let Some((pattern, t)) = stack.pop() {
            if let Some(n) = self.variables.iter().position(|&(_, term)| term == pattern) {
                if store.sort(pattern) != store.sort(t) || *bound[n].get_or_insert(t) != t {
                    return None;
                }
                continue;
            }
            let (own, args) = (store.args(pattern), store.args(t));
            let fits = match own.is_empty() {
                true => pattern == t,
                false => own.len() == args.len() && store.op(pattern) == store.op(t),
            };
            if !fits || store.sort(pattern) != store.sort(t) {
                return None;
            }
            stack.extend(own.iter().copied().zip(args.iter().copied()));
        }
        bound.into_iter().collect()
    }

    /// The right side for a match, `change` applied to every term of it from below; none if the condition does not simplify to true.
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

    /// What would have to hold for the rule to be wrong.
    pub fn negation(&self, store: &mut Store) -> Result<TermId, String> {
        let same = store.app(Op::new(Kind::Eq), &[self.left, self.right]).map_err(|error| error.to_string())?;
        let differ = store.not(same);
        Ok(match self.when {
            Some(when) => store.and(&[when, differ]),
            None => differ,
        })
    }
}

/// The left side without its indices and values, by which terms of any width are compared.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum RuleShape {
    /// A variable, by its position.
    Variable(usize),
    /// An operator on shapes; a value has none.
    App(Kind, Vec<RuleShape>),
}

impl RuleShape {
    /// The shape of an instance's left side. Recursion is as deep as the rule's text.
    pub fn of(store: &Store, instance: &SizedRule, t: TermId) -> RuleShape {
        match instance.variables.iter().position(|&(_, term)| term == t) {
            Some(n) => RuleShape::Variable(n),
            None => {
                let args = store.args(t).iter().map(|&a| RuleShape::of(store, instance, a)).collect();
                RuleShape::App(store.kind(t), args)
            }
        }
    }

    /// The open widths that a term gives the rule, if it may match.
    pub fn widths(&self, store: &Store, rule: &RuleText, t: TermId) -> Option<Vec<u32>> {
        let mut widths: Vec<Option<u32>> = vec![None; rule.widths.len()];
        let mut stack = vec![(self, t)];
        while let Some((shape, t)) = stack.pop() {
            match shape {
                RuleShape::App(kind, shapes) => {
                    if *kind != store.kind(t) || shapes.len() != store.args(t).len() {
                        return None;
                    }
                    stack.extend(shapes.iter().zip(store.args(t).iter().copied()));
                }
                RuleShape::Variable(n) => {
                    for (width, index) in rule.shown_widths(&rule.variables[*n].1) {
                        let found = match (store.sorts.get(store.sort(t)), index) {
                            (Sort::BitVec(bits), 0) => *bits,
                            (Sort::Float { eb, .. }, 0) => *eb,
                            (Sort::Float { sb, .. }, 1) => *sb,
                            _ => return None,
                        };
                        if *widths[width].get_or_insert(found) != found {
                            return None;
                        }
                    }
                }
            }
        }
        widths.into_iter().collect()
    }
}
