//! Settling definitions: values and tables where possible, defaults for missing symbols, and a consistency check.

use super::{Claim, ModelReadError, ModelReader};
use crate::domain::Domains;
use crate::eval::Evaluator;
use crate::ite_chain::ite_chain;
use crate::limits::EvalLimits;
use crate::model::{FunctionTable, Interpretation};
use crate::symbols::mentioned;
use crate::value::Value;
use rustc_hash::{FxHashMap, FxHashSet};
use smtlib::{Command, FuncBody, FuncId, Instance, Kind, Op};

impl ModelReader<'_> {
    /// Rejects definitions that depend on themselves.
    pub(super) fn check_acyclic(&self) -> Result<(), ModelReadError> {
        let mut done: FxHashSet<FuncId> = FxHashSet::default();
        let mut underway: FxHashSet<FuncId> = FxHashSet::default();
        for f in self.model.symbols() {
            let mut stack = vec![(f, false)];
            while let Some((g, leave)) = stack.pop() {
                if leave {
                    underway.remove(&g);
                    done.insert(g);
                } else if underway.contains(&g) {
                    return Err(ModelReadError::Cyclic(self.store.name(self.store.func(g).name).to_string()));
                } else if !done.contains(&g) {
                    underway.insert(g);
                    stack.push((g, true));
                    stack.extend(self.uses(g).into_iter().filter(|h| !done.contains(h)).map(|h| (h, false)));
                }
            }
        }
        Ok(())
    }

    /// Returns the functions that the meaning of `f` depends on. A recursive function of the script may mention itself: that
    /// comes from the script, not the model.
    fn uses(&self, f: FuncId) -> Vec<FuncId> {
        let func = self.store.func(f);
        let body = match (&func.body, self.model.interpretation(f)) {
            (FuncBody::Recursive { body, .. }, _) => {
                let mut list = mentioned(self.store, *body);
                list.retain(|&g| !matches!(self.store.func(g).body, FuncBody::Recursive { .. }));
                return list;
            }
            (FuncBody::Defined { body, .. }, _) => *body,
            (FuncBody::Declared | FuncBody::Relation, Some(Interpretation::Body { body, .. })) => *body,
            _ => return Vec::new(),
        };
        mentioned(self.store, body)
    }

    /// Turns bodies into values and tables where possible.
    pub(super) fn evaluate(&mut self) {
        let mut evaluator = Evaluator::new(self.model.clone(), EvalLimits::default());
        let mut better: Vec<(FuncId, Interpretation)> = Vec::new();
        let mut choices: Vec<(Op, FunctionTable)> = Vec::new();
        for f in self.model.symbols() {
            let Some(Interpretation::Body { params, body }) = self.model.interpretation(f) else { continue };
            if params.is_empty() {
                if let Ok(value) = evaluator.eval(self.store, *body)
                    && (value.is_exact() || matches!(value, Value::Algebraic(_)))
                {
                    let value = value.at_sort(self.store, self.store.func(f).result);
                    better.push((f, Interpretation::Value(value)));
                }
                continue;
            }
            let Some(chain) = ite_chain(self.store, params, *body) else { continue };
            let values: FxHashMap<_, _> =
                chain.terms().into_iter().filter_map(|t| evaluator.eval(self.store, t).ok().map(|v| (t, v))).collect();
            let Some(table) = chain.table(&values) else { continue };
            if self.store.sort(*body) != self.store.func(f).result {
                continue;
            }
            let name = self.store.name(self.store.func(f).name);
            if self.helpers.get(name) == Some(&f)
                && let Some(op) = choice_operator(name)
            {
                choices.push((op, binary(op, &table)));
            }
            better.push((f, Interpretation::Table(table)));
        }
        for (f, interpretation) in better {
            self.model.improve(f, interpretation);
        }
        for (op, table) in choices {
            self.model.choose_table(op, table);
        }
        for definition in std::mem::take(&mut self.choices) {
            let value = |t| evaluator.eval(self.store, t).ok().map(|v| (t, v));
            let values = definition.terms().into_iter().filter_map(value).collect();
            definition.put(&mut self.model, &values);
        }
    }

    pub(super) fn complete(&mut self, instance: &Instance) {
        let unreadable: FxHashSet<FuncId> = self.model.unreadable().iter().map(|u| u.0).collect();
        for command in &instance.declarations {
            let Command::DeclareFun(f) = command else { continue };
            if self.model.interpretation(*f).is_some() || unreadable.contains(f) {
                continue;
            }
            let func = self.store.func(*f);
            let domains = Domains { store: self.store, model: &self.model };
            // A symbol of a sort without a default stays open.
            let Some(value) = domains.any(func.result) else { continue };
            let is_constant = func.params.is_empty();
            let done = if is_constant {
                self.model.assign(self.store, *f, value)
            } else {
                self.model.assign_table(self.store, *f, FunctionTable::new(Some(value)))
            };
            if done.is_ok() {
                self.model.mark_completed(*f);
            }
        }
    }

    /// Checks that other statements of the reply follow from its definitions; otherwise one was misread.
    pub(super) fn check_claims(&mut self) {
        if self.claims.is_empty() {
            return;
        }
        let mut evaluator = Evaluator::new(self.model.clone(), EvalLimits::default());
        let fails = |claim: &Claim| evaluator.eval(self.store, claim.holds) != Ok(Value::Bool(true));
        let failed = std::mem::take(&mut self.claims).into_iter().find(fails);
        if let Some(Claim { about, .. }) = failed {
            self.doubt(|| format!("its value for `{about}` does not follow from its definitions"));
        }
    }
}

/// Returns the operator whose values at zero Z3 prints as a function with this name.
pub(super) fn choice_operator(name: &str) -> Option<Op> {
    let kind = match name {
        "/0" => Kind::RealDiv,
        "div0" => Kind::IntDiv,
        "mod0" => Kind::IntMod,
        "rem0" => Kind::IntRem,
        _ => return None,
    };
    Some(Op::new(kind))
}

/// Z3's functions for division by zero take the dividend, and in some versions the divisor, too; rows for other divisors are
/// leftovers.
fn binary(op: Op, table: &FunctionTable) -> FunctionTable {
    let zero = match op.kind {
        Kind::RealDiv => Value::real(dashu_ratio::RBig::ZERO),
        _ => Value::Int(dashu_int::IBig::ZERO),
    };
    let mut full = FunctionTable::new(table.default_value().cloned());
    for (args, value) in table.rows() {
        if let Some(dividend) = args.first().filter(|_| args.get(1).is_none_or(|divisor| *divisor == zero)) {
            full.insert([dividend.clone(), zero.clone()].into(), value.clone());
        }
    }
    full
}
