//! Function symbols, definitions, closures and activations.

use crate::array::{Base, Closure, ClosureBody};
use crate::cardinality::Cardinality;
use crate::domain::Domains;
use crate::eval::Evaluator;
use crate::frame::{BodyPurpose, ENTER, READY, RETURN, TermTask, ValueSlot, WalkGoal};
use crate::ite_chain::ite_chain;
use crate::model::{FunctionTable, Interpretation};
use crate::open::OpenPoint;
use crate::totality::Recursion;
use crate::unknown::{Unknown, UnknownReason};
use crate::value::Value;
use rustc_hash::FxHashMap;
use smtlib::{FuncBody, FuncId, Sort, SortId, Store, Symbol, TermId};
use std::sync::Arc;

/// How a function's value on arguments is found.
enum Meaning {
    Value(Value),
    Table,
    Body(Arc<[Symbol]>, TermId),
}

/// The value of a function on one more argument.
pub(crate) enum Applied {
    /// The final value.
    Done(ValueSlot),
    /// The value of this body under these variables.
    Body(TermId, Vec<(Symbol, ValueSlot)>),
}

impl Evaluator {
    /// Returns the interpretation of a function symbol: its definition, or the model's.
    fn meaning(&mut self, store: &Store, f: FuncId) -> Result<Meaning, UnknownReason> {
        match &store.func(f).body {
            _ if self.recursion.is_symbol(store, f) => match self.model.interpretation(f) {
                None => Err(UnknownReason::Unassigned),
                Some(Interpretation::Value(v)) => Ok(Meaning::Value(v.clone())),
                Some(Interpretation::Table(_)) => Ok(Meaning::Table),
                Some(Interpretation::Body { params, body }) => Ok(Meaning::Body(params[..].into(), *body)),
            },
            FuncBody::Declared | FuncBody::Relation => Err(UnknownReason::Unassigned),
            FuncBody::Defined { vars, body } => Ok(Meaning::Body(vars[..].into(), *body)),
            FuncBody::Recursive { vars, body } => {
                if !matches!(self.recursion, Recursion::Unfolded) && !self.totality.is_total(store, f) {
                    return Err(UnknownReason::NotTotal);
                }
                Ok(Meaning::Body(vars[..].into(), *body))
            }
        }
    }

    /// Applies a function symbol to arguments that have been evaluated.
    pub(crate) fn call_symbol(&mut self, store: &Store, t: TermId) -> Result<(), Unknown> {
        let args = store.args(t);
        let Some(f) = store.applied(t) else {
            self.set_unknown(t, UnknownReason::IllSorted);
            return Ok(());
        };
        let func = store.func(f);
        if func.result != store.sort(t) || args.iter().zip(&func.params).any(|(&a, &p)| store.sort(a) != p) {
            self.set_unknown(t, UnknownReason::Parametric);
            return Ok(());
        }
        let meaning = match self.meaning(store, f) {
            Ok(meaning) => meaning,
            Err(reason) => {
                if reason != UnknownReason::Unassigned || !self.notes_open_points() {
                    self.set_unknown(t, reason);
                } else if let Some(unknown) = self.first_unknown(args) {
                    // Its arguments' open points come first.
                    self.set(t, ValueSlot::Unknown(unknown));
                } else {
                    self.gather(args);
                    self.note_open(t, OpenPoint::Symbol(f, self.scratch.as_slice().into()));
                    self.set_unknown(t, reason);
                }
                return Ok(());
            }
        };
        let unknown = self.first_unknown(args);
        match meaning {
            Meaning::Value(v) => self.set_value(t, v),
            Meaning::Table => {
                let slot = match unknown {
                    None => {
                        self.gather(args);
                        let found = self.table(f).and_then(|table| table.get(&self.scratch)).cloned();
                        if found.is_none() && self.notes_open_points() {
                            self.note_open(t, OpenPoint::Symbol(f, self.scratch.as_slice().into()));
                        }
                        found.map_or(
                            ValueSlot::Unknown(Unknown { term: t, reason: UnknownReason::OutsideTable }),
                            ValueSlot::Known,
                        )
                    }
                    // A table without rows is constant.
                    Some(unknown) => {
                        let default =
                            self.table(f).filter(|table| table.is_empty()).and_then(FunctionTable::default_value);
                        default.cloned().map_or(ValueSlot::Unknown(unknown), ValueSlot::Known)
                    }
                };
                self.set(t, slot);
            }
            // A recursion is unfolded for known arguments only.
            Meaning::Body(..) if unknown.is_some() && matches!(func.body, FuncBody::Recursive { .. }) => {
                self.set(t, unknown.map_or(ValueSlot::Empty, ValueSlot::Unknown));
            }
            Meaning::Body(params, body) => {
                let slots: Vec<ValueSlot> = args.iter().map(|&a| self.slot(a).clone()).collect();
                return self.call(t, f, &params, body, slots);
            }
        }
        Ok(())
    }

    fn table(&self, f: FuncId) -> Option<&FunctionTable> {
        match self.model.interpretation(f) {
            Some(Interpretation::Table(table)) => Some(table),
            _ => None,
        }
    }

    /// Copies known arguments into the scratch vector.
    fn gather(&mut self, args: &[TermId]) {
        let mut scratch = std::mem::take(&mut self.scratch);
        scratch.clear();
        scratch.extend(args.iter().filter_map(|&a| self.slot(a).value().cloned()));
        self.scratch = scratch;
    }

    /// Begins the call of a function given by a body, or takes its memoised result.
    fn call(
        &mut self,
        t: TermId,
        f: FuncId,
        params: &[Symbol],
        body: TermId,
        args: Vec<ValueSlot>,
    ) -> Result<(), Unknown> {
        let key: Option<Box<[Value]>> = args.iter().map(|s| s.value().cloned()).collect();
        let purpose = match key.filter(|k| !k.is_empty()) {
            None => BodyPurpose::Result,
            Some(key) => {
                if let Some(slot) = self.calls.get(&f).and_then(|c| c.get(&key)) {
                    let slot = slot.clone();
                    self.set(t, slot);
                    return Ok(());
                }
                BodyPurpose::Call(f, key)
            }
        };
        let environment = params.iter().copied().zip(args).collect();
        self.activate_alone(t, body, environment, purpose)
    }

    /// Evaluates `body` under the surrounding variables that are free in `t`, and those `added`.
    pub(crate) fn activate(
        &mut self,
        store: &Store,
        t: TermId,
        body: TermId,
        added: Vec<(Symbol, ValueSlot)>,
        purpose: BodyPurpose,
    ) -> Result<(), Unknown> {
        let mut environment = Vec::new();
        if self.is_open(store, t) && !self.frames.is_empty() {
            let names = self.free_names(store, t);
            self.charge(t, names.len() as u64)?;
            for &name in names.iter() {
                environment.extend(self.frames.last().and_then(|f| f.lookup(name)).map(|slot| (name, slot.clone())));
            }
        }
        let around = environment.len();
        environment.extend(added);
        self.activate_alone(t, body, environment, purpose)?;
        if let Some(frame) = self.frames.last_mut() {
            frame.around = around;
        }
        Ok(())
    }

    /// Evaluates `body` under exactly these variables.
    pub(crate) fn activate_alone(
        &mut self,
        t: TermId,
        body: TermId,
        environment: Vec<(Symbol, ValueSlot)>,
        purpose: BodyPurpose,
    ) -> Result<(), Unknown> {
        if self.frames.len() >= self.limits.nesting {
            return Err(Unknown { term: t, reason: UnknownReason::Nesting });
        }
        self.charge(t, 8 * environment.len() as u64)?;
        let mut frame = self.spare_frame();
        frame.environment.extend(environment);
        frame.body = Some(body);
        frame.purpose = purpose;
        self.frames.push(frame);
        self.tasks.push(TermTask { term: t, step: RETURN });
        self.tasks.push(TermTask { term: body, step: ENTER });
        Ok(())
    }

    /// The body of the topmost activation, which belongs to `t`, is evaluated.
    pub(crate) fn finish_activation(&mut self, store: &Store, t: TermId) -> Result<(), Unknown> {
        let Some(body) = self.frames.last().and_then(|f| f.body) else { return Ok(()) };
        let mut outcome = self.slot(body).clone();
        if let Some(BodyPurpose::Traverse(_)) = self.frames.last().map(|f| &f.purpose) {
            let Some(mut frame) = self.frames.pop() else { return Ok(()) };
            let purpose = std::mem::take(&mut frame.purpose);
            self.recycle(frame);
            let BodyPurpose::Traverse(walk) = purpose else { return Ok(()) };
            return self.continue_traversal(store, t, walk, outcome);
        }
        if let ValueSlot::Known(value @ Value::Map(_)) = outcome {
            outcome = ValueSlot::Known(value.at_sort(store, store.sort(t)));
        }
        if let Some(BodyPurpose::Enumerate(_)) = self.frames.last().map(|f| &f.purpose) {
            return self.continue_walk(store, t, outcome);
        }
        if let Some(BodyPurpose::Search(_)) = self.frames.last().map(|f| &f.purpose) {
            return self.continue_search(store, t, outcome);
        }
        let Some(mut frame) = self.frames.pop() else { return Ok(()) };
        if let BodyPurpose::Call(f, key) = std::mem::take(&mut frame.purpose) {
            if self.calls_kept >= self.limits.call_memo {
                self.calls.clear();
                self.calls_kept = 0;
            }
            self.calls_kept += 1;
            self.calls.entry(f).or_default().insert(key, outcome.clone());
        }
        self.recycle(frame);
        self.set(t, outcome);
        Ok(())
    }
}

/// Functions as values.
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
