//! Functions as values: lambdas, function symbols as arrays or maps, and what they are applied to.

use super::functions::Meaning;
use crate::array::{Base, Closure, ClosureBody};
use crate::cardinality::Cardinality;
use crate::domain::Domains;
use crate::eval::Evaluator;
use crate::frame::{BodyPurpose, READY, ValueSlot, WalkGoal};
use crate::ite_chain::ite_chain;
use crate::model::FunctionTable;
use crate::open::OpenPoint;
use crate::unknown::{Unknown, UnknownReason};
use crate::value::Value;
use rustc_hash::FxHashMap;
use smtlib::{FuncId, Sort, SortId, Store, Symbol, TermId};
use std::sync::Arc;

/// The number of arguments up to which a function that a search gives values one by one is an array once it has all of them.
const MAX_POINTS: u64 = 16;

/// The value of a function on one more argument.
pub(crate) enum Applied {
    /// The final value.
    Done(ValueSlot),
    /// The value of this body under these variables.
    Body(TermId, Vec<(Symbol, ValueSlot)>),
}

impl Evaluator {
    /// A lambda: a table over a small finite domain or if its body is a chain of cases, otherwise a closure.
    pub(crate) fn lambda(&mut self, store: &Store, t: TermId) -> Result<(), Unknown> {
        let (Some(binder), Some(&body)) = (store.op(t).binder(), store.args(t).first()) else {
            self.set_unknown(t, UnknownReason::IllSorted);
            return Ok(());
        };
        let variables = &store.binder(binder).vars;
        if let Some(ranges) = self.sorts_ranges(store, variables) {
            return self.enumerate(store, t, WalkGoal::Table, ranges, body);
        }
        let names: Vec<Symbol> = variables.iter().map(|v| v.0).collect();
        if let Some(chain) = ite_chain(store, &names, body) {
            self.after(store, t, READY, &chain.terms());
            return Ok(());
        }
        self.lambda_closure(store, t)
    }

    /// A lambda whose body is a chain of cases, all parts of which have been evaluated: a table if they have values.
    pub(crate) fn finish_ite_chain(&mut self, store: &Store, t: TermId) -> Result<(), Unknown> {
        let found = match (store.op(t).binder(), store.op(t).func(), store.args(t).first()) {
            (Some(b), _, Some(&body)) => Some((store.binder(b).vars.iter().map(|v| v.0).collect(), body)),
            (_, Some(f), _) => match self.meaning(store, f) {
                Ok(Meaning::Body(params, body)) => Some((params, body)),
                _ => None,
            },
            _ => None,
        };
        let found: Option<(Arc<[Symbol]>, TermId)> = found;
        if let Some((params, body)) = found
            && let Some(chain) = ite_chain(store, &params, body)
        {
            let mut values = FxHashMap::default();
            for u in chain.terms() {
                if let Some(v) = self.slot(u).value() {
                    values.insert(u, v.clone());
                }
            }
            if let Some(table) = chain.table(&values) {
                let result = self.table_value(store, store.sort(t), params.len(), &table);
                self.set_result(t, result);
                return Ok(());
            }
        }
        match store.op(t).func() {
            Some(f) => {
                let value = self.closure_value(store, store.sort(t), Closure::of(f));
                self.set_result(t, value);
                Ok(())
            }
            None => self.lambda_closure(store, t),
        }
    }

    fn lambda_closure(&mut self, store: &Store, t: TermId) -> Result<(), Unknown> {
        let mut environment = Vec::new();
        for &name in self.free_names(store, t).iter() {
            match self.frames.last().and_then(|f| f.lookup(name)) {
                Some(ValueSlot::Known(v)) => environment.push((name, v.clone())),
                Some(ValueSlot::Unknown(u)) => {
                    let unknown = ValueSlot::Unknown(*u);
                    self.set(t, unknown);
                    return Ok(());
                }
                _ => {
                    self.set_unknown(t, UnknownReason::FreeVariable);
                    return Ok(());
                }
            }
        }
        let closure = Closure { code: ClosureBody::Lambda(t), environment: environment.into(), applied: [].into() };
        let value = self.closure_value(store, store.sort(t), closure);
        self.set_result(t, value);
        Ok(())
    }

    /// Evaluates a function symbol as an array or map.
    pub(crate) fn function_value(&mut self, store: &Store, t: TermId) -> Result<(), Unknown> {
        let Some(f) = store.op(t).func() else {
            self.set_unknown(t, UnknownReason::IllSorted);
            return Ok(());
        };
        let func = store.func(f);
        match self.meaning(store, f) {
            // Its values are computed one by one.
            Ok(Meaning::Table) | Err(UnknownReason::Unassigned) if self.value_by_points(store, t, f) => {}
            Err(UnknownReason::Unassigned) if self.notes_open_points() => {
                let value = self.closure_value(store, store.sort(t), Closure::of(f));
                self.set_result(t, value);
            }
            Err(reason) => self.set_unknown(t, reason),
            Ok(Meaning::Value(v)) => self.set_value(t, v),
            Ok(Meaning::Table) => {
                let table = match self.table(f) {
                    Some(table) => table.clone(),
                    None => FunctionTable::default(),
                };
                let result = match table.default_value() {
                    Some(_) => self.table_value(store, store.sort(t), func.params.len(), &table),
                    None => self.closure_value(store, store.sort(t), Closure::of(f)),
                };
                self.set_result(t, result);
            }
            Ok(Meaning::Body(params, body)) if params.is_empty() => {
                return self.activate_alone(t, body, Vec::new(), BodyPurpose::Result);
            }
            Ok(Meaning::Body(params, body)) => {
                let variables: Vec<(Symbol, SortId)> =
                    params.iter().copied().zip(func.params.iter().copied()).collect();
                if let Some(ranges) = self.sorts_ranges(store, &variables) {
                    return self.enumerate(store, t, WalkGoal::Table, ranges, body);
                }
                if let Some(chain) = ite_chain(store, &params, body) {
                    self.after(store, t, READY, &chain.terms());
                    return Ok(());
                }
                let value = self.closure_value(store, store.sort(t), Closure::of(f));
                self.set_result(t, value);
            }
        }
        Ok(())
    }

    /// Evaluates a function of one of few arguments as an array or map, or notes the first argument for which it has no value yet; false
    /// if no open points are noted, or it has a value everywhere or more arguments.
    fn value_by_points(&mut self, store: &Store, t: TermId, f: FuncId) -> bool {
        let &[param] = &store.func(f).params[..] else { return false };
        if !self.notes_open_points() || self.table(f).is_some_and(|table| table.default_value().is_some()) {
            return false;
        }
        let Some(all) = self.domains(store).all(param, MAX_POINTS) else { return false };
        let mut values = Vec::with_capacity(all.len());
        for argument in all {
            let point = [argument];
            match self.table(f).and_then(|table| table.get(&point)) {
                Some(value) => values.push(value.clone()),
                None => {
                    self.note_open(t, OpenPoint::Symbol(f, point.into()));
                    self.set_unknown(t, UnknownReason::Unassigned);
                    return true;
                }
            }
        }
        let value = self.nested_table(store, store.sort(t), 1, values);
        self.set_result(t, value);
        true
    }

    fn closure_value(&self, store: &Store, sort: SortId, closure: Closure) -> Result<Value, UnknownReason> {
        super::arrays::update(&self.domains(store), sort, Base::Closure(closure), Vec::new())
    }

    /// Gives a closure one more argument; `t` is the application.
    pub(crate) fn call_closure(&mut self, store: &Store, t: TermId, c: &Closure, arg: Value) -> Result<(), Unknown> {
        match self.apply_closure(store, t, c, arg, store.sort(t)) {
            Applied::Body(body, environment) => self.activate_alone(t, body, environment, BodyPurpose::Result),
            Applied::Done(slot) => {
                self.set(t, slot);
                Ok(())
            }
        }
    }

    /// Applies a closure to one more argument, with a result of sort `sort`; `t` is blamed if it has no value.
    pub(crate) fn apply_closure(&mut self, store: &Store, t: TermId, c: &Closure, arg: Value, sort: SortId) -> Applied {
        let unknown = |reason| Applied::Done(ValueSlot::Unknown(Unknown { term: t, reason }));
        let mut applied = c.applied.to_vec();
        applied.push(arg);
        let (params, body): (Arc<[Symbol]>, TermId) = match c.code {
            ClosureBody::Lambda(lambda) => match (store.op(lambda).binder(), store.args(lambda).first()) {
                (Some(b), Some(&body)) => (store.binder(b).vars.iter().map(|v| v.0).collect(), body),
                _ => return unknown(UnknownReason::IllSorted),
            },
            ClosureBody::Func(f) => match self.meaning(store, f) {
                Ok(Meaning::Body(params, body)) => (params, body),
                Ok(Meaning::Value(_)) => return unknown(UnknownReason::IllSorted),
                meaning => {
                    if applied.len() < store.func(f).params.len() {
                        return self.closure_with(store, t, c, applied, sort);
                    }
                    if let Some(value) = self.table(f).and_then(|table| table.get(&applied)) {
                        return Applied::Done(ValueSlot::Known(value.clone()));
                    }
                    let reason = meaning.err().unwrap_or(UnknownReason::OutsideTable);
                    if matches!(reason, UnknownReason::OutsideTable | UnknownReason::Unassigned) {
                        self.note_open(t, OpenPoint::Symbol(f, applied.into()));
                    }
                    return unknown(reason);
                }
            },
        };
        if applied.len() < params.len() {
            return self.closure_with(store, t, c, applied, sort);
        }
        let around = c.environment.iter().map(|(name, v)| (*name, ValueSlot::Known(v.clone())));
        let environment = around.chain(params.iter().copied().zip(applied.into_iter().map(ValueSlot::Known))).collect();
        Applied::Body(body, environment)
    }

    /// Returns a closure that has these arguments now, at this sort.
    fn closure_with(&self, store: &Store, t: TermId, c: &Closure, applied: Vec<Value>, sort: SortId) -> Applied {
        let closure = Closure { code: c.code, environment: c.environment.clone(), applied: applied.into() };
        Applied::Done(match self.closure_value(store, sort, closure) {
            Ok(value) => ValueSlot::Known(value),
            Err(reason) => ValueSlot::Unknown(Unknown { term: t, reason }),
        })
    }

    /// Returns the curried array or map of `sort`, of a function of `arity` arguments, whose values are `values`, the last
    /// argument changing fastest.
    pub(crate) fn nested_table(
        &self,
        store: &Store,
        sort: SortId,
        arity: usize,
        mut values: Vec<Value>,
    ) -> Result<Value, UnknownReason> {
        let mut levels = Vec::with_capacity(arity);
        let mut at = sort;
        for _ in 0..arity {
            let (index, element) = index_and_element(store, at)?;
            levels.push((at, index));
            at = element;
        }
        let domains = self.domains(store);
        // From the innermost level outwards, each level gathers as many values as its index sort has elements.
        for (level, index) in levels.into_iter().rev() {
            let Cardinality::Finite(n) = domains.cardinality(index) else { return Err(UnknownReason::Domain) };
            let n = usize::try_from(n).map_err(|_| UnknownReason::Domain)?;
            let mut next = Vec::with_capacity(values.len() / n.max(1));
            for chunk in values.chunks(n) {
                let mut updates = Vec::with_capacity(chunk.len());
                for (k, v) in chunk.iter().enumerate() {
                    updates.push((domains.nth(index, k as u64).ok_or(UnknownReason::Domain)?, v.clone()));
                }
                let default = chunk.first().cloned().ok_or(UnknownReason::Domain)?;
                next.push(super::arrays::update(&domains, level, Base::Default(default), updates)?);
            }
            values = next;
        }
        values.pop().ok_or(UnknownReason::Domain)
    }

    /// Returns the curried array or map of a table with a default.
    pub(crate) fn table_value(
        &self,
        store: &Store,
        sort: SortId,
        arity: usize,
        table: &FunctionTable,
    ) -> Result<Value, UnknownReason> {
        let default = table.default_value().ok_or(UnknownReason::OutsideTable)?;
        curried(&self.domains(store), sort, arity, &table.rows(), default)
    }
}

fn index_and_element(store: &Store, sort: SortId) -> Result<(SortId, SortId), UnknownReason> {
    match *store.sorts.get(sort) {
        Sort::Array(index, element) | Sort::Map(index, element) => Ok((index, element)),
        _ => Err(UnknownReason::IllSorted),
    }
}

/// The curried array of `rows`, which are sorted by their `arity` arguments; recursion is as deep as there are arguments.
pub(crate) fn curried(
    domains: &Domains<'_>,
    sort: SortId,
    arity: usize,
    rows: &[(&[Value], &Value)],
    default: &Value,
) -> Result<Value, UnknownReason> {
    if arity == 0 {
        return Ok(rows.first().map_or(default, |r| r.1).clone());
    }
    let (_, element) = index_and_element(domains.store, sort)?;
    let base = curried(domains, element, arity - 1, &[], default)?;
    let mut updates = Vec::new();
    for group in rows.chunk_by(|a, b| a.0.first() == b.0.first()) {
        let Some((key, _)) = group[0].0.split_first() else { return Err(UnknownReason::IllSorted) };
        let inner: Vec<(&[Value], &Value)> = group.iter().map(|r| (&r.0[1..], r.1)).collect();
        updates.push((key.clone(), curried(domains, element, arity - 1, &inner, default)?));
    }
    super::arrays::update(domains, sort, Base::Default(base), updates)
}
